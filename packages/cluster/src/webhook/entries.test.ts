import type { NamedRuleWithOperations } from "@celadon/admission/policy";
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
  /** When it was created. */
  readonly since?: string;
}

function policy(rules: readonly RuleText[], given: Given = {}): MatchedPolicy {
  const { kind = "ValidatingAdmissionPolicy", matchPolicy, namespacedOnly = false, since: _, ...spec } = given;
  const resourceRules = rules.map(([groups, versions, resources, operations = "CREATE"]) => ({
    apiGroups: groups.split(","),
    apiVersions: versions.split(","),
    resources: resources.split(","),
    operations: operations.split(",") as NonNullable<NamedRuleWithOperations["operations"]>,
  }));
  const matchConstraints = { resourceRules, ...(matchPolicy && { matchPolicy }) };
  const object = { apiVersion: "", kind, metadata: {}, spec: { ...spec, matchConstraints } } as const;
  const about = { key: "", group: "policies.celadon.dev" as const, generation: 1, since: given.since ?? "" };
  return { ...about, class: classOf(object as Parameters<typeof classOf>[0]), rules: resourceRules, namespacedOnly };
}

/** `/validate/fail/equivalent/v1: apps/v1 deployments CREATE` */
const shown = (policies: readonly MatchedPolicy[]): string[] =>
  entryShapes(policies).shapes.flatMap(({ class: of, rules }) =>
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

const many = (name: string, count: number): string => Array.from({ length: count }, (_, i) => `${name}${i}`).join(",");
const sizeOf = (policies: readonly MatchedPolicy[]): number => JSON.stringify(entryShapes(policies).shapes).length;

test("two policies with 55,000 resources each leave room for others", () => {
  const policies = [
    policy([["g0", "v1", many("resource0xyz", 55_000)]]),
    policy([["g1", "v1", many("resource1xyz", 55_000)]]),
    policy([["", "v1", "secrets"]]),
  ];
  expect(shown(policies)).toEqual([`${V1} */v1 */* CREATE`]);
  expect(entryShapes(policies).omitted.size).toBe(0);
});

test("many groups, versions and resources together do not have to be counted out", () => {
  const [groups, resources] = [many("g", 20_000), many("r/", 20_000)];
  expect(shown([policy([[groups, "v1", resources]])])[0]).toMatch(
    /^\/validate\/fail\/equivalent\/x[0-9a-f]{12}: \*\/v1 \*\/\* CREATE$/,
  );
  expect(shown([policy([[groups, many("v", 300), resources]], { matchPolicy: "Exact" })])).toEqual([
    "/validate/fail/exact/as-sent: */* */* CREATE",
  ]);
});

test("a policy with too many versions has no place, and says so", () => {
  const large = policy([["g", many("v", 5_000), "r"]]);
  const small = policy([["", "v1", "secrets"]]);
  const { shapes, omitted } = entryShapes([large, small]);
  expect(shapes.map(({ class: of }) => classPath(of))).toEqual(["/validate/fail/equivalent/v1"]);
  expect([...omitted]).toEqual([classPath(large.class)]);
});

test("many policies that share nothing fill the configuration up to its budget, older ones first", () => {
  const old = policy([["", "v1", "secrets"]], { since: "2020-01-01T00:00:00Z" });
  const crowd = Array.from({ length: 700 }, (_, i) =>
    policy([["g", `v${i + 2}`, "x"]], { since: "2026-01-01T00:00:00Z" }),
  );
  const late = policy([["", "v1beta1", "pods"]], { since: "2026-06-01T00:00:00Z" });
  const { shapes, omitted } = entryShapes([...crowd, late, old]);
  expect(shapes.map(({ class: of }) => classPath(of))).toContain(classPath(old.class));
  expect(omitted).toContain(classPath(late.class));
  expect(shapes.length + omitted.size).toBe(702);
  expect(sizeOf([...crowd, late, old]) + shapes.length * 4096).toBeLessThan(1_000_000);
});

test("what names long resources asks about all of them", () => {
  const long = Array.from({ length: 1_500 }, (_, i) => `${"x".repeat(500)}${i}`).join(",");
  expect(shown([policy([["g", "v1", long]])])).toEqual([`${V1} */v1 */* CREATE`]);
});
