// Suites of `kyverno test`, run as they are.

import { describe, expect, test } from "vitest";
import { importText, runFiles } from "../import.testing.ts";

const TEAM_LABEL = `
apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: { name: labels }
spec:
  validationFailureAction: Enforce
  rules:
  - name: team
    match: { any: [{ resources: { kinds: [Pod] } }] }
    celPreconditions: [{ name: not kept, expression: "object.metadata.name != 'kept'" }]
    validate:
      message: say whose it is
      cel:
        expressions:
        - expression: "'team' in object.metadata.?labels.orValue({})"
  - name: pattern
    match: { any: [{ resources: { kinds: [Pod] } }] }
    validate: { message: no, pattern: { metadata: { labels: { team: "?*" } } } }
`;
const REPLICAS = `
apiVersion: policies.kyverno.io/v1alpha1
kind: ValidatingPolicy
metadata: { name: replicas }
spec:
  validationActions: [Audit]
  matchConstraints:
    resourceRules: [{ apiGroups: [apps], apiVersions: [v1], resources: [deployments], operations: [CREATE, UPDATE] }]
  validations:
  - { expression: "request.operation == 'UPDATE' || object.spec.replicas <= 3", message: at most 3 }
`;
const pod = (name: string, more = ""): string =>
  `{ apiVersion: v1, kind: Pod, metadata: { name: ${name}${more} }, spec: { containers: [{ name: a, image: a }] } }`;
const PODS = [pod("good", ", labels: { team: a }"), pod("bad"), pod("kept")].join("\n---\n");
const WEB = `{ apiVersion: apps/v1, kind: Deployment, metadata: { name: web, namespace: shop }, spec: { replicas: 9, selector: { matchLabels: { a: b } },
  template: { metadata: { labels: { a: b } }, spec: { containers: [{ name: a, image: a }] } } } }`;

const suite = (results: string, more = ""): string => `
apiVersion: cli.kyverno.io/v1alpha1
kind: Test
metadata: { name: mine }
policies: [../policy.yaml, ../replicas.yaml]
resources: [pods.yaml, web.yaml]
${more}
results:
${results}`;
const run = (results: string, more = "", files: Readonly<Record<string, string>> = {}): Promise<string[]> =>
  runFiles({
    "p/.kyverno-test/kyverno-test.yaml": suite(results, more),
    "p/policy.yaml": TEAM_LABEL,
    "p/replicas.yaml": REPLICAS,
    "p/.kyverno-test/pods.yaml": PODS,
    "p/.kyverno-test/web.yaml": WEB,
    ...files,
  });

describe("results", () => {
  test("agree: pass, fail by what the binding does, skip", async () => {
    const results = `
- { policy: labels, rule: team, kind: Pod, resources: [good], result: pass }
- { policy: labels, rule: team, kind: Pod, resources: [default/bad], result: fail }
- { policy: labels, rule: team, kind: Pod, resources: [kept], result: skip }
- { policy: replicas, isValidatingPolicy: true, kind: Deployment, resources: [web], result: fail }
- { policy: replicas, isValidatingPolicy: true, kind: Deployment, resources: [shop/web], operation: UPDATE, result: pass }`;
    expect(await run(results)).toEqual([
      "pass labels/team/Pod/good",
      "pass labels/team/Pod/bad",
      "pass labels/team/Pod/kept",
      "pass replicas/Deployment/shop/web",
      "pass replicas/Deployment/shop/web #2",
    ]);
  });

  test("rules for pods are derived for workloads", async () => {
    expect(
      await run("- { policy: labels, rule: autogen-team, kind: Deployment, resources: [web], result: fail }"),
    ).toEqual(["pass labels/autogen-team/Deployment/shop/web"]);
  });

  test("a difference shows expectation, result and reason", async () => {
    expect(
      await run(`
- { policy: labels, rule: team, kind: Pod, resources: [bad], result: pass }
- { policy: replicas, kind: Pod, resources: [good], result: pass }`),
    ).toEqual([
      "fail labels/team/Pod/bad",
      "  verdict: allow (kyverno: pass) ≠ deny (say whose it is)",
      "fail replicas/Pod/good",
      "  verdict: allow (kyverno: pass) ≠ unmatched (policy 'replicas': no resource rule matches: resourceRules[0].apiGroups | " +
        "kyverno passes a resource that no rule matches, whatever is expected)",
    ]);
  });

  test.each([
    ["rule: pattern", "it validates with pattern, not with CEL"],
    ["rule: other", 'no policy "labels/other"'],
  ])("%s: not run, and said why", async (more, reason) => {
    const [line] = await run(`- { policy: labels, ${more}, kind: Pod, resources: [bad], result: fail }`);
    expect(line).toMatch(new RegExp(`^skip labels/.*/Pod/bad: ${reason}$`));
  });

  test("a resource that is not there", async () => {
    const lines = await run("- { policy: labels, rule: team, kind: Pod, resources: [nope], result: fail }");
    expect(lines).toEqual(["skip labels/team: no resource is Pod nope"]);
  });
});

