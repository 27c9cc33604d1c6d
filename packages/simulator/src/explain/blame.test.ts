// The one place that is to blame for a false expression: of loops the element, also behind variables.

import { createPolicySet } from "@celadon/admission";
import { explain } from "@celadon/admission/explain";
import { dataPathText } from "@celadon/cel/explain";
import { expect, test } from "vitest";
import { blameOf } from "./blame.ts";
import { variableTrees } from "./variable-places.ts";

const OBJECT = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "web", labels: { team: "a", tier: "x" } },
  spec: {
    hostNetwork: true,
    containers: [
      { name: "a", image: "good/a" },
      { name: "b", image: "bad/b", ports: [{ hostPort: 0 }, { hostPort: 80 }] },
      { name: "c", image: "bad/c" },
    ],
    initContainers: [
      { name: "i", image: "good/i" },
      { name: "j", image: "worse/j" },
    ],
  },
};

const VARIABLES = {
  containers: "object.spec.containers",
  bad: "variables.containers.filter(c, c.image.startsWith('bad/'))",
  good: "variables.containers.filter(c, !c.image.startsWith('bad/'))",
  none: "variables.containers.filter(c, c.image == '')",
  names: "variables.bad.map(c, c.name)",
  badNames: "object.spec.containers.map(c, c.image.startsWith('bad/'), c.name)",
  every:
    "object.spec.containers + object.spec.?initContainers.orValue([]) + object.spec.?ephemeralContainers.orValue([])",
  worse: "variables.every.filter(c, c.image.startsWith('worse/'))",
  maybe: "has(object.spec.initContainers) ? object.spec.initContainers : []",
  keys: "object.metadata.labels.filter(k, k.startsWith('ti'))",
  host: "object.spec.hostNetwork",
  clean: "variables.containers.all(c, !c.image.startsWith('bad/'))",
  broken: "object.spec.containers.filter(c, c.ports.size() > 1)",
  parts: "object.metadata.name.split('e')",
  constant: "[1, 2]",
};

// biome-ignore format: one case per line
const cases: { expression: string; blames: string | undefined; alone?: string | undefined }[] = [
  { expression: "!object.spec.hostNetwork",                                         blames: "spec.hostNetwork", alone: "spec.hostNetwork" },
  { expression: "object.spec.containers.all(c, c.image.startsWith('good/'))",       blames: "spec.containers[1].image", alone: "spec.containers[1].image" },
  { expression: "object.spec.containers.filter(c, c.image.startsWith('bad/')).size() == 0", blames: "spec.containers[1]", alone: "spec.containers[1]" },
  { expression: "object.spec.containers.filter(c, c.image.startsWith('good/')).size() == object.spec.containers.size()", blames: "spec.containers", alone: "spec.containers" },
  { expression: "!variables.host",                                                  blames: "spec.hostNetwork" },
  { expression: "object.spec.containers.exists(c, c.name == 'x')",                   blames: "spec.containers", alone: "spec.containers" },
  { expression: "variables.clean",                                                  blames: "spec.containers[1].image" },
  { expression: "variables.bad.size() == 0",                                        blames: "spec.containers[1]" },
  { expression: "size(variables.names) == 0",                                       blames: "spec.containers[1]" },
  { expression: "variables.badNames == []",                                         blames: "spec.containers[1]" },
  { expression: "variables.good.size() == variables.containers.size()",             blames: "spec.containers" },
  { expression: "variables.none.size() == 1",                                       blames: "spec.containers" },
  { expression: "variables.containers.all(c, c.image.startsWith('good/'))",         blames: "spec.containers[1].image" },
  { expression: "variables.bad.all(c, c.name == 'b')",                              blames: "spec.containers[2].name" },
  { expression: "variables.bad[1].name == 'b'",                                     blames: "spec.containers[2].name" },
  { expression: "variables.containers.all(c, c.?ports.orValue([]).all(p, p.hostPort == 0))", blames: "spec.containers[1].ports[1]" },
  { expression: "variables.every.all(c, !c.image.startsWith('worse/'))",            blames: "spec.initContainers[1].image" },
  { expression: "variables.worse.size() == 0",                                      blames: "spec.initContainers[1]" },
  { expression: "variables.maybe.all(c, c.name == 'i')",                            blames: "spec.initContainers[1].name" },
  { expression: "variables.keys.size() == 0",                                       blames: "metadata.labels.tier" },
  { expression: "object.metadata.name == 'web' && variables.bad.size() == 0",       blames: "spec.containers[1]", alone: "metadata.name" },
  { expression: "variables.broken.size() == 0",                                     blames: "spec.containers[0].ports" },
  { expression: "variables.parts.all(p, p == 'w')",                                 blames: "metadata.name" },
  { expression: "variables.constant.size() == 0",                                   blames: undefined },
  { expression: "1 > 2",                                                            blames: undefined },
];

