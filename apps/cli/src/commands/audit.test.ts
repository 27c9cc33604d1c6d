// Audits of a live API server, in this process.

import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { startServer, type TestServer } from "@celadon/apiserver/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runLine } from "../io.testing.ts";
// Loaded before the clock of a test runs.
import "./audit.ts";

const reportDefinition = (kind: string, group: string, version: string) => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `${kind.toLowerCase()}s.${group}` },
  spec: {
    group,
    scope: kind.startsWith("Cluster") ? "Cluster" : "Namespaced",
    names: { plural: `${kind.toLowerCase()}s`, kind },
    versions: [
      {
        name: version,
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
  },
});
const REPORT_DEFINITIONS = ["PolicyReport", "ClusterPolicyReport"].map((kind) =>
  reportDefinition(kind, "wgpolicyk8s.io", "v1alpha2"),
);

const CONFIG_MAPS = Array.from(
  { length: 30 },
  (_, i) => `
apiVersion: v1
kind: ConfigMap
metadata: { name: c${i}, namespace: ${i % 3 === 0 ? "shop" : "default"} }
data: { count: "${i}" }
`,
);

const policy = (name: string, expression: string, actions: string, spec = ""): string => `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: ${name} }
spec:
  ${spec}
  matchConstraints:
    resourceRules: [{ apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps] }]
  validations: [{ expression: "${expression}", message: "${name} says no" }]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: ${name} }
spec: { policyName: ${name}, validationActions: [${actions}]${spec === "" ? "" : ", paramRef: { name: limit, namespace: default, parameterNotFoundAction: Deny }"} }
`;

let server: TestServer;
let kubeconfig: string;
beforeAll(async () => {
  server = await startServer({
    tokens: { reader: { username: "reader" }, nobody: { username: "nobody" } },
    manifests: [
      ...REPORT_DEFINITIONS,
      "{ apiVersion: v1, kind: Namespace, metadata: { name: shop } }",
      ...CONFIG_MAPS,
      "{ apiVersion: v1, kind: ConfigMap, metadata: { name: limit }, data: { most: '5' } }",
      `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: reader }
rules:
  - { apiGroups: [admissionregistration.k8s.io], resources: ["*"], verbs: [list] }
  - { apiGroups: [""], resources: [namespaces], verbs: [list] }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: reader }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: reader }
subjects: [{ apiGroup: rbac.authorization.k8s.io, kind: User, name: reader }]
`,
    ],
  });
  // Written after the objects they would have denied.
  await server.apply([
    policy(
      "few",
      "!('count' in object.data) || int(object.data.count) < int(params.data.most)",
      "Deny",
      "paramKind: { apiVersion: v1, kind: ConfigMap }",
    ),
    policy("shop", "object.metadata.namespace != 'shop' || object.metadata.name.startsWith('kube')", "Warn"),
  ]);
  kubeconfig = server.kubeconfigFile;
});
afterAll(() => server.close());

test("the cluster's own policies, in pages, in every format", async () => {
  const line = ["audit", "--kubeconfig", kubeconfig, "--page-size", "7"];
  const { code, stdout, stderr } = await runLine([...line, "-o", "json"]);
  expect([code, stderr]).toEqual([1, ""]);
  const { summary, objects, unread, policies } = JSON.parse(stdout);
  expect({ summary, unread }).toMatchObject({
    summary: { denied: 25, warned: 2, leftOut: 0, policies: 2 },
    unread: [],
  });
  expect(objects).toHaveLength(27);
  expect(objects[0].problems[0].message).toMatch(/says no/);
  expect(policies).toContainEqual(expect.objectContaining({ policy: "shop", denied: 10 }));

  const text = await runLine([...line, "--most", "3", "-n", "shop"]);
  expect(text.stdout).toMatch(
    /7 more objects have problems; see --most\n\n11 objects of 1 resource, 8 would be denied, 2 with warnings\n$/,
  );
  for (const format of ["junit", "sarif", "policyreport", "github", "table"]) {
    const shown = await runLine([...line, "-o", format]);
    expect([shown.code, shown.stdout.includes("few says no")], format).toEqual([1, true]);
  }
});