describe("situation of a request", () => {
  const POLICY = `
apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: { name: who }
spec:
  rules:
  - name: who
    match: { any: [{ resources: { kinds: [Pod], namespaceSelector: { matchLabels: { env: prod } } }, subjects: [{ kind: User, name: "ann*" }] }] }
    validate:
      failureAction: Enforce
      cel:
        paramKind: { apiVersion: v1, kind: ConfigMap }
        paramRef: { name: limits, namespace: default }
        expressions: [{ expression: "params.data.open == 'true'", message: closed }]
`;
  const files = {
    "p/policy.yaml": POLICY,
    "p/.kyverno-test/user.yaml": "apiVersion: cli.kyverno.io/v1alpha1\nkind: UserInfo\nuserInfo: { username: anna }",
    "p/.kyverno-test/values.yaml":
      "apiVersion: cli.kyverno.io/v1alpha1\nkind: Values\nnamespaceSelector: [{ name: default, labels: { env: prod } }]",
    "p/.kyverno-test/params.yaml":
      'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: limits, namespace: default }\ndata: { open: "false" }',
  };
  const PARAMS = "paramResources: [params.yaml]";
  test.each([
    [`${PARAMS}\nuserinfo: user.yaml\nvariables: values.yaml`, "fail"],
    [`${PARAMS}\nuserinfo: user.yaml`, "skip"],
    [`${PARAMS}\nvariables: values.yaml`, "skip"],
    [
      `${PARAMS}\nuserinfo: user.yaml\nvalues: { namespaces: [{ metadata: { name: default, labels: { env: prod } } }] }`,
      "fail",
    ],
  ])("%j: %s", async (more, result) => {
    const lines = await run(
      `- { policy: who, rule: who, kind: Pod, resources: [good], result: ${result} }`,
      more,
      files,
    );
    expect(lines).toEqual(["pass who/who/Pod/good"]);
  });
});

test("positions are those of the results", async () => {
  const imported = await importText({
    "kyverno-test.yaml": suite("- { policy: labels, rule: team, kind: Pod, resources: [bad], result: fail }"),
    "../policy.yaml": TEAM_LABEL,
    "../replicas.yaml": REPLICAS,
    "pods.yaml": PODS,
    "web.yaml": WEB,
  });
  expect(imported.suite.cases[0]!.place).toMatchObject({ file: "kyverno-test.yaml", line: 9, column: 3 });
  expect(imported.problems.map(({ code, file, place }) => [code, file, place?.line])).toEqual([
    ["not_cel", "../policy.yaml", 18],
  ]);
});