test.each(cases)("$expression: $blames", async ({ expression, blames, alone }) => {
  const expressions = await explained(VARIABLES, ["true", expression]);
  const failed = expressions.at(-1)!;
  expect(failed.value).not.toBe(true);
  expect(text(blameOf(failed.tree, variableTrees(expressions)))).toBe(blames);
  expect(text(blameOf(failed.tree))).toBe(alone);
});

test("a variable that an expression before read first", async () => {
  const expressions = await explained(VARIABLES, ["variables.bad.size() == 2", "variables.bad.size() == 0"]);
  expect(expressions[1]!.variables).toEqual([]);
  expect(text(blameOf(expressions[1]!.tree, variableTrees(expressions)))).toBe("spec.containers[1]");
});

test("long chains and wide trees of variables end", async () => {
  const chain: Record<string, string> = { v0: "object.spec.hostNetwork ? [1] : []" };
  for (let i = 1; i <= 300; i++) chain[`v${i}`] = `variables.v${i - 1}.map(x, x)`;
  const wide: Record<string, string> = { w0: "[1]" };
  for (let i = 1; i <= 30; i++) wide[`w${i}`] = `[variables.w${i - 1} == variables.w${i - 1}]`;
  const expressions = await explained({ ...chain, ...wide }, [
    "variables.v300 == []",
    "variables.v5 == []",
    "variables.w30 == []",
  ]);
  const trees = variableTrees(expressions);
  const validations = expressions.filter(({ kind }) => kind === "validation");
  expect(validations.map(({ tree }) => text(blameOf(tree, trees)))).toEqual([undefined, "spec.hostNetwork", undefined]);
});

test("a variable that reads itself", () => {
  const node = { text: "variables.a", start: 0, end: 11, evaluated: true, children: [] };
  const tree = { ...node, dataPath: { root: "variables", path: ["a"] } };
  expect(blameOf(tree, new Map([["a", tree]]))).toBeUndefined();
});

async function explained(variables: Readonly<Record<string, string>>, validations: readonly string[]) {
  const set = createPolicySet([
    {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingAdmissionPolicy",
      metadata: { name: "p" },
      spec: {
        matchConstraints: {
          resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["*"], resources: ["pods"] }],
        },
        variables: Object.entries(variables).map(([name, expression]) => ({ name, expression })),
        validations: validations.map((expression) => ({ expression })),
      },
    },
    {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingAdmissionPolicyBinding",
      metadata: { name: "b" },
      spec: { policyName: "p", validationActions: ["Deny"] },
    },
  ]);
  const request = {
    kind: { group: "", version: "v1", kind: "Pod" },
    resource: { group: "", version: "v1", resource: "pods" },
    name: "web",
    operation: "CREATE" as const,
    userInfo: { username: "u" },
    object: OBJECT,
    oldObject: null,
  };
  return (await explain(request, set.entries())).expressions;
}

function text(path: ReturnType<typeof blameOf>): string | undefined {
  return path && dataPathText(path);
}
