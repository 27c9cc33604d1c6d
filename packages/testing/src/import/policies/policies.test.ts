// The results of converting Kyverno's policies: match and exclude, expressions, actions; and the parts that are not converted.

import type { KubeObject } from "@celadon/kube";
import { SimulatedCluster } from "@celadon/simulator";
import { describe, expect, test } from "vitest";
import { documents } from "../import.testing.ts";
import type { PolicyConversion } from "./converted.ts";
import { convertPolicy } from "./index.ts";
import { parseKindSelector } from "./kyverno-kinds.ts";

const objectOf = (text: string): KubeObject => documents(text, "p.yaml")[0]!.value as KubeObject;
const rule = (match: string, more = ""): PolicyConversion =>
  convertPolicy(
    objectOf(`apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: { name: p, annotations: { pod-policies.kyverno.io/autogen-controllers: none } }
spec:
  validationFailureAction: Enforce
  rules:
  - name: r
    match: { ${match} }
    ${more}
    validate: { cel: { expressions: [{ expression: "false", message: denied }] } }`),
  )!;

describe("kinds", () => {
  test.each([
    ["Pod", ["*", "*", "Pod", ""]],
    ["v1/Pod", ["*", "v1", "Pod", ""]],
    ["apps/v1/Deployment", ["apps", "v1", "Deployment", ""]],
    ["Pod/exec", ["*", "*", "Pod", "exec"]],
    ["Pod.status", ["*", "*", "Pod", "status"]],
    ["apps/v1/Deployment/scale", ["apps", "v1", "Deployment", "scale"]],
    ["*/*", ["*", "*", "*", "*"]],
    ["*", ["*", "*", "*", ""]],
    ["", undefined],
    ["a/b/c/d/e", undefined],
  ])("%s", (text, want) => {
    const found = parseKindSelector(text);
    expect(found && [found.group, found.version, found.kind, found.subresource]).toEqual(want);
  });
});

