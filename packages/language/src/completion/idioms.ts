// biome-ignore-all lint/suspicious/noTemplateCurlyInString: places of snippets are written so
// Whole clauses that policies are made of.

import type { SiteSystem } from "../expression/sites.ts";
import type { Completion } from "./completion.ts";

interface Idiom {
  readonly systems: readonly SiteSystem[];
  readonly item: Completion;
}

const ADMISSION: readonly SiteSystem[] = ["policy", "mutation", "webhook"];

function idiom(systems: readonly SiteSystem[], label: string, about: string, insert: string): Idiom {
  return { systems, item: { label, kind: "snippet", detail: about, insert, snippet: true } };
}

// biome-ignore format: one idiom per line
export const IDIOMS: readonly Idiom[] = [
  idiom(ADMISSION,      "has guard",          "a field that may be absent",          "!has(${1:object.spec.field}) || ${1:object.spec.field} $2"),
  idiom(["definition"], "has guard",          "a field that may be absent",          "!has(self.${1:field}) || self.${1:field} $2"),
  idiom(ADMISSION,      "optional field",     "a field with a default",              "object.?${1:spec}.?${2:field}.orValue(${3:''})"),
  idiom(ADMISSION,      "compare quantities", "amounts such as 500m or 2Gi", "quantity(${1:object.spec.field}).isLessThan(quantity('${2:1Gi}'))"),
  idiom(ADMISSION,      "all containers",     "a check of every container",          "object.spec.containers.all(c, ${1:c.image.startsWith('$2')})"),
  idiom(ADMISSION,      "only on update",     "a check for updates only",        "request.operation != 'UPDATE' || $1"),
  idiom(ADMISSION,      "unchanged",          "a field that may not change",         "oldObject == null || object.${1:spec.field} == oldObject.${1:spec.field}"),
  idiom(ADMISSION,      "label is set",       "a required label",          "has(object.metadata.labels) && '${1:app}' in object.metadata.labels"),
  idiom(["policy", "webhook"], "user has permission", "a check of the user's permissions",                 "authorizer.group('${1:apps}').resource('${2:deployments}').namespace(request.namespace).check('${3:create}').allowed()"),
  idiom(["definition"], "immutable",          "a field that may not change",         "self == oldSelf"),
  idiom(["definition"], "exactly one of",     "one of several fields",               "[has(self.${1:a}), has(self.${2:b})].exists_one(x, x)"),
  idiom(["definition"], "only grows",         "a number that may not shrink",        "self.${1:size} >= oldSelf.${1:size}"),
  idiom(["certificate"], "service account",   "the requester's own name",            "self == serviceAccount(cr.username).getName() + '.' + cr.namespace + '.svc'"),
];
