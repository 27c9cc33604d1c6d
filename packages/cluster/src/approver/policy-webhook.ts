// The validating webhook for CertificateRequestPolicies, as in approver-policy: a policy that could not be evaluated is
// denied when it is written. It manages its certificates and its configuration itself. It does not receive updates of
// the status: readiness must not depend on it.

import { answerReview, readReview } from "@celadon/admission/webhook";
import { toJson } from "@celadon/base";
import { type CertificateRequestPolicy, type Plugin, validatePolicy } from "@celadon/certpolicy";
import type { Api } from "@celadon/client";
import type { KubeObject } from "@celadon/kube";
import { Invalid } from "@celadon/kube/errors";
import { readJson } from "@celadon/kube/read";
import { failure } from "@celadon/kube/status";
import { ConfigurationWriter } from "../program/configuration-writer.ts";
import { ManagedCertificates } from "../program/managed-certificates.ts";
import { type HandledRequest, type HandledResponse, Serving } from "../program/serving.ts";

/** The address at which the webhook listens. */
export interface PolicyWebhookOptions {
  readonly host: string;
  readonly port: number;
  /** Name of the configuration; the Secret is called `NAME-tls`. */
  readonly name: string;
  readonly namespace: string;
  /** The address at which the API server reaches this program. */
  readonly address: { readonly service: string; readonly port: number } | { readonly url: string };
  readonly plugins?: readonly Plugin[];
  readonly failed: (what: string, error: unknown) => void;
}

/** The path that cert-manager's approver-policy has for its webhook. */
export const POLICY_WEBHOOK_PATH = "/validate-policy-cert-manager-io-v1alpha1-certificaterequestpolicy";

/** The webhook that validates certificate policies. */
export class PolicyWebhook {
  readonly #options: PolicyWebhookOptions;
  readonly #certificates: ManagedCertificates;
  readonly #writer: ConfigurationWriter;
  #serving: Serving | undefined;

  constructor(api: Api, options: PolicyWebhookOptions) {
    this.#options = options;
    const { name, namespace, address, failed } = options;
    const names =
      "url" in address
        ? [new URL(address.url).hostname.replace(/^\[|\]$/g, "")]
        : [`${address.service}.${namespace}.svc`, `${address.service}.${namespace}.svc.cluster.local`];
    this.#certificates = new ManagedCertificates(
      api,
      { namespace, secret: `${name}-tls`, names },
      {
        changed: (certificates) => {
          this.#serving?.replaceCertificate(certificates);
          this.#writer.changed();
        },
        failed,
      },
    );
    this.#writer = new ConfigurationWriter(api, {
      name,
      kinds: ["ValidatingWebhookConfiguration"],
      wanted: () => this.#configuration(),
      failed,
    });
  }

  async start(): Promise<{ readonly url: string; readonly port: number }> {
    const { host, port, failed } = this.#options;
    const tls = await this.#certificates.start();
    this.#serving = new Serving({
      host,
      port,
      tls,
      handler: (request) => this.handle(request),
      failed: (error) => failed("policy webhook", error),
    });
    const listening = await this.#serving.listen();
    this.#writer.start();
    return listening;
  }

  lead(leads: boolean): void {
    this.#certificates.lead(leads);
    this.#writer.lead(leads);
  }

  async stop(drainMs = 0): Promise<void> {
    await this.#writer.stop();
    await this.#serving?.close(drainMs);
    await this.#certificates.stop();
  }

  async handle({ method, path, body }: HandledRequest): Promise<HandledResponse> {
    if (method !== "POST" || path !== POLICY_WEBHOOK_PATH) return { status: 404, body: "not found\n" };
    let read: ReturnType<typeof readReview>;
    try {
      read = readReview(readJson(body));
    } catch {
      return { status: 400, body: "the body is not JSON\n" };
    }
    if (read instanceof Invalid) return { status: 400, body: `${read.message}\n` };
    const { operation, object } = read.request;
    const isWritten = operation === "CREATE" || operation === "UPDATE";
    const { plugins } = this.#options;
    const { allowed, message, warnings } =
      isWritten && object
        ? await validatePolicy(object as unknown as CertificateRequestPolicy, plugins && { plugins })
        : { allowed: true, message: "", warnings: [] };
    const answer = answerReview(read, {
      allowed,
      ...(!allowed && { status: failure("Forbidden", message, undefined, 403) }),
      warnings,
      auditAnnotations: {},
    });
    return { status: 200, body: toJson(answer), contentType: "application/json" };
  }

  #configuration(): KubeObject | undefined {
    const certificates = this.#certificates.current;
    if (certificates === undefined) return undefined;
    const { name, namespace, address } = this.#options;
    const path = POLICY_WEBHOOK_PATH;
    const where =
      "url" in address
        ? { url: `${address.url}${path}` }
        : { service: { namespace, name: address.service, port: address.port, path } };
    return {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingWebhookConfiguration",
      metadata: { name, labels: { "app.kubernetes.io/managed-by": "celadon-approver" } },
      webhooks: [
        {
          name: "policy.cert-manager.io",
          admissionReviewVersions: ["v1"],
          clientConfig: { ...where, caBundle: Buffer.from(certificates.caBundle).toString("base64") },
          failurePolicy: "Fail",
          matchPolicy: "Equivalent",
          sideEffects: "None",
          timeoutSeconds: 5,
          rules: [
            {
              apiGroups: ["policy.cert-manager.io"],
              apiVersions: ["*"],
              operations: ["CREATE", "UPDATE"],
              resources: ["certificaterequestpolicies"],
              scope: "*",
            },
          ],
        },
      ],
    };
  }
}
