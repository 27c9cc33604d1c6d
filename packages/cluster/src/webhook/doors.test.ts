// Some failures must not let requests through unchecked: an API server that does not show its kinds yet, policies that were stored while
// nobody checked them, a disk that is full. The test calls the webhook directly; the API server in this process only holds the objects.

import { ownDefinitions } from "@celadon/admission/proposals";
import { startServer, type TestServer } from "@celadon/apiserver/testing";
import { Api, connectionFromKubeconfig, openTransport, type Transport } from "@celadon/client";
import type { KubeObject } from "@celadon/kube";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { OWN_GROUP } from "./policy-objects.ts";
import { type WebhookOptions, WebhookProgram } from "./program.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer({
    manifests: [...ownDefinitions(), { apiVersion: "v1", kind: "Namespace", metadata: { name: "celadon" } }],
  });
});
afterAll(() => server.close());

const own = (kind: string, name: string, spec: object): KubeObject => ({
  apiVersion: `${OWN_GROUP}/v1`,
  kind,
  metadata: { name },
  spec,
});
const rule = { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] };
const policy = (name: string, expression: string): readonly KubeObject[] => [
  own("ValidatingAdmissionPolicy", name, {
    matchConstraints: { resourceRules: [rule] },
    validations: [{ expression }],
  }),
  own("ValidatingAdmissionPolicyBinding", name, { policyName: name, validationActions: ["Deny"] }),
];

const WAIT = { timeout: 100_000 };

/** A connection whose discovery can be made to leave our group out. */
async function connected(hidden: { now: boolean; often: number }): Promise<Api> {
  const connection = await connectionFromKubeconfig({ path: server.kubeconfigFile });
  const real = openTransport(connection, "test");
  const transport: Transport = {
    close: () => real.close(),
    send: async (request) => {
      const response = await real.send(request);
      if (request.path !== "/apis" || !hidden.now) return response;
      const list = JSON.parse(await response.text());
      hidden.often++;
      list.items = list.items.filter((one: KubeObject) => one.metadata?.name !== OWN_GROUP);
      return { ...response, text: async () => JSON.stringify(list) };
    },
  };
  return new Api(connection, { transport });
}

/** Each program leads by itself. */
let leases = 0;

