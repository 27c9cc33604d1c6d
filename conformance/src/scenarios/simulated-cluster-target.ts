// Scenarios through a simulated cluster: the in-memory cluster keeps the state, and every write is also reviewed by a simulated
// cluster made of the stored objects. Rejections that need a server with a store (conflicts, missing objects, RBAC) are left to the
// cluster.

import { type KubeObject, labelsOf } from "@celadon/kube";
import { isInvalid } from "@celadon/kube/errors";
import { parseLabelSelector } from "@celadon/kube/selectors";
import type { Status } from "@celadon/kube/status";
import { type IntendedRequest, type Outcome, SimulatedCluster, type SimulatedClusterOptions } from "@celadon/simulator";
import type { Manifest } from "@celadon/simulator/manifests";
import { type Answer, type Call, failed, isStatus, succeeded } from "./call.ts";
import type { ScenarioCluster } from "./cluster.ts";
import { optionsObject } from "./connect.ts";
import { isObject, type JsonObject } from "./json.ts";
import type { Kind } from "./kinds.ts";
import { applyPatch } from "./patch.ts";
import type { Target } from "./run.ts";
import { scaleOf } from "./scale.ts";
import type { Endpoints } from "./webhooks/webhooks.ts";
import { applyConfiguration, metadataOf } from "./write.ts";

/** Codes of refusals that admission has no part in. */
const STORE_CODES: ReadonlySet<number> = new Set([401, 404, 405, 409, 415]);

export class SimulatedClusterTarget implements Target {
  readonly webhooks: Endpoints;
  readonly #cluster: ScenarioCluster;
  #simulated: SimulatedCluster = SimulatedCluster.of([]);
  #stored: ReadonlyMap<string, JsonObject> = new Map();
  /** The number of writes that the simulated cluster answered. */
  asked = 0;
  /** The steps at which other webhooks were called than the simulated cluster selects. */
  readonly misselected: string[] = [];

  constructor(cluster: ScenarioCluster & { readonly webhooks: Endpoints }) {
    this.#cluster = cluster;
    this.webhooks = cluster.webhooks;
  }

  async call(call: Call): Promise<Answer> {
    const asks = this.#asksOf(call);
    const simulated = this.#worldNow(call);
    const real = await this.#cluster.call(call);
    if (asks === undefined || STORE_CODES.has(real.code) || isStoreRefusal(real)) return real;
    this.asked++;
    const outcomes: Outcome[] = [];
    for (const ask of asks) {
      const outcome = await simulated.review(ask);
      outcomes.push(outcome);
      if (!outcome.allowed) break;
    }
    const selected = new Set(outcomes.flatMap(({ webhooks }) => webhooks.flatMap(endpointOf)));
    // Only the webhook knows its answer.
    if (selected.size === 0 || outcomes.some(({ allowed }) => !allowed)) return answerOf(outcomes, real);
    this.#compareCalls(selected, real);
    return real;
  }

