// Explanations: sub-expression values, branches not taken, deciding elements with their place in the data, costs and shares.

import type { ExplainedNode } from "@celadon/cel/explain";
import { expect, test } from "vitest";
import { type EvaluationObserver, ExplainingObserver, explain } from "./entry/explain.ts";
import { admit } from "./index.ts";
import { bindingOf, EVERYTHING, podRequest, policyOf } from "./policies.testing.ts";
import { createPolicySet } from "./set/policy-set.ts";
import { selectWebhooks, WebhookSet } from "./webhook/index.ts";

const find = (node: ExplainedNode, text: string): ExplainedNode | undefined =>
  node.text === text ? node : node.children.map((child) => find(child, text)).find((found) => found !== undefined);

async function explained(spec: Parameters<typeof policyOf>[1], containers: readonly Record<string, unknown>[]) {
  const set = createPolicySet([policyOf("p", spec), bindingOf("b", "p")]);
  return explain(podRequest({ spec: { containers } }), set.entries());
}

const CONTAINERS = [
  { name: "a", image: "x:1" },
  { name: "b", image: "y:2" },
  { name: "c", image: "z:latest" },
  { name: "d", image: "w:1" },
];

test("the element that decided, with its place in the object", async () => {
  const { expressions, report } = await explained(
    { validations: [{ expression: "object.spec.containers.all(c, !c.image.endsWith(':latest'))" }] },
    CONTAINERS,
  );
  expect(report.allowed).toBe(false);
  const [validation] = expressions;
  expect(validation).toMatchObject({ kind: "validation", index: 0, policy: "p", value: false });
  expect(validation?.tree.loop?.deciding).toMatchObject({
    index: 2,
    path: "spec.containers[2]",
    element: CONTAINERS[2],
  });
  const image = find(validation!.tree, "c.image");
  expect(image).toMatchObject({ value: "z:latest", path: "spec.containers[2].image" });
  expect(image?.dataPath).toEqual({ root: "object", path: ["spec", "containers", 2, "image"] });
});

test("branches that were not evaluated are marked", async () => {
  const expression = "object.spec.containers.size() > 9 ? object.spec.nope == 1 : object.spec.containers.size() > 3";
  const { expressions } = await explained({ validations: [{ expression }] }, CONTAINERS);
  const { tree } = expressions[0]!;
  expect(tree.children.map(({ evaluated }) => evaluated)).toEqual([true, false, true]);
  expect(find(tree, "object.spec.nope")?.evaluated).toBe(false);
});

test("variables are listed under the expression that read them first, with cost and share", async () => {
  const { expressions } = await explained(
    {
      variables: [{ name: "images", expression: "object.spec.containers.map(c, c.image)" }],
      validations: [{ expression: "variables.images.size() == 4" }, { expression: "'x:1' in variables.images" }],
    },
    CONTAINERS,
  );
  expect(expressions.map(({ variables }) => variables.map(({ name }) => name))).toEqual([["images"], []]);
  const [variable] = expressions[0]!.variables;
  expect(variable?.value).toEqual(["x:1", "y:2", "z:latest", "w:1"]);
  expect(variable?.shareOfLimit).toBeCloseTo(variable!.cost / 1_000_000);
  expect(variable?.shareOfBudget).toBeCloseTo(variable!.cost / 10_000_000);
});

test("loops inside loops keep the iteration they belong to", async () => {
  const containers = [
    { name: "a", ports: [{ containerPort: 80 }] },
    { name: "b", ports: [{ containerPort: 81 }, { containerPort: 22 }] },
  ];
  const expression = "object.spec.containers.all(c, c.ports.all(p, p.containerPort > 79))";
  const { expressions } = await explained({ validations: [{ expression }] }, containers);
  const { tree } = expressions[0]!;
  expect(tree.loop?.deciding?.path).toBe("spec.containers[1]");
  const inner = find(tree, "c.ports.all(p, p.containerPort > 79)");
  expect(inner?.loop?.deciding?.path).toBe("spec.containers[1].ports[1]");
  expect(find(tree, "p.containerPort")).toMatchObject({ value: 22, path: "spec.containers[1].ports[1].containerPort" });
});