async function starting(api: Api, options: Partial<WebhookOptions> = {}) {
  const logged: { message: string; fields: Readonly<Record<string, unknown>> | undefined }[] = [];
  const program = new WebhookProgram(api, {
    host: "127.0.0.1",
    port: 0,
    groups: [OWN_GROUP],
    configuration: {
      name: "celadon-webhook",
      address: { url: "https://127.0.0.1:1" },
      ownNamespace: "celadon",
      excludeNamespaces: ["spared"],
      safeMode: true,
      timeoutSeconds: 5,
    },
    certificates: { secret: "celadon-webhook-tls", names: ["127.0.0.1"] },
    lease: `lease-${++leases}`,
    log: (_, message, fields) => logged.push({ message, fields }),
    ...options,
  });
  const started = program.start();
  onTestFinished(async () => {
    await program.stop();
    api.close();
  });
  const ask = async (name: string, namespace = "default"): Promise<string> => {
    const request = {
      uid: "u",
      kind: { group: "", version: "v1", kind: "ConfigMap" },
      resource: { group: "", version: "v1", resource: "configmaps" },
      operation: "CREATE",
      namespace,
      name,
      userInfo: { username: "ann", groups: ["system:authenticated"] },
      object: { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace } },
    };
    const { body } = await program.handle({
      method: "POST",
      path: "/validate/fail/equivalent/v1",
      query: new URLSearchParams(),
      body: JSON.stringify({ apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", request }),
      signal: new AbortController().signal,
    });
    const { response } = JSON.parse(body);
    return response.allowed ? "allowed" : response.status.message;
  };
  return { program, started, ask, logged };
}

test("an API server that stops serving policy kinds: the webhook does not start without them, and keeps its policies", async () => {
  await server.apply(policy("doors", "object.metadata.name != 'bad'"));
  const hidden = { now: true, often: 0 };
  const api = await connected(hidden);
  const { program, started, ask } = await starting(api);
  let isReady = false;
  void started.then(() => (isReady = true));
  await expect.poll(() => hidden.often, WAIT).toBeGreaterThan(1);
  expect(isReady).toBe(false);
  hidden.now = false;
  await started;
  expect(await ask("bad")).toContain("'doors'");
  expect(await ask("bad", "spared")).toBe("allowed");

  // The server starts anew, and a definition changes before it shows them all again.
  Object.assign(hidden, { now: true, often: 0 });
  const [definition] = ownDefinitions();
  await server.apply([{ ...definition!, metadata: { ...definition!.metadata, annotations: { changed: "1" } } }]);
  await expect.poll(() => hidden.often, WAIT).toBeGreaterThan(1);
  expect(await ask("bad")).toContain("'doors'");
  expect(program.metrics.text()).toMatch(/celadon_webhook_policies 1\n/);

  // A definition that is gone takes its policies along.
  hidden.now = false;
  await api.delete(
    { group: "apiextensions.k8s.io", version: "v1", resource: "customresourcedefinitions" },
    { name: `validatingadmissionpolicies.${OWN_GROUP}` },
  );
  await expect.poll(() => ask("bad"), WAIT).toBe("allowed");
  await server.apply(ownDefinitions());
});

test("a policy that was stored while nobody checked it, roles as authorizer, and reviews that cannot be recorded", async () => {
  const check = "authorizer.group('').resource('secrets').namespace('default').check('get').allowed()";
  await server.apply([
    ...policy("broken", "object.metadata.name != 'broken' && object."),
    ...policy("roles", `object.metadata.name != 'needs-right' || ${check}`),
  ]);
  const api = await connected({ now: false, often: 0 });
  const { started, ask, logged, program } = await starting(api, {
    authorizer: "rbac",
    logRequests: true,
    events: true,
    record: () => {
      throw new Error("no space left on device");
    },
  });
  await started;
  // Its failure policy is Fail.
  expect(await ask("any")).toContain(
    "'broken' with binding 'broken' denied request: compilation error: compilation failed",
  );
  expect(logged.map(({ message }) => message)).toContainEqual(
    expect.stringMatching(/ValidatingAdmissionPolicy broken was rejected, so its failure policy decides/),
  );
  await server.apply(policy("broken", "true"));
  await expect.poll(() => ask("any"), WAIT).toBe("allowed");
  expect(await ask("needs-right")).toContain("'roles'");
  await server.apply([
    {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRoleBinding",
      metadata: { name: "ann" },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" },
      subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "ann" }],
    },
  ]);
  await expect.poll(() => ask("needs-right"), WAIT).toBe("allowed");
  const unrecorded = "a review was not recorded: no space left on device";
  expect(logged.filter(({ message }) => message === unrecorded)).toHaveLength(1);
  expect(logged.findLast(({ message }) => message === "allowed")?.fields).toMatchObject({
    review: "validate",
    operation: "CREATE",
    resource: "configmaps",
    name: "needs-right",
    user: "ann",
  });
  const { body } = await program.handle({
    method: "GET",
    path: "/metrics",
    query: new URLSearchParams(),
    body: "",
    signal: new AbortController().signal,
  });
  for (const line of [
    'apiserver_validating_admission_policy_check_total{enforcement_action="deny",error_type="compile_error",policy="broken",policy_binding="broken"}',
    'apiserver_validating_admission_policy_check_total{enforcement_action="deny",error_type="invalid_error",policy="roles",policy_binding="roles"}',
    'celadon_webhook_policy_evaluations_total{policy="roles",policy_binding="roles",result="allow"}',
    "celadon_webhook_certificate_expiration_timestamp_seconds",
  ])
    expect(body).toContain(line);
  // Events are about the policy, so that `kubectl describe` shows them.
  const events = { group: "", version: "v1", resource: "events" };
  await expect
    .poll(async () => (await api.list(events, { namespace: "default" })).items, WAIT)
    .toContainEqual(
      expect.objectContaining({
        reason: "Denied",
        involvedObject: expect.objectContaining({
          apiVersion: `${OWN_GROUP}/v1`,
          name: "roles",
          uid: expect.any(String),
        }),
      }),
    );
});
