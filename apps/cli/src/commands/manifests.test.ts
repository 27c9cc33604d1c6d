// The manifests: clean under our own lint and check, accepted by an API server, with rights that suffice, and the same as a chart.

import { rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { startServer, type TestServer } from "@celadon/apiserver/testing";
import { readDocuments } from "@celadon/kube/read";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runLine, testIo } from "../io.testing.ts";
import { chartFiles } from "../manifests/chart.ts";
import { VERSION } from "../program/version.ts";
import { run } from "../run.ts";
import { render } from "./chart.testing.ts";
// Loaded before the clock of a test runs.
import "./webhook.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const printed = async (...argv: readonly string[]): Promise<string> => {
  const { code, stdout, stderr } = await runLine(["manifests", ...argv]);
  expect([code, stderr]).toEqual([0, ""]);
  return stdout;
};

test.each([["webhook", "--events"], ["approver"], ["audit", "--write-reports"]])("%s", async (...argv) => {
  const text = await printed(...argv);
  const files = { "m.yaml": text };
  const linted = await runLine(["lint", "-f", "m.yaml"], { files });
  const isLinted = !linted.stdout.startsWith("nothing to lint");
  expect([linted.code, linted.stdout]).toEqual([
    isLinted ? 0 : 2,
    expect.stringMatching(/no problems|^nothing to lint/),
  ]);
  const checked = await runLine(["check", "-f", "m.yaml", "-o", "json", "--unknown-kinds", "error"], { files });
  const { objects } = JSON.parse(checked.stdout) as { objects: { object: object; problems: object[] }[] };
  expect(objects.filter(({ problems }) => problems.length > 0)).toEqual([]);
  await server.apply(text);
});

test("a namespace of somebody else is not among the manifests, and does not go with them", async () => {
  const kinds = (text: string): boolean => /^kind: Namespace$/m.test(text);
  expect([kinds(await printed("approver")), kinds(await printed("approver", "-n", "cert-manager"))]).toEqual([
    true,
    false,
  ]);
});

/** A kubeconfig of a service account. */
async function kubeconfigOf(account: string): Promise<string> {
  const path = `/api/v1/namespaces/celadon/serviceaccounts/${account}/token`;
  const body = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: { expirationSeconds: 3600 } };
  const { token } = (await server.client.call("POST", path, { body })).json().status;
  const file = join(dirname(server.kubeconfigFile), account);
  const cluster = { server: server.url, "certificate-authority-data": btoa(server.caCertificate) };
  const contexts = [{ name: "c", context: { cluster: "c", user: "u" } }];
  const users = [{ name: "u", user: { token } }];
  writeFileSync(file, JSON.stringify({ clusters: [{ name: "c", cluster }], contexts, users, "current-context": "c" }));
  return file;
}

const POLICY = `
apiVersion: policies.celadon.dev/v1
kind: ValidatingAdmissionPolicy
metadata: { name: no-bad }
spec:
  matchConstraints:
    resourceRules: [{ apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps] }]
  validations: [{ expression: "!object.metadata.name.startsWith('bad')" }]
---
apiVersion: policies.celadon.dev/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: no-bad }
spec: { policyName: no-bad, validationActions: [Deny] }
`;