test("a page has charts of what would be denied, by policy and namespace, and of costs", async () => {
  const line = ["audit", "--kubeconfig", kubeconfig, "-o"];
  const [{ code, stdout: page }, { stdout: json }] = [
    await runLine([...line, "html"]),
    await runLine([...line, "json"]),
  ];
  expect(code).toBe(1);
  const charts = Object.fromEntries(
    page
      .split('<section class="chart"><h2>')
      .slice(1)
      .map((section) => [
        section.slice(0, section.indexOf("<")),
        [...section.matchAll(/<th scope="row">(.*?)<\/tr>/gs)].map(([, row]) =>
          row!
            .replaceAll(/<[^>]*>/g, " ")
            .replaceAll(/\s+/g, " ")
            .trim(),
        ),
      ]),
  );
  const { "Cost by policy, in units of CEL evaluation": costs, ...denials } = charts;
  expect(denials).toEqual({
    "Denials by policy": ["few 25 denied 0 with warnings", "shop 0 denied 10 with warnings"],
    "Denials by namespace": ["default 17 denied 0 with warnings", "shop 8 denied 2 with warnings"],
  });
  const { policies } = JSON.parse(json) as { policies: { policy: string; cost: { total: number; most: number } }[] };
  expect(costs).toHaveLength(2);
  for (const { policy: name, cost } of policies)
    expect(costs).toContainEqual(expect.stringMatching(new RegExp(`^${name} ${cost.total} units .* ${cost.most} `)));
});

test("policies of files instead, and what may not be read", async () => {
  const files = { "p.yaml": policy("names", "object.metadata.name != 'c1'", "Deny").split("---")[0]! };
  const setting = { files };
  const unbound = await runLine(["audit", "--kubeconfig", kubeconfig, "-f", "p.yaml"], setting);
  expect(unbound.stderr).toContain("policy names has no binding, so it is not enforced");
  const found = await runLine(
    ["audit", "--kubeconfig", kubeconfig, "-f", "p.yaml", "--bind-all", "-o", "json"],
    setting,
  );
  expect(JSON.parse(found.stdout).objects.map((object: { object: { name: string } }) => object.object.name)).toEqual([
    "c1",
  ]);

  const misspelt = { "p.yaml": policy("names", "true", "Deny").replace("[configmaps]", "[configmap]") };
  const wrong = await runLine(["audit", "--kubeconfig", kubeconfig, "-f", "p.yaml"], { files: misspelt });
  expect(wrong.code).toBe(1);
  expect(wrong.stderr).toContain('policy names is never enforced: resource "configmap" does not exist');

  // Somebody who may list policies and namespaces, and nothing else.
  const reader = join(dirname(kubeconfig), "reader");
  const user = { name: "r", user: { token: "reader" } };
  const cluster = { server: server.url, "certificate-authority-data": btoa(server.caCertificate) };
  const context = { name: "c", context: { cluster: "c", user: "r" } };
  const clusters = [{ name: "c", cluster }];
  writeFileSync(reader, JSON.stringify({ clusters, contexts: [context], users: [user], "current-context": "c" }));
  const little = await runLine(["audit", "--kubeconfig", reader]);
  expect(little.code).toBe(0);
  expect(little.stdout).toContain("! no permission to read configmaps\n");
  expect(little.stdout).toMatch(/0 objects of 1 resource, 0 would be denied, \d resources not read/);
  expect([little.stdout, little.stderr]).toEqual([
    expect.stringContaining("! no permission to read clusterroles.rbac.authorization.k8s.io\n"),
    "",
  ]);

  // An audit without its policies proves nothing, and must not look like success.
  const nobody = join(dirname(kubeconfig), "nobody");
  writeFileSync(
    nobody,
    JSON.stringify({
      clusters,
      contexts: [context],
      users: [{ name: "r", user: { token: "nobody" } }],
      "current-context": "c",
    }),
  );
  const nothing = await runLine(["audit", "--kubeconfig", nobody]);
  expect([nothing.code, nothing.stdout]).toEqual([
    1,
    expect.stringContaining("! no permission to read validatingadmissionpolicies.admissionregistration.k8s.io\n"),
  ]);
});

