import type { NamedRuleWithOperations } from "@celadon/admission";
import { expect, test } from "vitest";
import { entryShapes, type MatchedPolicy } from "./entries.ts";
import { className, classOf, classPath } from "./policy-class.ts";

type RuleText = readonly [groups: string, versions: string, resources: string, operations?: string];
interface Given {
  readonly kind?: "MutatingAdmissionPolicy";
  readonly failurePolicy?: "Ignore";
  readonly matchPolicy?: "Exact";
  readonly reinvocationPolicy?: "IfNeeded";
  readonly namespacedOnly?: boolean;
}

function policy(rules: readonly RuleText[], given: Given = {}): MatchedPolicy {
  const { kind = "ValidatingAdmissionPolicy", matchPolicy, namespacedOnly = false, ...spec } = given;
  const resourceRules = rules.map(([groups, versions, resources, operations = "CREATE"]) => ({
    apiGroups: groups.split(","),
    apiVersions: versions.split(","),
    resources: resources.split(","),
    operations: operations.split(",") as NonNullable<NamedRuleWithOperations["operations"]>,
  }));
  const matchConstraints = { resourceRules, ...(matchPolicy && { matchPolicy }) };
  const object = { apiVersion: "", kind, metadata: {}, spec: { ...spec, matchConstraints } } as const;
  return { class: classOf(object as Parameters<typeof classOf>[0]), rules: resourceRules, namespacedOnly };
}

/** `/validate/fail/equivalent/v1: apps/v1 deployments CREATE` */
const shown = (policies: readonly MatchedPolicy[]): string[] =>
  entryShapes(policies).flatMap(({ class: of, rules }) =>
    rules.map(({ apiGroups, apiVersions, resources, operations, scope }) =>
      [
        `${classPath(of)}:`,
        `${apiGroups}/${apiVersions}`,
        resources.join(","),
        operations.join(","),
        ...(scope === "*" ? [] : [scope]),
      ].join(" "),
    ),
  );

const HPA = "horizontalpodautoscalers";
const V1 = "/validate/fail/equivalent/v1:";
// biome-ignore format: one case per line
test.each<[string, readonly MatchedPolicy[], readonly string[]]>([
  ["nothing for nothing", [], []],
  ["one rule for all resources of one kind of request",
    [policy([["apps", "v1", "deployments"]]), policy([["apps", "v1", "statefulsets"]])],
    [`${V1} apps/v1 deployments,statefulsets CREATE`]],
  ["operations of one resource are joined",
    [policy([["", "v1", "pods"]]), policy([["", "v1", "pods", "UPDATE"]])],
    [`${V1} /v1 pods CREATE,UPDATE`]],
  ["what a wildcard covers is not repeated",
    [policy([["*", "*", "*", "*"]]), policy([["", "*", "pods"], ["", "*", "pods/exec", "CONNECT"]])],
    ["/validate/fail/equivalent/any: /* pods/exec CONNECT", "/validate/fail/equivalent/any: */* * *"]],
  ["failure policies and match policies apart",
    [policy([["", "v1", "pods"]]), policy([["", "v1", "pods"]], { failurePolicy: "Ignore" }), policy([["", "v1", "pods"]], { matchPolicy: "Exact" })],
    [`${V1} /v1 pods CREATE`, "/validate/fail/exact/as-sent: /v1 pods CREATE", "/validate/ignore/equivalent/v1: /v1 pods CREATE"]],
  ["other versions need a call of their own",
    [policy([["autoscaling", "v1", HPA]]), policy([["autoscaling", "v2", HPA]]), policy([["autoscaling", "v1,v2", HPA]])],
    [`${V1} autoscaling/v1 ${HPA} CREATE`, `/validate/fail/equivalent/v1-v2: autoscaling/v1 ${HPA} CREATE`, `/validate/fail/equivalent/v1-v2: autoscaling/v2 ${HPA} CREATE`, `/validate/fail/equivalent/v2: autoscaling/v2 ${HPA} CREATE`]],
  ["a policy that only namespaces bind is not asked about the cluster",
    [policy([["", "v1", "pods"]], { namespacedOnly: true })],
    [`${V1} /v1 pods CREATE Namespaced`]],
  ["mutation: what runs again comes first, and nothing for DELETE",
    [policy([["", "v1", "pods", "*"], ["", "v1", "secrets", "DELETE"]], { kind: "MutatingAdmissionPolicy" }), policy([["", "v1", "pods"]], { kind: "MutatingAdmissionPolicy", reinvocationPolicy: "IfNeeded" })],
    ["/mutate/fail/equivalent/ifneeded/v1: /v1 pods CREATE", "/mutate/fail/equivalent/never/v1: /v1 pods CONNECT,CREATE,UPDATE"]],
])("%s", (_, policies, want) => expect(shown(policies)).toEqual(want));

test("policies that ask for other versions of several resources have a name of their own", () => {
  const mixed = (a: string, b: string) =>
    policy([
      ["apps", a, "deployments"],
      ["autoscaling", b, HPA],
    ]).class;
  expect(className(mixed("v1", "v2"))).toMatch(/^fail-equivalent-x[0-9a-f]{12}\.validate\.celadon\.dev$/);
  expect(className(mixed("v1", "v2"))).not.toBe(className(mixed("v2", "v1")));
  expect(className(mixed("v1", "v1"))).toBe("fail-equivalent-v1.validate.celadon.dev");
});

test("entries do not grow with policies, and their order does not matter", () => {
  const many = Array.from({ length: 1000 }, (_, i) => policy([["apps", "v1", i % 2 ? "deployments" : "statefulsets"]]));
  expect(shown(many)).toEqual([`${V1} apps/v1 deployments,statefulsets CREATE`]);
  expect(entryShapes([...many].reverse())).toEqual(entryShapes(many));
});
