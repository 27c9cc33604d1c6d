// The status of policies: what type checking found, and for kinds of our own group whether a policy is in force. Written by the replica
// that leads. Built-in policies are left to the cluster's own controller, unless it does not handle them.

import type { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyStatus } from "@celadon/admission/policy";
import { checkedStatus, checkTypes } from "@celadon/admission/resources";
import type { Api } from "@celadon/client";
import { WorkQueue } from "@celadon/client/queue";
import { type KubeObject, nameOf } from "@celadon/kube";
import type { ClusterView } from "./cluster-view.ts";
import { OWN_GROUP, type PolicyGroup } from "./policy-objects.ts";

export interface PolicyStatusOptions {
  readonly view: ClusterView;
  readonly failed: (what: string, error: unknown) => void;
  /** Whether the cluster's webhook configurations ask about a policy as it is now. */
  readonly enforcement: (policy: {
    readonly kind: string;
    readonly name: string;
    readonly generation: number;
  }) => Enforcement;
  /** The time that the cluster's own controller may take. */
  readonly patienceMs?: number;
  /** The time that writing the configuration may take before a status says that it is pending. */
  readonly pendingMs?: number;
}

/** `unknown` until a configuration was written or could not be; `omitted` when it has no place for the policy. */
export type Enforcement =
  | { readonly state: "enforced" | "omitted" | "unknown" }
  | { readonly state: "pending"; readonly failure: string | undefined };

const RESOURCES = {
  ValidatingAdmissionPolicy: "validatingadmissionpolicies",
  MutatingAdmissionPolicy: "mutatingadmissionpolicies",
} as const;
type PolicyKind = keyof typeof RESOURCES;
const PENDING = "Pending";
const PENDING_MS = 3_000;
const OMITTED =
  "the webhook configuration would become too large: name fewer API versions in the rules, or use versions that other policies use";
const MANAGER = "celadon-webhook";
const PATIENCE_MS = 10_000;

export class PolicyStatus {
  readonly #api: Api;
  readonly #options: PolicyStatusOptions;
  readonly #queue: WorkQueue;
  /** The policies that the queue's keys stand for. */
  readonly #policies = new Map<string, PolicyName>();
  /** Why policies are not enforced, by key. */
  readonly #rejected = new Map<string, string>();
  /** Policies that another writer has been given time for, by key with the generation. */
  readonly #waited = new Map<string, number>();
  #leads = false;

  constructor(api: Api, options: PolicyStatusOptions) {
    this.#api = api;
    this.#options = options;
    this.#queue = new WorkQueue((key) => this.#write(key), { failed: options.failed });
  }

