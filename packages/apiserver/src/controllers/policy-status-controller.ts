// The status of validating policies: what type checking finds in their expressions.

import { createSchemas } from "@celadon/admission/memory";
import type { ValidatingAdmissionPolicy } from "@celadon/admission/policy";
import { checkedStatus, checkTypes } from "@celadon/admission/resources";
import type { Minor } from "@celadon/kube/versions";
import type { LocalClient } from "../client/local-client.ts";
import type { ResourceCache } from "../store/cache.ts";
import { QueueController, RequestRefused } from "./controller.ts";

const POLICIES = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies";
const MANAGER = "validatingadmissionpolicy-status";

/** Milliseconds of type checking before requests have a turn. */
const SLICE_MS = 10;

/** Lets others go on after each slice of work. */
function slices(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < SLICE_MS) return undefined;
    return new Promise((resolve) =>
      setImmediate(() => {
        since = performance.now();
        resolve();
      }),
    );
  };
}

export class PolicyStatusController extends QueueController {
  readonly name = "validatingadmissionpolicy-status";
  readonly #policies: ResourceCache;
  readonly #definitions: ResourceCache;
  readonly #kubeVersion: Minor | undefined;

  constructor(policies: ResourceCache, definitions: ResourceCache, kubeVersion: Minor | undefined) {
    super();
    this.#policies = policies;
    this.#definitions = definitions;
    this.#kubeVersion = kubeVersion;
  }

  protected follow(): void {
    for (const { name } of this.#policies.all()) this.add(name);
    this.onStop(this.#policies.subscribe(({ object, type }) => type !== "DELETED" && this.add(object.name)));
  }

  protected async sync(client: LocalClient, name: string): Promise<void> {
    const stored = this.#policies.get(`${this.#policies.storage.prefix}${name}`);
    const policy = stored?.object as ValidatingAdmissionPolicy | undefined;
    if (policy === undefined || policy.status?.observedGeneration === policy.metadata.generation) return;
    const definitions = this.#definitions.all().map(({ object }) => object);
    const schemas = createSchemas({ definitions });
    const options = { beyond: false, pause: slices(), ...(this.#kubeVersion && { kubeVersion: this.#kubeVersion }) };
    const status = checkedStatus(policy, await checkTypes(policy, schemas, options));
    const { apiVersion, kind } = policy;
    const url = `${POLICIES}/${name}/status?fieldManager=${MANAGER}&force=true`;
    const body = { apiVersion, kind, metadata: { name }, status };
    const reply = await client.call("PATCH", url, { type: "application/apply-patch+yaml", body });
    if (reply.code >= 400 && reply.code !== 404 && reply.code !== 409) throw new RequestRefused(reply.code, reply.text);
  }
}