  /** One that denies keeps later ones from being called. */
  #compareCalls(selected: ReadonlySet<string>, real: Answer): void {
    const { called } = this.webhooks;
    const [wrong, missed] = [
      [...called].filter((name) => !selected.has(name)),
      [...selected].filter((name) => !called.has(name)),
    ];
    if (wrong.length > 0 || (real.code < 400 && missed.length > 0)) {
      this.misselected.push(`selected ${[...selected].join(", ")}, called ${[...called].join(", ")}`);
    }
  }

  #worldNow({ query }: Call): SimulatedCluster {
    const stored = new Map<string, JsonObject>();
    for (const kind of this.#cluster.kinds.all()) {
      for (const object of this.#cluster.store.list(kind)) {
        const { namespace = "", name = "" } = metadataOf(object);
        stored.set(`${kind.group}/${kind.resource}/${String(namespace)}/${String(name)}`, object);
      }
    }
    const put: Manifest[] = [];
    const remove: KubeObject[] = [];
    for (const [key, object] of stored) {
      if (this.#stored.get(key) !== object) put.push({ object: object as KubeObject });
    }
    for (const [key, object] of this.#stored) if (!stored.has(key)) remove.push(object as KubeObject);
    const fieldValidation = query?.fieldValidation ?? "Warn";
    const options: SimulatedClusterOptions = { fieldValidation: fieldValidation as "Strict" | "Warn" | "Ignore" };
    this.#stored = stored;
    this.#simulated = this.#simulated.with({ put, remove, options });
    return this.#simulated;
  }

  /** The admission requests of a call; undefined if it has none. */
  #asksOf(call: Call): readonly IntendedRequest[] | undefined {
    const kind = this.#cluster.kinds.find(call.ref);
    if (kind === undefined) return undefined;
    const namespace = String(call.ref.namespace ?? call.ref.metadata?.namespace ?? "default");
    const name = String(call.ref.name ?? call.ref.metadata?.name ?? "");
    const old = this.#cluster.get(kind, kind.namespaced ? namespace : "", name);
    const asked = {
      ...(call.user && { user: call.user }),
      ...(call.subresource && { subresource: call.subresource }),
      ...(call.dryRun && { dryRun: true }),
      ...(kind.namespaced && { namespace }),
    };
    const options = optionsOf(call);
    switch (call.verb) {
      case "create":
        if (!isObject(call.body)) return undefined;
        return call.subresource
          ? [
              {
                ...asked,
                options: options("CreateOptions"),
                operation: "CREATE",
                name,
                resource: kind.resource,
                object: call.body as KubeObject,
              },
            ]
          : [{ ...asked, options: options("CreateOptions"), operation: "CREATE", object: call.body as KubeObject }];
      case "update":
      case "patch": {
        const body = call.verb === "update" ? call.body : this.#patched(call, kind, old);
        if (old === undefined) {
          return call.patchType === "apply" && isObject(call.body)
            ? [{ ...asked, options: options("CreateOptions"), operation: "CREATE", object: call.body as KubeObject }]
            : undefined;
        }
        if (!isObject(body)) return undefined;
        return [
          {
            ...asked,
            options: options("UpdateOptions"),
            operation: "UPDATE",
            object: body as KubeObject,
            oldObject: old as KubeObject,
          },
        ];
      }
      case "delete":
        return (
          old && [{ ...asked, options: options("DeleteOptions"), operation: "DELETE", oldObject: old as KubeObject }]
        );
      case "deletecollection": {
        const selector = parseLabelSelector(call.labelSelector ?? "");
        const items = this.#cluster.list(kind, kind.namespaced ? namespace : undefined) as KubeObject[];
        const found = isInvalid(selector) ? [] : items.filter((item) => selector.matches(labelsOf(item)));
        const deleting = { ...asked, options: options("DeleteOptions"), operation: "DELETE" } as const;
        return found.map((oldObject) => ({ ...deleting, oldObject, name: "" }));
      }
      case "connect": {
        const object = optionsObject(kind, call) as KubeObject;
        return [{ ...asked, dryRun: false, operation: "CONNECT", resource: kind.resource, object, name }];
      }
      case "get":
        return undefined;
    }
  }

  #patched(call: Call, kind: Kind, old: JsonObject | undefined): JsonObject | Status | undefined {
    if (old === undefined) return undefined;
    const base = call.subresource === "scale" ? scaleOf(this.#cluster, kind, old) : old;
    const { patchType = "merge" } = call;
    const patched =
      patchType === "apply"
        ? applyConfiguration(this.#cluster, kind, call, old)
        : applyPatch(base, call.body!, patchType, kind);
    return isStatus(patched) ? undefined : patched;
  }
}

/** The last part of its address names the endpoint. */
function endpointOf({ outcome, webhook }: Outcome["webhooks"][number]): string[] {
  const { url = "" } = webhook.webhook.clientConfig ?? {};
  return outcome === "call" ? [url.slice(url.lastIndexOf("/") + 1).replace(/\?.*$/, "")] : [];
}

function optionsOf({ query = {}, options, dryRun }: Call): (kind: string) => KubeObject {
  return (kind) => ({
    kind,
    ...(options ?? {}),
    apiVersion: "meta.k8s.io/v1",
    ...(dryRun ? { dryRun: ["All"] } : {}),
    ...(typeof query.fieldManager === "string" ? { fieldManager: query.fieldManager } : {}),
    ...(typeof query.fieldValidation === "string" ? { fieldValidation: query.fieldValidation } : {}),
  });
}

/** A refusal by RBAC, or for want of a namespace. */
function isStoreRefusal({ code, body }: Answer): boolean {
  return code === 403 && isStatus(body) && /cannot \w+ resource|being terminated/.test(body.message ?? "");
}

function answerOf(outcomes: readonly Outcome[], real: Answer): Answer {
  const warnings = [...new Set(outcomes.flatMap((outcome) => outcome.warnings))];
  const auditAnnotations = Object.assign({}, ...outcomes.map((outcome) => outcome.auditAnnotations)) as Record<
    string,
    string
  >;
  const status = outcomes.find((outcome) => outcome.status)?.status;
  if (status !== undefined) return failed(status, { warnings, auditAnnotations });
  const last = outcomes.at(-1);
  // A connection that is admitted still finds no kubelet.
  if (last === undefined || last.request.operation === "CONNECT") return { ...real, warnings, auditAnnotations };
  const object = last.object as JsonObject | null;
  // Configurations were sent with the certificate of the endpoints at hand.
  const stored = object === null || "webhooks" in object ? (real.body as JsonObject) : object;
  return succeeded(real.code < 400 ? real.code : 200, stored, { warnings, auditAnnotations });
}