  /** A policy was read. */
  read(object: KubeObject, rejected: string | undefined): void {
    const kind = object.kind as PolicyKind;
    if (!Object.hasOwn(RESOURCES, kind)) return;
    const key = keyOf({ group: groupOf(object), kind, name: nameOf(object) });
    if (rejected === undefined) this.#rejected.delete(key);
    else this.#rejected.set(key, rejected);
    if (this.#leads) this.#add({ group: groupOf(object), kind, name: nameOf(object) });
  }

  /** A policy's status may differ from the written one. */
  annotated(object: KubeObject): void {
    const kind = object.kind as PolicyKind;
    if (this.#leads && Object.hasOwn(RESOURCES, kind))
      this.#add({ group: groupOf(object), kind, name: nameOf(object) });
  }

  /** Bindings or configurations changed: updates the status of our own policies. */
  changed(): void {
    if (!this.#leads) return;
    for (const kind of Object.keys(RESOURCES) as PolicyKind[]) {
      for (const object of this.#options.view.policies.objects(OWN_GROUP, RESOURCES[kind]).values()) {
        const policy: PolicyName = { group: OWN_GROUP, kind, name: nameOf(object) };
        const ready = this.#ready(policy, object);
        if (ready !== undefined && readyOf(object)?.reason !== ready.reason) this.#add(policy);
      }
    }
  }

  lead(leads: boolean): void {
    this.#leads = leads;
    if (!leads) return;
    for (const { group } of this.#options.view.policies.sets)
      for (const kind of Object.keys(RESOURCES) as PolicyKind[])
        for (const name of this.#options.view.policies.objects(group, RESOURCES[kind]).keys())
          this.#add({ group, kind, name });
  }

  #add(policy: PolicyName): void {
    const key = keyOf(policy);
    this.#policies.set(key, policy);
    this.#queue.add(key);
  }

  async stop(): Promise<void> {
    await this.#queue.stop();
  }

  async #write(key: string): Promise<{ readonly againMs: number } | undefined> {
    const policy = this.#policies.get(key);
    if (!this.#leads || policy === undefined) return undefined;
    const { group, kind, name } = policy;
    const object = this.#options.view.policies.objects(group, RESOURCES[kind]).get(name);
    if (object === undefined) {
      this.#waited.delete(key);
      this.#policies.delete(key);
      return undefined;
    }
    return group === OWN_GROUP ? this.#writeOwn(policy, object) : this.#writeBuiltin(policy, object);
  }

  async #writeBuiltin(policy: PolicyName, object: KubeObject): Promise<{ againMs: number } | undefined> {
    const { kind } = policy;
    const key = keyOf(policy);
    const generation = object.metadata?.generation ?? 0;
    const { observedGeneration } = (object.status ?? {}) as ValidatingAdmissionPolicyStatus;
    if (kind !== "ValidatingAdmissionPolicy" || observedGeneration === generation) return undefined;
    if (this.#waited.get(key) !== generation) {
      this.#waited.set(key, generation);
      return { againMs: this.#options.patienceMs ?? PATIENCE_MS };
    }
    await this.#apply(kind, object, await this.#typeStatus(object));
    return undefined;
  }

  async #writeOwn(policy: PolicyName, object: KubeObject): Promise<{ againMs: number } | undefined> {
    const { kind } = policy;
    const generation = object.metadata?.generation ?? 0;
    const old = (object.status ?? {}) as ValidatingAdmissionPolicyStatus;
    const ready = this.#ready(policy, object);
    if (ready === undefined) return undefined;
    const key = keyOf(policy);
    // The configuration is usually written a moment later.
    if (ready.reason === PENDING && this.#waited.get(key) !== generation) {
      this.#waited.set(key, generation);
      return { againMs: this.#options.pendingMs ?? PENDING_MS };
    }
    const known = readyOf(object);
    if (old.observedGeneration === generation && known?.reason === ready.reason && known.message === ready.message)
      return undefined;
    const isChecked = kind === "ValidatingAdmissionPolicy" && ready.reason !== "Rejected";
    const { conditions: _, ...typed } = isChecked ? await this.#typeStatus(object) : {};
    const same = known?.status === ready.status && known.lastTransitionTime;
    const lastTransitionTime = same || new Date().toISOString().replace(/\.\d+Z$/, "Z");
    const condition = { type: "Ready", ...ready, observedGeneration: generation, lastTransitionTime };
    await this.#apply(kind, object, { ...typed, observedGeneration: generation, conditions: [condition] });
    return undefined;
  }

  /** Undefined while it is not known. */
  #ready(policy: PolicyName, object: KubeObject): { status: string; reason: string; message: string } | undefined {
    const { kind, name } = policy;
    const rejected = this.#rejected.get(keyOf(policy));
    if (rejected !== undefined) return { status: "False", reason: "Rejected", message: rejected.slice(0, 32_768) };
    const sets = this.#options.view.policies.sets.find(({ group }) => group === OWN_GROUP);
    const set = kind === "ValidatingAdmissionPolicy" ? sets?.validating : sets?.mutating;
    if (!set?.isBound(name)) return { status: "False", reason: "NotBound", message: "no binding names the policy" };
    const enforcement = this.#options.enforcement({ kind, name, generation: object.metadata?.generation ?? 0 });
    switch (enforcement.state) {
      case "enforced":
        return { status: "True", reason: "InForce", message: "the policy is bound and enforced" };
      case "omitted":
        return { status: "False", reason: "NotEnforced", message: OMITTED };
      case "pending": {
        const why =
          enforcement.failure === undefined ? "is not written yet" : `was not written: ${enforcement.failure}`;
        return { status: "False", reason: PENDING, message: `the webhook configuration ${why}`.slice(0, 32_768) };
      }
      case "unknown":
        return undefined;
    }
  }

  async #typeStatus(object: KubeObject): Promise<ValidatingAdmissionPolicyStatus> {
    const policy = { ...object, status: {} } as ValidatingAdmissionPolicy;
    const check = await checkTypes(policy, this.#options.view.definitions.schemas, { beyond: false });
    return checkedStatus(policy, check);
  }

  async #apply(kind: PolicyKind, object: KubeObject, status: object): Promise<void> {
    const { apiVersion = "" } = object;
    const [group = "", version = ""] = apiVersion.split("/");
    const name = nameOf(object);
    await this.#api.apply(
      { group, version, resource: RESOURCES[kind] },
      { name, subresource: "status" },
      { apiVersion, kind, metadata: { name }, status },
      { fieldManager: MANAGER, force: true },
    );
  }
}

interface PolicyName {
  readonly group: PolicyGroup;
  readonly kind: PolicyKind;
  readonly name: string;
}

const keyOf = ({ group, kind, name }: PolicyName): string => `${group} ${kind} ${name}`;

function groupOf({ apiVersion = "" }: KubeObject): PolicyGroup {
  return apiVersion.split("/")[0] as PolicyGroup;
}

type Ready = NonNullable<ValidatingAdmissionPolicyStatus["conditions"]>[number];

function readyOf(object: KubeObject): Ready | undefined {
  const { conditions = [] } = (object.status ?? {}) as ValidatingAdmissionPolicyStatus;
  return conditions.find(({ type }) => type === "Ready");
}