test("what would be audited in vain is an error: a namespace that does not exist, files without policies", async () => {
  const files = { "c.yaml": CONFIG_MAPS[0]! };
  const run = (...argv: string[]) => runLine(["audit", "--kubeconfig", kubeconfig, ...argv], { files });
  const namespace = await run("-n", "shop", "-n", "shoop");
  expect([namespace.code, namespace.stdout]).toEqual([2, ""]);
  expect(namespace.stderr).toContain('the cluster has no namespace "shoop"');
  const noPolicies = await run("-f", "c.yaml");
  expect([noPolicies.code, noPolicies.stdout]).toEqual([2, ""]);
  expect(noPolicies.stderr).toContain("the files in -f have no ValidatingAdmissionPolicy");
  expect((await run("-f", "c.yaml", "--schemas")).code).toBe(0);
});

test("reports are written once, kept while true, and deleted after", async () => {
  const line = ["audit", "--kubeconfig", kubeconfig, "--write-reports", "--fail-on", "never"];
  const first = await runLine(line);
  expect([first.code, first.stderr]).toEqual([0, "reports: 27 written, 0 unchanged, 0 deleted\n"]);
  expect((await runLine(line)).stderr).toBe("reports: 0 written, 27 unchanged, 0 deleted\n");
  await server.apply(`
apiVersion: v1
kind: ConfigMap
metadata: { name: limit, namespace: default }
data: { most: "29" }
`);
  expect((await runLine(line)).stderr).toBe("reports: 8 written, 3 unchanged, 16 deleted\n");
  const { items } = (await server.client.call("GET", "/apis/wgpolicyk8s.io/v1alpha2/policyreports")).json();
  expect(items).toHaveLength(11);
  expect(items[0]).toMatchObject({ scope: { kind: "ConfigMap" }, summary: { pass: 0, error: 0 } });
});

test("reports move to openreports.io once the cluster serves it", async () => {
  const line = ["audit", "--kubeconfig", kubeconfig, "--write-reports", "--fail-on", "never"];
  await server.apply(["Report", "ClusterReport"].map((kind) => reportDefinition(kind, "openreports.io", "v1alpha1")));
  expect((await runLine(line)).stderr).toBe("reports: 11 written, 0 unchanged, 0 deleted\n");
  const listed = async (path: string): Promise<object[]> => (await server.client.call("GET", path)).json().items;
  const reports = await listed("/apis/openreports.io/v1alpha1/reports");
  expect(reports).toHaveLength(11);
  expect(reports[0]).toMatchObject({ kind: "Report", source: "celadon", results: [{ source: "celadon" }] });
  expect(await listed("/apis/wgpolicyk8s.io/v1alpha2/policyreports")).toEqual([]);
  expect((await runLine(line)).stderr).toBe("reports: 0 written, 11 unchanged, 0 deleted\n");
});

test("check, explain, diff and cost with a cluster", async () => {
  const files = {
    "new.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: c1, namespace: shop }\ndata: { count: '77' }\n",
  };
  const run = (...argv: string[]) => runLine([...argv, "--kubeconfig", kubeconfig, "--cluster"], { files });
  expect((await run("check", "-f", "new.yaml")).stdout).toContain("few says no");
  expect((await run("explain", "-f", "new.yaml")).stdout).toContain("params.data.most");
  expect((await run("cost", "-f", "new.yaml", "-o", "json")).stdout).toContain("few");
  files["new-policy.yaml" as "new.yaml"] = policy("few", "true", "Deny").split("---")[0]!;
  expect((await run("diff", "new-policy.yaml", "-f", "new.yaml")).stdout).toContain("newly allowed");
});
