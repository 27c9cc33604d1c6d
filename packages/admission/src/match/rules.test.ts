// One row per rule of rule matching.

import { expect, test } from "vitest";
import { podRequest } from "../policies.testing.ts";
import type { NamedRuleWithOperations } from "../policy.ts";
import type { AdmissionRequest } from "../request.ts";
import { refusingPart, resourceHits } from "./rules.ts";

const RULE: NamedRuleWithOperations = {
  apiGroups: [""],
  apiVersions: ["v1"],
  resources: ["pods"],
  operations: ["CREATE"],
};
const NAMESPACE: Partial<AdmissionRequest> = {
  kind: { group: "", version: "v1", kind: "Namespace" },
  resource: { group: "", version: "v1", resource: "namespaces" },
  name: "n",
  namespace: "n",
};

// biome-ignore format: one case per line
const cases: { name: string; rule?: Partial<NamedRuleWithOperations>; request?: Partial<AdmissionRequest>; want?: string }[] = [
  { name: "everything equal" },
  { name: "another group",                      rule: { apiGroups: ["apps"] },               want: "apiGroups" },
  { name: "any group",                          rule: { apiGroups: ["*"] } },
  { name: "one of several groups",              rule: { apiGroups: ["apps", ""] } },
  { name: "no groups at all",                   rule: { apiGroups: [] },                     want: "apiGroups" },
  { name: "another version",                    rule: { apiVersions: ["v2"] },               want: "apiVersions" },
  { name: "any version",                        rule: { apiVersions: ["*"] } },
  { name: "another operation",                  rule: { operations: ["UPDATE", "DELETE"] },  want: "operations" },
  { name: "any operation",                      rule: { operations: ["*"] },                 request: { operation: "CONNECT" } },
  { name: "another resource",                   rule: { resources: ["services"] },           want: "resources" },
  { name: "a subresource is not its resource",  request: { subresource: "status" },          want: "resources" },
  { name: "a resource is not its subresource",  rule: { resources: ["pods/status"] },        want: "resources" },
  { name: "any scope",                          rule: { scope: "*" } },
  { name: "Cluster without namespace",          rule: { scope: "Cluster" } },
  { name: "Cluster in a namespace",             rule: { scope: "Cluster" },                  request: { namespace: "n" }, want: "scope" },
  { name: "Namespaced in a namespace",          rule: { scope: "Namespaced" },               request: { namespace: "n" } },
  { name: "Namespaced without namespace",       rule: { scope: "Namespaced" },               want: "scope" },
  { name: "namespaces are Cluster",             rule: { scope: "Cluster", resources: ["*"] },    request: NAMESPACE },
  { name: "namespaces are not Namespaced",      rule: { scope: "Namespaced", resources: ["*"] }, request: NAMESPACE, want: "scope" },
  { name: "namespaces of another group",        rule: { scope: "Namespaced", resources: ["*"], apiGroups: ["*"] }, request: { ...NAMESPACE, resource: { group: "x", version: "v1", resource: "namespaces" } } },
  { name: "unknown scope",                      rule: { scope: "Galaxy" as "*" },            want: "scope" },
  { name: "the name",                           rule: { resourceNames: ["q", "p"] } },
  { name: "another name",                       rule: { resourceNames: ["q"] },              want: "resourceNames" },
  { name: "no name yet",                        rule: { resourceNames: ["p"] },              request: { name: "" }, want: "resourceNames" },
  { name: "an empty list of names",             rule: { resourceNames: [] },                 request: { name: "" } },
];

test.each(cases)("$name", ({ rule, request, want }) => {
  const asked = podRequest({}, request);
  expect(refusingPart({ ...RULE, ...rule }, asked, asked.resource)).toBe(want);
});

// biome-ignore format: one case per line
const patterns: [pattern: string, resource: string, subresource: string, hit: boolean][] = [
  ["pods",        "pods",     "",       true],
  ["pods",        "pods",     "status", false],
  ["*",           "pods",     "",       true],
  ["*",           "pods",     "status", false],
  ["pods/*",      "pods",     "",       true],   // the type's documentation says otherwise
  ["pods/*",      "pods",     "exec",   true],
  ["pods/*",      "services", "",       false],
  ["pods/exec",   "pods",     "exec",   true],
  ["pods/exec",   "pods",     "",       false],
  ["*/scale",     "pods",     "scale",  true],
  ["*/scale",     "pods",     "",       false],
  ["*/*",         "pods",     "",       true],
  ["*/*",         "pods",     "status", true],
  ["pods/",       "pods",     "",       true],
  ["pods/a/b",    "pods",     "a/b",    true],
];

test.each(patterns)("%s and %s %s: %s", (pattern, resource, subresource, hit) => {
  expect(resourceHits([pattern], resource, subresource)).toBe(hit);
});