test("the rights suffice, and configurations go with the role", async () => {
  await server.apply(POLICY);
  const file = await kubeconfigOf("celadon-webhook");
  const stop = new AbortController();
  const port = 20_000 + ((process.pid * 3) % 20_000);
  const io = testIo({ signal: stop.signal });
  const line = [
    "webhook",
    "--kubeconfig",
    file,
    "--namespace",
    "celadon",
    "--owner-role",
    "celadon-webhook",
    "--drain",
    "0",
  ];
  const where = [
    `--listen=127.0.0.1:${port}`,
    `--url=https://127.0.0.1:${port}`,
    "--group=policies.celadon.dev",
    "--events",
  ];
  const running = run([...line, ...where], io);
  let attempts = 0;
  const create = async (): Promise<number> => {
    const path = "/api/v1/namespaces/default/configmaps";
    const body = {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: `bad-${attempts++}` },
    };
    return (await server.client.call("POST", path, { body })).code;
  };
  await expect.poll(create, { timeout: 100_000 }).toBe(422);
  const configurations = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/celadon-webhook";
  const { metadata } = (await server.client.call("GET", configurations)).json();
  expect(metadata.ownerReferences).toMatchObject([{ kind: "ClusterRole", name: "celadon-webhook" }]);
  stop.abort();
  expect(await running).toBe(0);
  expect(io.stderr.split("\n").filter((text) => /"level":"(warn|error)"/.test(text))).toEqual([]);
  await server.client.call("DELETE", configurations);

  const audit = await runLine(["audit", "--kubeconfig", await kubeconfigOf("celadon-audit"), "-o", "json"]);
  const { unread, summary } = JSON.parse(audit.stdout);
  expect([unread, summary.denied]).toEqual([[], expect.any(Number)]);
  rmSync(file);
});

test("the chart renders to the same objects", async () => {
  const files = chartFiles(VERSION);
  const objectsOf = (text: string): unknown[] =>
    readDocuments(text).documents.flatMap((document) =>
      "value" in document && document.value !== null ? [document.value] : [],
    );
  const keyed = (objects: readonly unknown[]): Map<string, unknown> =>
    new Map(
      objects.map((object) => {
        const { kind, metadata } = object as { kind: string; metadata: { name: string; annotations?: unknown } };
        delete metadata.annotations;
        return [`${kind} ${metadata.name}`, object] as const;
      }),
    );
  const [values] = objectsOf(files.get("values.yaml")!) as [Record<string, Record<string, unknown>>];
  for (const program of ["webhook", "approver", "audit"] as const) {
    values[program]!.enabled = true;
    const context = { Values: values, Release: { Namespace: "celadon" }, Chart: { AppVersion: VERSION } };
    const rendered = ["", "-crds"]
      .map((suffix) => render(files.get(`templates/${program}${suffix}.yaml`) ?? "", context))
      .join("---\n");
    const want = keyed(objectsOf(await printed(program, ...(program === "audit" ? ["--write-reports"] : []))));
    want.delete("Namespace celadon");
    expect(keyed(objectsOf(rendered))).toEqual(want);
  }
  // These settings keep others out of the webhook.
  const from = [{ ipBlock: { cidr: "10.0.0.0/28" } }];
  const closed = keyed(
    objectsOf(
      render(files.get("templates/webhook.yaml")!, {
        Values: {
          ...values,
          webhook: { ...values.webhook, networkPolicy: { from }, clientCA: { configMap: "api-ca" } },
        },
        Release: { Namespace: "celadon" },
        Chart: { AppVersion: VERSION },
      }),
    ),
  );
  expect(closed.get("NetworkPolicy celadon-webhook")).toMatchObject({ spec: { ingress: [{ from }] } });
  expect(closed.get("Deployment celadon-webhook")).toMatchObject({
    spec: {
      template: {
        spec: {
          volumes: [{ name: "client-ca", configMap: { name: "api-ca" } }],
          containers: [
            {
              args: expect.arrayContaining(["--client-ca=/etc/celadon/client-ca/ca.crt"]),
              volumeMounts: [{ name: "client-ca", mountPath: "/etc/celadon/client-ca", readOnly: true }],
            },
          ],
        },
      },
    },
  });
  // One pod must not keep its node from being drained.
  Object.assign(values.webhook!, { replicas: 1 });
  const single = render(files.get("templates/webhook.yaml")!, {
    Values: values,
    Release: { Namespace: "celadon" },
    Chart: { AppVersion: VERSION },
  });
  const budget = "PodDisruptionBudget celadon-webhook";
  expect([...keyed(objectsOf(single)).keys()]).not.toContain(budget);
});
