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

  test("differ: what was expected by whom, what came, and why", async () => {
    expect(
      await run(`
- { policy: labels, rule: team, kind: Pod, resources: [bad], result: pass }
- { policy: replicas, kind: Pod, resources: [good], result: pass }`),
    ).toEqual([
      "fail labels/team/Pod/bad",
      "  verdict: allow (kyverno: pass) ≠ deny (say whose it is)",
      "fail replicas/Pod/good",
      "  verdict: allow (kyverno: pass) ≠ unmatched (policy 'replicas': no resource rule matches: resourceRules[0].apiGroups | " +
        "kyverno passes a resource that no rule is about, whatever is expected of it)",
    ]);
  });

  test.each([
    ["rule: pattern", "it validates by pattern, not by CEL"],
    ["rule: other", 'no policy "labels/other" is there'],
    ["rule: team, isMutatingPolicy: true", "mutations are not imported"],
  ])("%s: not run, and said why", async (more, reason) => {
    const [line] = await run(`- { policy: labels, ${more}, kind: Pod, resources: [bad], result: fail }`);
    expect(line).toMatch(new RegExp(`^skip labels/.*/Pod/bad: ${reason}$`));
  });

  test("a resource that is not there", async () => {
    const lines = await run("- { policy: labels, rule: team, kind: Pod, resources: [nope], result: fail }");
    expect(lines).toEqual(["skip labels/team: none of the resources is Pod nope"]);
  });
});

describe("what requests are made under", () => {
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
