// Ways out that operators choose: a label that exempts objects, and a mode in which a webhook that is down stops nothing. The API server in
// this process calls the webhook as a cluster does.

import { ownDefinitions } from "@celadon/admission/proposals";
import { startServer } from "@celadon/apiserver/testing";
import { Api, ApiError, connectionFromKubeconfig } from "@celadon/client";
import type { KubeObject } from "@celadon/kube";
import { expect, test, vi } from "vitest";
import { OWN_GROUP } from "./policy-objects.ts";
import { WebhookProgram } from "./program.ts";

const CONFIG_MAPS = { group: "", version: "v1", resource: "configmaps" };
const LABEL = "celadon.dev/exempt";
const EXEMPT = { [LABEL]: "" };
const PORT = 20_000 + ((process.pid * 13) % 20_000);
const WAIT = { timeout: 100_000 };

const own = (kind: string, spec: object): KubeObject => ({
  apiVersion: `${OWN_GROUP}/v1`,
  kind,
  metadata: { name: "no-bad" },
  spec,
});
const POLICY = [
  own("ValidatingAdmissionPolicy", {
    matchConstraints: {
      resourceRules: [
        { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE", "UPDATE"], resources: ["configmaps"] },
      ],
    },
    validations: [{ expression: "object.?data.?is.orValue('') != 'bad'" }],
  }),
  own("ValidatingAdmissionPolicyBinding", { policyName: "no-bad", validationActions: ["Deny"] }),
];
const namespace = (name: string, labels: Record<string, string> = {}): KubeObject => ({
  apiVersion: "v1",
  kind: "Namespace",
  metadata: { name, labels },
});

test("the escape label exempts objects, and safe mode lets requests pass while the webhook is down", async () => {
  const manifests = [...ownDefinitions(), namespace("celadon"), namespace("labelled", EXEMPT)];
  const server = await startServer({ manifests });
  const api = new Api(await connectionFromKubeconfig({ path: server.kubeconfigFile }));
  await server.apply(POLICY);
  const start = async (lease: string, more: { escapeLabel?: string; safeMode: boolean }): Promise<WebhookProgram> => {
    const program = new WebhookProgram(api, {
      host: "127.0.0.1",
      port: PORT,
      groups: [OWN_GROUP],
      configuration: {
        name: "celadon-webhook",
        address: { url: `https://127.0.0.1:${PORT}` },
        ownNamespace: "celadon",
        excludeNamespaces: [],
        timeoutSeconds: 5,
        ...more,
      },
      certificates: { secret: "celadon-webhook-tls", names: ["127.0.0.1"] },
      lease,
      log: () => {},
    });
    await program.start();
    return program;
  };
  const codeOf = (write: Promise<unknown>): Promise<number> =>
    write.then(
      () => 200,
      (error) => (error instanceof ApiError ? error.code : 0),
    );
  const object = (name: string, is: string, labels: Record<string, string> = {}): KubeObject => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, labels },
    data: { is },
  });
  const create = (name: string, is: string, labels = {}, where = "default", dryRun = false): Promise<number> =>
    codeOf(api.create(CONFIG_MAPS, object(name, is, labels), { namespace: where, dryRun }));
  const update = (name: string, is: string, labels = {}): Promise<number> =>
    codeOf(api.update(CONFIG_MAPS, { namespace: "default", name }, object(name, is, labels)));
  const isEnforced = async (): Promise<void> => expect(await create("probe", "bad", {}, "default", true)).toBe(422);

  const first = await start("first", { escapeLabel: LABEL, safeMode: false });
  await vi.waitFor(isEnforced, WAIT);
  expect(await create("exempt", "bad", EXEMPT)).toBe(200);
  expect(await update("exempt", "bad", EXEMPT)).toBe(200);
  expect(await update("exempt", "bad"), "the label is removed").toBe(422);
  expect(await create("good", "good")).toBe(200);
  expect(await update("good", "bad", EXEMPT), "the label comes with the change").toBe(422);
  expect(await create("inside", "bad", {}, "labelled"), "the label of a namespace exempts only itself").toBe(422);
  await first.stop();
  expect(await create("nobody-answers", "good"), "the failure policy is Fail").toBe(500);

  const second = await start("second", { safeMode: true });
  // The configuration that was written by the first one is replaced.
  await vi.waitFor(async () => {
    const resource = {
      ...CONFIG_MAPS,
      group: "admissionregistration.k8s.io",
      resource: "validatingwebhookconfigurations",
    };
    const { webhooks } = await api.get(resource, { name: "celadon-webhook" });
    const policies = (webhooks as { failurePolicy: string }[]).map(({ failurePolicy }) => failurePolicy);
    expect(new Set(policies)).toEqual(new Set(["Ignore"]));
  }, WAIT);
  await vi.waitFor(isEnforced, WAIT);
  expect(await create("not-exempt", "bad", EXEMPT), "there is no escape label now").toBe(422);
  await second.stop();
  expect(await create("nobody-answers", "bad"), "safe mode").toBe(200);
  api.close();
  await server.close();
});
