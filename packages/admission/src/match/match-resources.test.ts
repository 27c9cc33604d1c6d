// Selectors, exclusions, equivalents, and when an error counts.

import type { KubeObject } from "@celadon/kube";
import { notFound } from "@celadon/kube/status";
import { expect, test } from "vitest";
import type { ResourceMapper } from "../hosts.ts";
import { EVERYTHING, podRequest } from "../policies.testing.ts";
import type { MatchResources } from "../policy.ts";
import type { AdmissionRequest } from "../request.ts";
import { compileMatch, type MatchOutcome, matchResources, type NamespaceLabels } from "./match-resources.ts";
import { refusalText } from "./refusal.ts";

const WIDGETS = { group: "w.io", resource: "widgets" };
const GADGETS = { group: "w.io", resource: "gadgets" };
const mapper: ResourceMapper = {
  equivalents: ({ resource }) =>
    resource === "gadgets"
      ? [
          { ...GADGETS, version: "v1" },
          { ...GADGETS, version: "v9" },
        ]
      : [
          { ...WIDGETS, version: "v1" },
          { ...WIDGETS, version: "v2" },
          { ...WIDGETS, version: "v3" },
        ],
  kind: ({ version }) => (version === "v9" ? undefined : { group: "w.io", version, kind: "Widget" }),
};

function run(
  resources: MatchResources,
  request: Partial<AdmissionRequest> = {},
  labels: NamespaceLabels | (() => NamespaceLabels) = { labels: {} },
): MatchOutcome {
  const asked = podRequest({}, request);
  const match = compileMatch({ resourceRules: [EVERYTHING], ...resources });
  return matchResources(match, asked, typeof labels === "function" ? labels : () => labels, mapper);
}

const widget = (version: string): Partial<AdmissionRequest> => ({
  kind: { group: "w.io", version, kind: "Widget" },
  resource: { ...WIDGETS, version },
});

const said = (outcome: MatchOutcome): string => {
  if (outcome.matched === true) return "matched";
  return outcome.matched === false ? refusalText(outcome.refusal) : `error: ${outcome.message}`;
};

const PROD = { matchLabels: { env: "prod" } };
const BROKEN = { matchExpressions: [{ key: "a", operator: "Near", values: ["b"] }] };
const labelled = (labels: Record<string, string>): KubeObject => ({ metadata: { name: "p", labels } });

