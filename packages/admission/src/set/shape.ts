// The shape of policies and bindings that are put into a set. They come typed, but manifests are data: a resource of another shape than its
// type is rejected at once, with its name and the field, before anything is compiled. This is no validation: values that the API server
// would reject stay, and are enforced as it enforces stored ones. `readPolicyResource` and `validatePolicy` tell everything, in its words.

import { isRecord, type JsonObject } from "@celadon/base";
import { nameOf } from "@celadon/kube";

type Shape =
  | "string"
  /** One that must be there. */
  | "string!"
  | { readonly list: Shape }
  | { readonly values: Shape }
  | { readonly fields: Readonly<Record<string, Shape>> };

const STRINGS: Shape = { list: "string!" };
const named = (expression: string, name: string): Shape => ({
  list: { fields: { [name]: "string!", [expression]: "string!" } },
});

const SELECTOR: Shape = {
  fields: {
    matchLabels: { values: "string!" },
    matchExpressions: { list: { fields: { key: "string!", operator: "string!", values: STRINGS } } },
  },
};
const RULES: Shape = {
  list: {
    fields: {
      apiGroups: STRINGS,
      apiVersions: STRINGS,
      resources: STRINGS,
      operations: STRINGS,
      resourceNames: STRINGS,
      scope: "string",
    },
  },
};
const MATCH: Shape = {
  fields: {
    matchPolicy: "string",
    namespaceSelector: SELECTOR,
    objectSelector: SELECTOR,
    resourceRules: RULES,
    excludeResourceRules: RULES,
    namespaces: STRINGS,
    excludeNamespaces: STRINGS,
  },
};

/**
 * The shape of policies and bindings alike: no field means one thing here and another there. Fields that are not listed stay as they are.
 */
const SPEC: Shape = {
  fields: {
    failurePolicy: "string",
    paramKind: { fields: { apiVersion: "string", kind: "string" } },
    matchConstraints: MATCH,
    matchConditions: named("expression", "name"),
    variables: named("expression", "name"),
    validations: {
      list: { fields: { expression: "string!", message: "string", messageExpression: "string", reason: "string" } },
    },
    auditAnnotations: named("valueExpression", "key"),
    mutations: {
      list: {
        fields: {
          patchType: "string",
          applyConfiguration: { fields: { expression: "string" } },
          jsonPatch: { fields: { expression: "string" } },
        },
      },
    },
    reinvocationPolicy: "string",
    policyName: "string",
    paramRef: {
      fields: { name: "string", namespace: "string", selector: SELECTOR, parameterNotFoundAction: "string" },
    },
    matchResources: MATCH,
    validationActions: STRINGS,
  },
};

/**
 * The resource without fields that are null, as the API server reads it; itself without such fields. Throws a TypeError that names kind,
 * name and field of a value of the wrong type.
 */
export function shaped<R extends { readonly kind: string; readonly spec: object }>(resource: R): R {
  const wrong = (path: string, what: string): never => {
    throw new TypeError(`${resource.kind} ${nameOf(resource)}: ${path} must be ${what}`);
  };
  const spec = read(resource.spec, SPEC, "spec", wrong) as R["spec"];
  return spec === resource.spec ? resource : { ...resource, spec };
}

type Wrong = (path: string, what: string) => never;

function read(value: unknown, shape: Shape, path: string, wrong: Wrong): unknown {
  if (typeof shape === "string") return typeof value === "string" ? value : wrong(path, "a string");
  if ("list" in shape) {
    if (!Array.isArray(value)) return wrong(path, "a list");
    const items = value.map((item, i) => read(item, shape.list, `${path}[${i}]`, wrong));
    return items.every((item, i) => item === value[i]) ? value : items;
  }
  if (!isRecord(value)) return wrong(path, "an object");
  const fields: Readonly<JsonObject> = value;
  const changed = new Map<string, unknown>();
  const keys = "values" in shape ? Object.keys(fields) : Object.keys(shape.fields);
  for (const key of keys) {
    const own = Object.hasOwn(fields, key) ? fields[key] : undefined;
    const inner = "values" in shape ? shape.values : shape.fields[key]!;
    if ((own === undefined || own === null) && inner !== "string!") {
      if (own === null) changed.set(key, undefined);
      continue;
    }
    const found = read(own, inner, `${path}.${key}`, wrong);
    if (found !== own) changed.set(key, found);
  }
  if (changed.size === 0) return value;
  const entries = Object.entries(fields).map(([key, own]) => [key, changed.has(key) ? changed.get(key) : own] as const);
  return Object.fromEntries(entries.filter(([, own]) => own !== undefined));
}