describe("match and exclude", () => {
  const POD = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "web-1", namespace: "shop", labels: { app: "web", tier: "a" }, annotations: { "a/b": "c" } },
    spec: { containers: [{ name: "a", image: "a" }] },
  };
  const DEPLOYMENT = {
    ...POD,
    apiVersion: "apps/v1",
    kind: "Deployment",
    spec: { selector: { matchLabels: { a: "b" } }, template: { metadata: { labels: { a: "b" } }, spec: POD.spec } },
  };
  const simulated = (conversion: PolicyConversion): SimulatedCluster =>
    SimulatedCluster.of([
      ...conversion.policies
        .flatMap(({ policy, bindings }) => [policy, ...bindings])
        .map((object) => ({ object: object as unknown as KubeObject })),
      { object: { apiVersion: "v1", kind: "Namespace", metadata: { name: "shop", labels: { env: "prod" } } } },
    ]);
  const denied = async (
    conversion: PolicyConversion,
    object: KubeObject = POD,
    more: object = {},
  ): Promise<boolean> => {
    expect(conversion.problems).toEqual([]);
    const user = { username: "system:serviceaccount:ci:bot", groups: ["builders"] };
    return !(await simulated(conversion).review({ object, user, ...more })).allowed;
  };

  const pods = (more: string): string => `any: [{ resources: { kinds: [Pod], ${more} } }]`;
  test.each([
    [pods(""), true],
    ["resources: { kinds: [Pod] }", true],
    [pods("names: [web-*]"), true],
    [pods("name: 'web-?'"), true],
    [pods("names: [api-*]"), false],
    [pods("namespaces: [sh*, other]"), true],
    [pods("namespaces: [other]"), false],
    [pods("annotations: { a/*: '*' }"), true],
    [pods("annotations: { a/b: d }"), false],
    [pods("selector: { matchLabels: { app: web } }"), true],
    [pods("selector: { matchLabels: { app: w* } }"), true],
    [pods("selector: { matchLabels: { app: x* } }"), false],
    [pods("selector: { matchExpressions: [{ key: tier, operator: In, values: [b] }] }"), false],
    [pods("namespaceSelector: { matchLabels: { env: prod } }"), true],
    [pods("namespaceSelector: { matchLabels: { env: dev } }"), false],
    [pods("operations: [UPDATE]"), false],
    ["any: [{ resources: { kinds: [Pod] }, subjects: [{ kind: ServiceAccount, namespace: ci, name: bot }] }]", true],
    ["any: [{ resources: { kinds: [Pod] }, subjects: [{ kind: Group, name: build* }] }]", true],
    ["any: [{ resources: { kinds: [Pod] }, subjects: [{ kind: User, name: ann }] }]", false],
    ["any: [{ resources: { kinds: [Service] } }, { resources: { kinds: [Pod], names: [web-1] } }]", true],
    [
      "any: [{ resources: { kinds: [Service], names: [web-1] } }, { resources: { kinds: [Pod], names: [other] } }]",
      false,
    ],
    ["all: [{ resources: { kinds: [Pod] } }, { resources: { kinds: [Pod], namespaces: [shop] } }]", true],
    ["all: [{ resources: { kinds: [Pod] } }, { resources: { kinds: [Pod], namespaces: [other] } }]", false],
    ["any: [{ resources: { kinds: ['P*'] } }]", true],
    ["any: [{ resources: { kinds: ['Q*'] } }]", false],
    ["any: [{ resources: { kinds: ['*'] } }]", true],
  ])("match %s: %s", async (match, want) => {
    expect(await denied(rule(match))).toBe(want);
  });

  const exclude = (text: string): PolicyConversion =>
    rule("any: [{ resources: { kinds: [Pod, Deployment] } }]", `exclude: { ${text} }`);
  test.each([
    ["any: [{ resources: { kinds: [Pod] } }]", false, true],
    ["any: [{ resources: { namespaces: [shop] } }]", false, false],
    ["any: [{ resources: { kinds: [Deployment], names: [web-*] } }]", true, false],
    ["all: [{ resources: { kinds: [Pod] } }, { resources: { names: [other] } }]", true, true],
    ["any: [{ subjects: [{ kind: Group, name: builders }] }]", false, false],
    ["resources: { selector: { matchLabels: { app: web } } }", false, false],
    [
      "any: [{ resources: { namespaceSelector: { matchExpressions: [{ key: env, operator: DoesNotExist }] } } }]",
      true,
      true,
    ],
  ])("exclude %s: pod %s, deployment %s", async (text, pod, deployment) => {
    const made = exclude(text);
    expect([await denied(made), await denied(made, DEPLOYMENT)]).toEqual([pod, deployment]);
  });

  test("objects that are deleted", async () => {
    const made = rule(pods("operations: [DELETE], names: [web-*], selector: { matchLabels: { app: w* } }"));
    expect([await denied(made), await denied(made, POD, { operation: "DELETE" })]).toEqual([false, true]);
  });
});

describe("unconverted parts", () => {
  test.each([
    [
      "any: [{ resources: { kinds: [Pod], namespaceSelector: { matchLabels: { a: b } } } }, { resources: { kinds: [Service] } }]",
      "",
      "not_expressible",
      /namespace labels/,
    ],
    [
      "any: [{ resources: { kinds: [Pod] } }]",
      "exclude: { any: [{ resources: { kinds: [Pod], namespaceSelector: { matchLabels: { a: b } } } }] }",
      "not_expressible",
      /namespace labels/,
    ],
    [
      "any: [{ resources: { kinds: [Pod] }, clusterRoles: [admin] }]",
      "",
      "not_expressible",
      /clusterRoles need RBAC lookups/,
    ],
    ["any: [{ resources: { names: [a] } }]", "", "not_expressible", /no kinds/],
    ["any: []", "", "not_expressible", /matches nothing/],
    [
      "any: [{ resources: { kinds: [Pod] } }]",
      "preconditions: { all: [{ key: a, operator: Equals, value: b }] }",
      "not_cel",
      /preconditions is not CEL/,
    ],
    ["any: [{ resources: { kinds: [Pod] } }]", "mutate: { patchStrategicMerge: { a: b } }", "not_cel", /mutates/],
  ])("%s %s", (match, more, code, message) => {
    const { policies, problems } = rule(match, more);
    expect(policies).toEqual([]);
    expect(problems[0]).toMatchObject({ code, source: { kind: "ClusterPolicy", name: "p", rule: "r" } });
    expect(problems[0]!.message).toMatch(message);
  });

  test.each([
    ["resource.Get('v1', 'configmaps', 'a', 'b') != null", /^the API server's CEL has no "resource", "Get"$/],
    ["object.spec.containers.all(c, image(c.image).registry() == 'a')", /has no "image"/],
    ["globalContext.Get('a', 'b') == 1", /has no "globalContext"/],
    ["'{{ request.name }}' == 'a'", /\{\{ … \}\} is substituted/],
    ["1 +", /rejects it/],
  ])("%s", (expression, message) => {
    const policy = {
      apiVersion: "policies.kyverno.io/v1",
      kind: "ValidatingPolicy",
      metadata: { name: "p" },
      spec: {
        matchConstraints: {
          resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["services"] }],
        },
        validations: [{ expression, message: "no" }],
      },
    };
    const { policies, problems } = convertPolicy(policy as KubeObject)!;
    expect(policies).toEqual([]);
    expect(problems[0]!.message).toMatch(message);
  });
});

