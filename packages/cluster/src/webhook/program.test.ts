// The webhook against an API server in this process. That server enforces policies itself, so those here are of our own group, which it
// stores like any other object.

import { readFileSync } from "node:fs";
import { get } from "node:https";
import { text } from "node:stream/consumers";
import { ownDefinitions } from "@celadon/admission/proposals";
import { startServer, type TestServer } from "@celadon/apiserver/testing";
import { Api, connectionFromKubeconfig } from "@celadon/client";
import type { KubeObject } from "@celadon/kube";
import { afterAll, beforeAll, expect, test } from "vitest";
import { dashboardNames, dashboardOf } from "../../../../scripts/monitoring.mjs";
import { OWN_GROUP } from "./policy-objects.ts";
import { WebhookProgram } from "./program.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer({
    manifests: [...ownDefinitions(), { apiVersion: "v1", kind: "Namespace", metadata: { name: "celadon" } }],
  });
});
afterAll(() => server.close());

const own = (kind: string, name: string, spec: object, namespace?: string): KubeObject => ({
  apiVersion: `${OWN_GROUP}/v1`,
  kind,
  metadata: { name, ...(namespace && { namespace }) },
  spec,
});
const matchConstraints = {
  resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] }],
};
const policy = (name: string, expression: string, spec: object = {}): KubeObject =>
  own("ValidatingAdmissionPolicy", name, {
    matchConstraints,
    validations: [{ expression, message: "no bad data" }],
    ...spec,
  });
const bind = (policyName: string): KubeObject =>
  own("ValidatingAdmissionPolicyBinding", policyName, { policyName, validationActions: ["Deny"] });

const CONFIG_MAPS = { group: "", version: "v1", resource: "configmaps" } as const;
const OWN_POLICIES = { group: OWN_GROUP, version: "v1", resource: "validatingadmissionpolicies" } as const;
const CONFIGURATIONS = {
  group: "admissionregistration.k8s.io",
  version: "v1",
  resource: "validatingwebhookconfigurations",
} as const;
const WAIT = { timeout: 100_000 };
const PORT = 20_000 + (process.pid % 20_000);

async function running(): Promise<{ readonly api: Api; readonly program: WebhookProgram; readonly logged: string[] }> {
  const api = new Api(await connectionFromKubeconfig({ path: server.kubeconfigFile }));
  // The port is known once it listens; the address has to be there before.
  const port = PORT;
  const logged: string[] = [];
  const program = new WebhookProgram(api, {
    host: "127.0.0.1",
    port,
    groups: [OWN_GROUP],
    gates: { SingletonPolicies: true, StrictTypeChecking: true },
    configuration: {
      name: "celadon-webhook",
      address: { url: `https://127.0.0.1:${port}` },
      ownNamespace: "celadon",
      excludeNamespaces: [],
      safeMode: false,
      timeoutSeconds: 5,
    },
    certificates: { secret: "celadon-webhook-tls", names: ["127.0.0.1"] },
    lease: "celadon-webhook",
    log: (_, message) => logged.push(message),
  });
  await program.start();
  return { api, program, logged };
}