describe("mutating policies", () => {
  const mutating = (name: string, patch: string, more = ""): string => `
apiVersion: policies.kyverno.io/v1alpha1
kind: MutatingPolicy
metadata: { name: ${name} }
spec:
  matchConstraints:
    resourceRules: [{ apiGroups: [""], apiVersions: [v1], resources: [pods], operations: [CREATE] }]
  matchConditions: [{ name: not-kept, expression: "object.metadata.name != 'kept'" }]
  ${more}
  mutations: [${patch}]
`;
  const team = `{ patchType: ApplyConfiguration, applyConfiguration: { expression: 'Object{metadata: Object.metadata{labels: {"team": "a"}}}' } }`;
  const note = `{ patchType: JSONPatch, jsonPatch: { expression: '[JSONPatch{op: "add", path: "/metadata/annotations/x", value: "1"}]' } }`;
  const foreign = `{ patchType: ApplyConfiguration, applyConfiguration: { expression: 'Object{metadata: Object.metadata{labels: {"a": image("a").registry()}}}' } }`;

  test("run as they are, where an API server knows their expressions", async () => {
    const results = `
- { policy: team, isMutatingPolicy: true, kind: Pod, resources: [bad], patchedResources: patched.yaml, result: pass }
- { policy: team, isMutatingPolicy: true, kind: Pod, resources: [good], patchedResources: patched.yaml, result: pass }
- { policy: team, isMUtatingPolicy: true, kind: Pod, resources: [kept], result: skip }
- { policy: team, kind: Pod, resources: [bad], patchedResources: patched.yaml, result: fail }
- { policy: team, kind: Deployment, resources: [web], result: pass }
- { policy: note, kind: Pod, resources: [bad], result: pass }
- { policy: foreign, kind: Pod, resources: [bad], result: pass }
- { policy: others, kind: Pod, resources: [bad], result: pass }`;
    const files = {
      "p/.kyverno-test/patched.yaml": pod("bad", ", labels: { team: a }"),
      "p/mutating.yaml": [
        mutating("team", team),
        mutating("note", note),
        mutating("foreign", foreign),
        mutating("others", team, "targetMatchConstraints: { resourceRules: [{ apiGroups: [apps] }] }"),
      ].join("\n---\n"),
    };
    const text = suite(results).replace("../replicas.yaml]", "../replicas.yaml, ../mutating.yaml]");
    const lines = await runFiles({
      "p/.kyverno-test/kyverno-test.yaml": text,
      "p/policy.yaml": TEAM_LABEL,
      "p/replicas.yaml": REPLICAS,
      "p/.kyverno-test/pods.yaml": PODS,
      "p/.kyverno-test/web.yaml": WEB,
      ...files,
    });
    expect(lines).toEqual([
      "pass team/Pod/bad",
      "pass team/Pod/good",
      "pass team/Pod/kept",
      "fail note/Pod/bad",
      '  verdict: allow (kyverno: pass) ≠ error (JSON Patch: add operation does not apply: doc is missing path: "/metadata/annotations/x": missing value | kyverno creates missing parents of a patched field, where an API server rejects the patch)',
      "skip team/Pod/bad #2: the result fails after the expected patch",
      "skip team/Deployment/web: Kyverno derives a policy for Deployment from the one for pods",
      `skip foreign/Pod/bad: the API server's CEL has no "image", "registry"`,
      "skip others/Pod/bad: it changes objects other than the request's",
    ]);
  });

  const annotated = (name: string, group: string, resource: string): string => `
apiVersion: policies.kyverno.io/v1beta1
kind: MutatingPolicy
metadata: { name: ${name} }
spec:
  matchConstraints:
    resourceRules: [{ apiGroups: ["${group}"], apiVersions: [v1], resources: [${resource}], operations: [CREATE] }]
  mutations: [{ patchType: ApplyConfiguration, applyConfiguration: { expression: 'Object{metadata: Object.metadata{annotations: {"a": "1"}}}' } }]
`;
  const FILES = {
    "p/policies.yaml": [annotated("zones", "", "pods/binding"), annotated("widgets", "example.com", "widgets")].join(
      "---",
    ),
    "p/objects.yaml": `
apiVersion: v1
kind: Binding
metadata: { name: b, namespace: default }
target: { apiVersion: v1, kind: Node, name: node-1 }
---
apiVersion: example.com/v1
kind: Widget
metadata: { name: w, namespace: shop }
`,
    "p/patched.yaml":
      "{ apiVersion: v1, kind: Binding, metadata: { name: b, namespace: default, annotations: { a: '1' } } }",
    "p/cluster.yaml": `
apiVersion: cli.kyverno.io/v1alpha1
kind: ClusterResource
spec:
  crds: [crd.yaml]
  resources: [{ apiVersion: v1, kind: Namespace, metadata: { name: shop } }]
`,
    "p/crd.yaml": `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: widgets.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { kind: Widget, plural: widgets }
  versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } } }]
`,
    "p/values.yaml": `
apiVersion: cli.kyverno.io/v1alpha1
kind: Values
subresources: [{ parentResource: { kind: Pod, name: pods }, subresource: { kind: Binding, name: pods/binding } }]
`,
  };

  test("for subresources and kinds of the suite's own definitions; what misses a file is not run", async () => {
    const lines = await runFiles({
      "p/kyverno-test.yaml": `
apiVersion: cli.kyverno.io/v1alpha1
kind: Test
metadata: { name: more }
policies: [policies.yaml]
resources: [objects.yaml]
clusterResources: [cluster.yaml]
variables: values.yaml
results:
- { policy: zones, kind: Binding, resources: [b], patchedResources: patched.yaml, result: pass }
- { policy: widgets, kind: Widget, resources: [w], result: pass }
- { policy: zones, kind: Binding, resources: [b], patchedResources: gone.yaml, result: pass }
`,
      ...FILES,
    });
    expect(lines).toEqual([
      "pass zones/Binding/b",
      "pass widgets/Widget/w",
      expect.stringMatching(/^skip zones\/Binding\/b #2: .*gone\.yaml/),
    ]);
  });
});