describe("ValidatingPolicy", () => {
  const made = (spec: string, kind = "ValidatingPolicy", metadata = "name: p"): PolicyConversion =>
    convertPolicy(
      objectOf(`apiVersion: policies.kyverno.io/v1alpha1
kind: ${kind}
metadata: { ${metadata} }
spec:
  matchConstraints: { resourceRules: [{ apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods] }] }
  validations: [{ expression: "object.spec.containers.size() < 3", message: few }]
  ${spec}`),
    )!;

  test.each([
    ["", ["Deny"], ["p", "autogen-workloads-p", "autogen-cronjobs-p"]],
    ["validationActions: [Warn, Deny]", ["Deny"], ["p", "autogen-workloads-p", "autogen-cronjobs-p"]],
    ["validationActions: [Audit, Warn]\n  autogen: { podControllers: { controllers: [] } }", ["Audit", "Warn"], ["p"]],
    ["autogen: { podControllers: { controllers: [cronjobs] } }", ["Deny"], ["p", "autogen-cronjobs-p"]],
  ])("%j", (spec, actions, names) => {
    const { policies, problems } = made(spec);
    expect(problems).toEqual([]);
    expect(policies.map(({ policy }) => policy.metadata.name)).toEqual(names);
    expect(policies[0]!.bindings[0]!.spec.validationActions).toEqual(actions);
  });

  test("of a namespace", () => {
    const { policies } = made("", "NamespacedValidatingPolicy", "name: p, namespace: shop");
    expect(policies[0]!.policy.spec.matchConstraints).toEqual({
      namespaceSelector: {
        matchExpressions: [{ key: "kubernetes.io/metadata.name", operator: "In", values: ["shop"] }],
      },
      resourceRules: [
        { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods"], scope: "Namespaced" },
      ],
    });
  });

  test("about other documents than requests", () => {
    expect(made("evaluation: { mode: JSON }").problems[0]!.message).toBe("it validates JSON documents, not requests");
  });
});

test("messages, audit annotations and conditions come along", () => {
  const { policies, problems } = convertPolicy(
    objectOf(`apiVersion: kyverno.io/v1
kind: Policy
metadata: { name: p, namespace: shop }
spec:
  failurePolicy: Ignore
  rules:
  - name: Mine
    match: { any: [{ resources: { kinds: [ConfigMap] } }] }
    celPreconditions: [{ name: "only mine!", expression: "object.metadata.name == 'mine'" }]
    validate:
      message: "two\\nlines"
      cel:
        variables: [{ name: count, expression: "size(object.data)" }]
        expressions:
        - { expression: variables.count < 3 }
        - { expression: variables.count > 0, messageExpression: "'none'" }
        auditAnnotations: [{ key: count, valueExpression: "string(variables.count)" }]`),
  )!;
  expect(problems).toEqual([]);
  expect(policies[0]!.policy).toMatchObject({
    metadata: { name: "shop-p-mine" },
    spec: {
      failurePolicy: "Ignore",
      matchConditions: [{ name: "only-mine", expression: "object.metadata.name == 'mine'" }],
      variables: [{ name: "count", expression: "size(object.data)" }],
      validations: [
        { expression: "variables.count < 3", message: "two lines" },
        { expression: "variables.count > 0", messageExpression: "'none'" },
      ],
      auditAnnotations: [{ key: "count", valueExpression: "string(variables.count)" }],
    },
  });
  expect(policies[0]!.bindings[0]!.spec.validationActions).toEqual(["Audit", "Warn"]);
  expect(policies[0]!.notes.join()).toMatch(/line breaks are removed/);
});