test("errors, match conditions and messages are explained too", async () => {
  const { expressions } = await explained(
    {
      matchConditions: [{ name: "named", expression: "request.name == 'p'" }],
      validations: [{ expression: "object.spec.missing == 1", messageExpression: "'no ' + object.metadata.name" }],
    },
    CONTAINERS,
  );
  expect(expressions.map(({ kind, name, value, error }) => [kind, name, value, error])).toEqual([
    ["matchCondition", "named", true, undefined],
    [
      "validation",
      undefined,
      undefined,
      "expression 'object.spec.missing == 1' resulted in error: no such key: missing",
    ],
    ["messageExpression", undefined, "no p", undefined],
  ]);
});

test("an asynchronous authorizer is not traced twice", async () => {
  const variables = [{ name: "v", expression: "authorizer.path('/x').check('get').allowed()" }];
  const validations = [{ expression: "variables.v" }, { expression: "authorizer.path('/y').check('get').allowed()" }];
  const set = createPolicySet(
    ["a", "b"].flatMap((name) => [policyOf(name, { variables, validations }), bindingOf(name, name)]),
  );
  const authorizer = { authorize: () => Promise.resolve({ decision: "allow" as const }) };
  const { expressions } = await explain(podRequest(), set.entries(), { authorizer });
  expect(expressions.map(({ policy, index, value, variables: read }) => [policy, index, value, read.length])).toEqual([
    ["a", 0, true, 1],
    ["a", 1, true, 0],
    ["b", 0, true, 1],
    ["b", 1, true, 0],
  ]);
});

test("an observer receives the owner of each expression", async () => {
  const set = createPolicySet([
    {
      ...policyOf("p", {
        variables: [
          { name: "unread", expression: "1" },
          { name: "v", expression: "object.metadata.name" },
        ],
        matchConditions: [{ name: "m", expression: "variables.v != ''" }],
        validations: [{ expression: "variables.v == 'p'", messageExpression: "'not ' + variables.v" }],
        auditAnnotations: [{ key: "k", valueExpression: "'is ' + variables.v" }],
      }),
      metadata: { name: "p", uid: "u-1" },
    },
    bindingOf("b", "p"),
  ]);
  const told: unknown[] = [];
  const observer: EvaluationObserver = {
    begin: () => {},
    restart: () => {},
    discard: () => {},
    recorder: () => undefined,
    result: ({ owner, kind, index, readBy }, { text }, value) =>
      told.push([owner.uid, kind, index, readBy, text, value]),
  };
  await admit(podRequest(), set, {}, { observer });
  const variable = (readBy: string) => ["u-1", "variable", 1, readBy, "object.metadata.name", "p"];
  expect(told).toEqual([
    variable("matchCondition"),
    ["u-1", "matchCondition", 0, undefined, "variables.v != ''", true],
    variable("validation"),
    ["u-1", "validation", 0, undefined, "variables.v == 'p'", true],
    variable("messageExpression"),
    ["u-1", "messageExpression", 0, undefined, "'not ' + variables.v", "not p"],
    variable("auditAnnotation"),
    ["u-1", "auditAnnotation", 0, undefined, "'is ' + variables.v", "is p"],
  ]);
});

test("webhooks are distinguished by configuration and position", async () => {
  const matchConditions = [{ name: "m", expression: "request.name == 'p'" }];
  const webhook = { name: "w.example.com", rules: [EVERYTHING], matchConditions, sideEffects: "None" as const };
  const { validating } = WebhookSet.of([
    {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingWebhookConfiguration",
      metadata: { name: "c" },
      webhooks: [webhook, webhook].map((item) => ({ ...item, clientConfig: {}, admissionReviewVersions: ["v1"] })),
    },
  ]);
  const observer = new ExplainingObserver();
  await selectWebhooks(podRequest(), validating, {}, { observer });
  expect(observer.finished.map(({ owner, name, value }) => [owner, name, value])).toEqual(
    [0, 1].map((index) => [
      { kind: "ValidatingWebhookConfiguration", name: "c", webhook: { name: "w.example.com", index } },
      "m",
      true,
    ]),
  );
});

test("showing variables evaluates none", async () => {
  const { expressions } = await explained(
    {
      variables: [
        { name: "a", expression: "'seen'" },
        { name: "b", expression: "'unseen'" },
      ],
      validations: [{ expression: "variables.a == ''" }],
    },
    CONTAINERS,
  );
  expect(expressions.map(({ variables }) => variables.map(({ name }) => name))).toEqual([["a"]]);
  expect(JSON.stringify(expressions[0]!.tree)).not.toContain("unseen");
});