test("policies are enforced from their configuration on, kept right, and lifted again", async () => {
  const { api, program, logged } = await running();
  const post = (name: string, data: object, namespace = "default"): Promise<KubeObject> =>
    api.create(
      CONFIG_MAPS,
      { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data },
      { namespace, dryRun: true },
    );
  const create = (name: string, namespace?: string): Promise<string> =>
    post(name, { bad: "1" }, namespace).then(
      () => "created",
      (error: Error) => error.message,
    );
  const reason = async (name: string): Promise<unknown> => {
    const { status } = (await api.get(OWN_POLICIES, { name })) as { status?: { conditions?: { reason: string }[] } };
    return status?.conditions?.[0]?.reason;
  };
  try {
    expect(await create("before")).toBe("created");
    await server.apply([policy("no-bad", "!('bad' in object.data)")]);
    await expect.poll(() => reason("no-bad"), WAIT).toBe("NotBound");
    await server.apply([bind("no-bad")]);
    const denied = `admission webhook "fail-equivalent-v1.validate.celadon.dev" denied the request: configmaps "x" is forbidden: ValidatingAdmissionPolicy 'no-bad' with binding 'no-bad' denied request: no bad data`;
    await expect.poll(() => create("x"), WAIT).toBe(denied);
    await expect.poll(() => reason("no-bad"), WAIT).toBe("InForce");
    // Its own namespace stays open, so that it can be repaired.
    expect(await create("x", "celadon")).toBe("created");

    // Somebody opens the door by hand; it is closed again.
    await api.delete(CONFIGURATIONS, { name: "celadon-webhook" });
    await expect.poll(() => create("x"), WAIT).toBe(denied);

    // Errors of a policy are reported when it is written.
    await expect(server.apply([policy("no-bad", "object.")])).rejects.toThrow(
      /ValidatingAdmissionPolicy.policies.celadon.dev "no-bad" is invalid: spec.validations\[0\].expression/,
    );
    await expect(server.apply([policy("types", "object.dat.x == '1'")])).rejects.toThrow("type checking failed");

    // Mutation, and the fields of the proposals.
    await server.apply([
      own("MutatingAdmissionPolicy", "label", {
        matchConstraints,
        reinvocationPolicy: "Never",
        mutations: [
          {
            patchType: "ApplyConfiguration",
            applyConfiguration: { expression: `Object{metadata: Object.metadata{labels: {"seen": "yes"}}}` },
          },
        ],
      }),
      own("MutatingAdmissionPolicyBinding", "label", { policyName: "label" }),
      policy("alone", "object.metadata.name != 'alone'", { singletonPolicy: true }),
      policy("tenant", "object.metadata.name != 'tenant'"),
      own(
        "NamespacedValidatingAdmissionPolicyBinding",
        "tenant",
        { policyName: "tenant", validationActions: ["Deny"] },
        "default",
      ),
    ]);
    await expect.poll(async () => (await post("good", { a: "1" })).metadata?.labels, WAIT).toEqual({ seen: "yes" });
    await expect.poll(() => create("alone", "kube-system"), WAIT).toContain("'alone'");
    const named = (namespace: string): Promise<string> =>
      post("tenant", { a: "1" }, namespace).then(
        () => "created",
        (error: Error) => error.message,
      );
    await expect.poll(() => named("default"), WAIT).toContain("Policy 'tenant'");
    expect(await named("kube-public")).toBe("created");

    await api.delete({ ...OWN_POLICIES, resource: "validatingadmissionpolicybindings" }, { name: "no-bad" });
    await expect.poll(() => create("x"), WAIT).toBe("created");
    expect(program.metrics.text()).toContain(
      'celadon_webhook_reviews_total{review="validate",operation="CREATE",group="",resource="configmaps",verdict="denied"}',
    );
    expect(unknownIn(MONITORING, await scraped())).toEqual([]);
    expect(logged.filter((line) => line.includes("rejected"))).toEqual([]);
  } finally {
    await program.stop();
    api.close();
  }
});

/** The metrics as Prometheus gets them. */
function scraped(): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", port: PORT, path: "/metrics", rejectUnauthorized: false };
    get(options, (response) => resolve(text(response))).on("error", reject);
  });
}

const RULES = readFileSync(new URL("../../../../monitoring/rules.yaml", import.meta.url), "utf8");
const written = (name: string): string =>
  readFileSync(new URL(`../../../../monitoring/${name}.json`, import.meta.url), "utf8");

/** The expressions of dashboards and rules. */
const MONITORING: readonly string[] = [
  ...[...RULES.matchAll(/^ +expr: (.*)$/gm)].map(([, expr]) => expr!),
  ...dashboardNames.flatMap((name) =>
    dashboardOf(name).panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ),
];

/** Metrics and labels of expressions that a scrape does not have. Prometheus adds `pod`. */
function unknownIn(expressions: readonly string[], scrape: string): string[] {
  const types = [...scrape.matchAll(/^# TYPE (\S+) (\S+)$/gm)];
  const names = types.flatMap(([, name, type]) => (type === "histogram" ? [`${name}_bucket`] : [name]));
  const labels = new Set([...scrape.matchAll(/(\w+)="/g)].map(([, label]) => label).concat("pod"));
  return expressions.flatMap((expr) => {
    const wanted = [...expr.matchAll(/by \(([^)]*)\)|(\w+)="/g)].flatMap(([, list, one]) => one ?? list!.split(", "));
    return [
      ...(expr.match(/\b(?:celadon|apiserver)_\w+/g) ?? ["no metric"]).filter((name) => !names.includes(name)),
      ...wanted.filter((label) => !labels.has(label)),
    ].map((problem) => `${problem} in ${expr}`);
  });
}

test("dashboards are as they are generated, and rules have expressions", () => {
  for (const name of dashboardNames) expect(JSON.parse(written(name))).toEqual(dashboardOf(name));
  expect(MONITORING.length).toBeGreaterThan(12);
  expect(unknownIn(["sum by (x) (celadon_nothing)"], "# TYPE celadon_a counter\n")).toHaveLength(2);
});