// biome-ignore format: one case per line
const cases: { name: string; match: MatchResources; request?: Partial<AdmissionRequest>; labels?: NamespaceLabels; want: string | RegExp }[] = [
  { name: "no constraint beyond the rules",           match: {},                                                                    want: "matched" },
  { name: "namespace selected",                       match: { namespaceSelector: PROD }, request: { namespace: "n" }, labels: { labels: { env: "prod" } }, want: "matched" },
  { name: "namespace not selected",                   match: { namespaceSelector: PROD }, request: { namespace: "n" },              want: "namespaceSelector 'env=prod' does not select namespace 'n'" },
  { name: "cluster-scoped objects are not asked for", match: { namespaceSelector: PROD },                                           want: "matched" },
  { name: "namespace not found",                      match: { namespaceSelector: PROD }, request: { namespace: "n" }, labels: { status: notFound({ group: "", resource: "namespaces" }, "n") }, want: "error: namespaces \"n\" not found" },
  { name: "not found, but the rules do not match",    match: { namespaceSelector: PROD, resourceRules: [{ ...EVERYTHING, operations: ["DELETE"] }] }, request: { namespace: "n" }, labels: { status: notFound({ group: "", resource: "namespaces" }, "n") }, want: "no resource rule matches: resourceRules[0].operations" },
  { name: "broken selector",                          match: { objectSelector: BROKEN },                                            want: /^error: Internal error occurred: "Near" is not a valid label selector operator/ },
  { name: "broken selector, other rules",             match: { objectSelector: BROKEN, resourceRules: [{ ...EVERYTHING, resources: ["x"] }] }, want: "no resource rule matches: resourceRules[0].resources" },
  { name: "the namespace's error comes first",        match: { objectSelector: BROKEN, namespaceSelector: { matchExpressions: [{ key: "a", operator: "Far" }] } }, request: { namespace: "n" }, want: /"Far" is not/ },
  { name: "object selected",                          match: { objectSelector: PROD }, request: { object: labelled({ env: "prod" }) }, want: "matched" },
  { name: "old object selected",                      match: { objectSelector: PROD }, request: { oldObject: labelled({ env: "prod" }) }, want: "matched" },
  { name: "neither selected",                         match: { objectSelector: PROD }, request: { oldObject: labelled({ env: "dev" }) }, want: "objectSelector 'env=prod' selects neither the object nor the old object" },
  { name: "no metadata is never selected",            match: { objectSelector: { matchExpressions: [{ key: "a", operator: "DoesNotExist" }] } }, request: { object: { kind: "PodExecOptions" } }, want: /^objectSelector/ },
  { name: "metadata without labels may be",           match: { objectSelector: { matchExpressions: [{ key: "a", operator: "DoesNotExist" }] } }, want: "matched" },
  { name: "labels named like properties of objects",  match: { objectSelector: { matchExpressions: [{ key: "constructor", operator: "Exists" }] } }, want: /^objectSelector/ },
  { name: "excluded",                                 match: { excludeResourceRules: [{ ...EVERYTHING, operations: ["DELETE"] }, EVERYTHING] }, want: "excludeResourceRules[1] excludes the request" },
  { name: "excluded by name",                         match: { excludeResourceRules: [{ ...EVERYTHING, resourceNames: ["p"] }] },   want: "excludeResourceRules[0] excludes the request" },
  { name: "not excluded by another name",             match: { excludeResourceRules: [{ ...EVERYTHING, resourceNames: ["q"] }] },   want: "matched" },
  { name: "no rules match everything",                match: { resourceRules: [] },                                                 want: "matched" },
  { name: "every rule says what refused it",          match: { resourceRules: [{ ...EVERYTHING, operations: ["DELETE"] }, { ...EVERYTHING, apiGroups: ["x"] }] }, want: "no resource rule matches: resourceRules[0].operations, resourceRules[1].apiGroups" },
  { name: "equivalent version",                       match: { resourceRules: [{ ...EVERYTHING, apiVersions: ["v2"] }] }, request: widget("v1"), want: "matched" },
  { name: "exact",                                    match: { matchPolicy: "Exact", resourceRules: [{ ...EVERYTHING, apiVersions: ["v2"] }] }, request: widget("v1"), want: "no resource rule matches: resourceRules[0].apiVersions" },
  { name: "exclusion of an equivalent",               match: { excludeResourceRules: [{ ...EVERYTHING, apiVersions: ["v2"] }] }, request: widget("v1"), want: "excludeResourceRules[0] excludes the request" },
  { name: "equivalent of unknown kind",               match: { resourceRules: [{ ...EVERYTHING, apiVersions: ["v9"] }] }, request: { kind: { group: "w.io", version: "v1", kind: "Gadget" }, resource: { ...GADGETS, version: "v1" } }, want: "error: unable to convert to w.io/v9, Resource=gadgets: unknown kind" },
  { name: "equivalent with another name",             match: { resourceRules: [{ ...EVERYTHING, apiVersions: ["v2"], resourceNames: ["q"] }] }, request: widget("v1"), want: "no resource rule matches: resourceRules[0].apiVersions" },
];

test.each(cases)("$name", ({ match, request, labels, want }) => {
  const got = said(run(match, request, labels));
  if (typeof want === "string") expect(got).toBe(want);
  else expect(got).toMatch(want);
});

test("the first rule decides the version, its equivalents in order of registration", () => {
  const first = run({ resourceRules: [{ ...EVERYTHING, apiVersions: ["v3", "v2"] }] }, widget("v1"));
  expect(first).toMatchObject({ matched: true, resource: { version: "v2" }, kind: { version: "v2", kind: "Widget" } });
  const second = run(
    {
      resourceRules: [
        { ...EVERYTHING, apiVersions: ["v3"] },
        { ...EVERYTHING, apiVersions: ["v2"] },
      ],
    },
    widget("v1"),
  );
  expect(second).toMatchObject({ matched: true, resource: { version: "v3" } });
});

test("a rule for the literal resource comes before all equivalents", () => {
  const outcome = run(
    {
      resourceRules: [
        { ...EVERYTHING, apiVersions: ["v2"] },
        { ...EVERYTHING, apiVersions: ["v1"] },
      ],
    },
    widget("v1"),
  );
  expect(outcome).toMatchObject({ matched: true, resource: { version: "v1" } });
});

test("the namespace is not asked for when no selector needs it", () => {
  const never = (): NamespaceLabels => {
    throw new Error("asked");
  };
  expect(run({}, { namespace: "n" }, never).matched).toBe(true);
});
