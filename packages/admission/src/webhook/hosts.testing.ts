// Hosts for tests: a transport that answers from a table and remembers its calls.

import type { KubeObject } from "@celadon/kube";
import type { AdmissionRequest } from "../request.ts";
import type { Webhook, WebhookConfiguration } from "./configuration.ts";
import { defaultConfiguration } from "./defaults.ts";
import type { WebhookAnswer, WebhookCall, WebhookHosts } from "./transport.ts";
import { type CompiledWebhook, WebhookSet } from "./webhook-set.ts";

export type Answers = Readonly<Record<string, (call: WebhookCall) => WebhookAnswer | Promise<WebhookAnswer>>>;

export interface TestHosts extends WebhookHosts {
  readonly calls: WebhookCall[];
}

/** Answers by webhook name; one without an answer allows. */
export function testHosts(answers: Answers = {}, more: Partial<WebhookHosts> = {}): TestHosts {
  const calls: WebhookCall[] = [];
  let made = 0;
  return {
    namespaces: { namespace: (name) => ({ metadata: { name, labels: { name } } }) },
    transport: {
      call: (call) => {
        calls.push(call);
        return (answers[call.webhook.webhook.name] ?? allow())(call);
      },
    },
    uid: () => `uid-${++made}`,
    calls,
    ...more,
  };
}

/** An answer with these fields of a response; the uid is right unless given. */
export function respond(response: Readonly<Record<string, unknown>>): (call: WebhookCall) => WebhookAnswer {
  return ({ review }) => ({
    status: 200,
    body: {
      apiVersion: review.apiVersion,
      kind: "AdmissionReview",
      response: { uid: review.request?.uid, ...response },
    },
  });
}

export const allow = (): ((call: WebhookCall) => WebhookAnswer) => respond({ allowed: true });

export function patch(...operations: readonly object[]): (call: WebhookCall) => WebhookAnswer {
  return respond({ allowed: true, patchType: "JSONPatch", patch: btoa(JSON.stringify(operations)) });
}

const PODS = { apiGroups: [""], apiVersions: ["v1"], resources: ["pods"], operations: ["*"] } as const;

export function webhook(name: string, more: Partial<Webhook> = {}): Webhook {
  return {
    name: `${name}.test.example.com`,
    clientConfig: { url: `https://host/${name}` },
    rules: [PODS],
    sideEffects: "None",
    admissionReviewVersions: ["v1"],
    ...more,
  };
}

export function configuration(
  kind: "Validating" | "Mutating",
  name: string,
  ...webhooks: readonly Webhook[]
): WebhookConfiguration {
  return defaultConfiguration({
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: `${kind}WebhookConfiguration`,
    metadata: { name },
    webhooks,
  });
}

export function compiled(kind: "Validating" | "Mutating", ...webhooks: readonly Webhook[]): readonly CompiledWebhook[] {
  const set = WebhookSet.of([configuration(kind, "c", ...webhooks)]);
  return kind === "Validating" ? set.validating : set.mutating;
}

export const POD: KubeObject = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "p", namespace: "ns", labels: { a: "b" } },
  spec: {},
};

export function podRequest(more: Partial<AdmissionRequest> = {}): AdmissionRequest {
  return {
    kind: { group: "", version: "v1", kind: "Pod" },
    resource: { group: "", version: "v1", resource: "pods" },
    name: "p",
    namespace: "ns",
    operation: "CREATE",
    userInfo: { username: "kate", groups: ["g"] },
    object: POD,
    oldObject: null,
    options: { apiVersion: "meta.k8s.io/v1", kind: "CreateOptions" },
    dryRun: false,
    ...more,
  };
}
