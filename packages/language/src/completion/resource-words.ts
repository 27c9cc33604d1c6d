// Fields of policies, bindings, webhooks and definitions that know a few words only.

import type { JsonPath } from "@celadon/base";
import { gvkOf } from "@celadon/kube";

// biome-ignore format: one field per line
const ADMISSION: readonly (readonly [place: RegExp, words: readonly string[]])[] = [
  [/(^|\.)failurePolicy$/,               ["Fail", "Ignore"]],
  [/(^|\.)matchPolicy$/,                 ["Equivalent", "Exact"]],
  [/^spec\.validationActions$/,          ["Deny", "Warn", "Audit"]],
  [/\.operations$/,                      ["CREATE", "UPDATE", "DELETE", "CONNECT", "*"]],
  [/ules\.scope$/,                       ["*", "Namespaced", "Cluster"]],
  [/\.parameterNotFoundAction$/,         ["Deny", "Allow"]],
  [/^spec\.validations\.reason$/,        ["Invalid", "Forbidden", "Unauthorized", "RequestEntityTooLarge"]],
  [/^spec\.mutations\.patchType$/,       ["ApplyConfiguration", "JSONPatch"]],
  [/(^|\.)reinvocationPolicy$/,          ["Never", "IfNeeded"]],
  [/\.sideEffects$/,                     ["None", "NoneOnDryRun"]],
  [/\.matchExpressions\.operator$/,      ["In", "NotIn", "Exists", "DoesNotExist"]],
  [/\.admissionReviewVersions$/,         ["v1"]],
];

// biome-ignore format: one field per line
const DEFINITION: readonly (readonly [place: RegExp, words: readonly string[]])[] = [
  [/^spec\.scope$/,                                ["Namespaced", "Cluster"]],
  [/x-kubernetes-list-type$/,                      ["atomic", "set", "map"]],
  [/x-kubernetes-map-type$/,                       ["granular", "atomic"]],
  [/x-kubernetes-validations\.reason$/,            ["FieldValueInvalid", "FieldValueForbidden", "FieldValueRequired", "FieldValueDuplicate"]],
  [/x-kubernetes-validations\.optionalOldSelf$|x-kubernetes-(?:preserve-unknown-fields|embedded-resource|int-or-string)$/, ["true"]],
  [/openAPIV3Schema(?:\..*)?\.type$/,              ["object", "array", "string", "integer", "number", "boolean"]],
  [/openAPIV3Schema\..*\.format$/,                 ["date-time", "date", "duration", "int32", "int64", "byte", "uri", "email", "ipv4", "ipv6", "cidr", "uuid"]],
  [/\.conversion\.strategy$/,                      ["None", "Webhook"]],
];

const SUITE: readonly (readonly [place: RegExp, words: readonly string[]])[] = [
  [/\.expect(?:\.verdict)?$/, ["allow", "deny", "warn", "audit", "error", "unmatched"]],
  [/\.operation$/, ["CREATE", "UPDATE", "DELETE", "CONNECT"]],
];

export function fieldWords(object: object, path: JsonPath): readonly string[] {
  const { group } = gvkOf(object);
  const place = path.filter((step) => typeof step === "string").join(".");
  const tables = {
    "admissionregistration.k8s.io": ADMISSION,
    "apiextensions.k8s.io": DEFINITION,
    "celadon.dev": SUITE,
  };
  const rows = Object.hasOwn(tables, group) ? tables[group as keyof typeof tables] : [];
  return rows.find(([pattern]) => pattern.test(place))?.[1] ?? [];
}
