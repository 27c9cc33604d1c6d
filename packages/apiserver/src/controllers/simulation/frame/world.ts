// The surroundings of all stand-ins: the objects they follow, the clock, and calls in the names of the components they stand for, with these
// components' rights.

import type { ControllerRevision, DaemonSet, Deployment, ReplicaSet, StatefulSet } from "@celadon/kube/api/apps-v1";
import type { CronJob, Job } from "@celadon/kube/api/batch-v1";
import type {
  Endpoints,
  Namespace,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  ReplicationController,
  Service,
} from "@celadon/kube/api/core-v1";
import type { EndpointSlice } from "@celadon/kube/api/discovery-v1";
import type { ObjectMeta } from "@celadon/kube/api/meta-v1";
import type { PodDisruptionBudget } from "@celadon/kube/api/policy-v1";
import type { StorageClass } from "@celadon/kube/api/storage-v1";
import { timestamp } from "@celadon/write";
import type { LocalClient, Reply } from "../../../client/local-client.ts";
import type { NamedCaches } from "../../../store/named-caches.ts";
import type { Peer } from "../../../wire/call.ts";
import { RequestRefused } from "../../controller.ts";
import { View } from "./view.ts";

/** The resources that stand-ins follow, by the names that the caches have for them. */
export interface Followed {
  pods: Pod;
  nodes: Node;
  services: Service;
  endpoints: Endpoints;
  replicationcontrollers: ReplicationController;
  persistentvolumes: PersistentVolume;
  persistentvolumeclaims: PersistentVolumeClaim;
  "replicasets.apps": ReplicaSet;
  "deployments.apps": Deployment;
  "statefulsets.apps": StatefulSet;
  "daemonsets.apps": DaemonSet;
  "controllerrevisions.apps": ControllerRevision;
  "jobs.batch": Job;
  "cronjobs.batch": CronJob;
  "endpointslices.discovery.k8s.io": EndpointSlice;
  "poddisruptionbudgets.policy": PodDisruptionBudget;
  "storageclasses.storage.k8s.io": StorageClass;
}

export type Kind = keyof Followed;

const ROOTS: Readonly<Record<Kind, string>> = {
  pods: "/api/v1",
  nodes: "/api/v1",
  services: "/api/v1",
  endpoints: "/api/v1",
  replicationcontrollers: "/api/v1",
  persistentvolumes: "/api/v1",
  persistentvolumeclaims: "/api/v1",
  "replicasets.apps": "/apis/apps/v1",
  "deployments.apps": "/apis/apps/v1",
  "statefulsets.apps": "/apis/apps/v1",
  "daemonsets.apps": "/apis/apps/v1",
  "controllerrevisions.apps": "/apis/apps/v1",
  "jobs.batch": "/apis/batch/v1",
  "cronjobs.batch": "/apis/batch/v1",
  "endpointslices.discovery.k8s.io": "/apis/discovery.k8s.io/v1",
  "poddisruptionbudgets.policy": "/apis/policy/v1",
  "storageclasses.storage.k8s.io": "/apis/storage.k8s.io/v1",
};

export interface WorldHosts {
  readonly caches: NamedCaches;
  readonly now: () => number;
  readonly as: (peer: Peer) => LocalClient;
}

export class World {
  readonly #hosts: WorldHosts;
  readonly #views = new Map<Kind, View<object>>();
  #started: Promise<void> | undefined;

  constructor(hosts: WorldHosts) {
    this.#hosts = hosts;
    for (const kind of Object.keys(ROOTS) as Kind[]) this.#views.set(kind, new View(hosts.caches.unparsed(kind)));
  }

  /** Resolves when all objects are known. */
  start(): Promise<void> {
    this.#started ??= Promise.all([...this.#views.values()].map((view) => view.start())).then(() => {});
    return this.#started;
  }

  stop(): void {
    for (const view of this.#views.values()) view.stop();
  }

  view<K extends Kind>(kind: K): View<Followed[K]> {
    return this.#views.get(kind)! as View<Followed[K]>;
  }

  namespace(name: string): Namespace | undefined {
    return this.#hosts.caches.object("namespaces", "", name) as Namespace | undefined;
  }

  get now(): number {
    return this.#hosts.now();
  }

  time(): string {
    return timestamp(this.now);
  }

  /** Calls by the service account of a controller in kube-system. */
  controller(name: string): Actor {
    const groups = ["system:serviceaccounts", "system:serviceaccounts:kube-system"];
    const username = `system:serviceaccount:kube-system:${name}`;
    return new Actor(this.#hosts.as({ username, groups }), "kube-controller-manager", name, () => this.time());
  }

  /** Calls by another user. */
  user(username: string, groups: readonly string[], manager: string): Actor {
    return new Actor(this.#hosts.as({ username, groups }), manager, manager, () => this.time());
  }
}

/** An object with its metadata, as stand-ins name it in calls. */
export interface Named {
  readonly metadata?: ObjectMeta | undefined;
}

const LOST = [404, 409];
const STRATEGIC = "application/strategic-merge-patch+json";

/** Writes in the name of a component. */
export class Actor {
  readonly #client: LocalClient;
  readonly #manager: string;
  readonly #component: string;
  readonly #time: () => string;

  constructor(client: LocalClient, manager: string, component: string, time: () => string) {
    this.#client = client;
    this.#manager = manager;
    this.#component = component;
    this.#time = time;
  }

  /** The created object. Throws a RequestRefused. */
  async create<K extends Kind>(kind: K, namespace: string, body: unknown): Promise<Followed[K]> {
    const reply = await this.#call("POST", pathTo(kind, namespace), body);
    if (reply.code >= 400) throw new RequestRefused(reply.code, messageOf(reply));
    return reply.json() as Followed[K];
  }

  /** False if the object changed or went in the meantime; the change brings the key back. */
  async update<K extends Kind>(kind: K, object: Followed[K], subresource = ""): Promise<boolean> {
    const { namespace = "", name = "" } = (object as Named).metadata ?? {};
    const path = pathTo(kind, namespace, name) + (subresource === "" ? "" : `/${subresource}`);
    return this.#isDone(await this.#call("PUT", path, object));
  }

  /** A strategic merge patch of an object that is still the same; false as above. */
  async patch(
    kind: Kind,
    { metadata }: Named,
    change: Readonly<Record<string, unknown>>,
    subresource = "",
  ): Promise<boolean> {
    const { namespace = "", name = "", uid } = metadata ?? {};
    const path = pathTo(kind, namespace, name) + (subresource === "" ? "" : `/${subresource}`);
    const body = { ...change, metadata: { uid, ...(change.metadata as object | undefined) } };
    return this.#isDone(await this.#call("PATCH", path, body, STRATEGIC));
  }

  /** Deletes an object that is still the same. */
  async delete(kind: Kind, { metadata }: Named, options: object = {}): Promise<boolean> {
    const { namespace = "", name = "", uid } = metadata ?? {};
    return this.#isDone(
      await this.#call("DELETE", pathTo(kind, namespace, name), { preconditions: { uid }, ...options }),
    );
  }

  /** POST to a subresource. */
  async post(kind: Kind, { metadata }: Named, subresource: string, body: unknown): Promise<boolean> {
    const { namespace = "", name = "" } = metadata ?? {};
    return this.#isDone(await this.#call("POST", `${pathTo(kind, namespace, name)}/${subresource}`, body));
  }

  /** Records an event about an object; one that cannot be written is worth nothing. */
  async event(
    object: Named & { readonly kind?: string | undefined; readonly apiVersion?: string | undefined },
    type: "Normal" | "Warning",
    reason: string,
    message: string,
  ): Promise<void> {
    const { namespace = "default", name = "", uid, resourceVersion } = object.metadata ?? {};
    const time = this.#time();
    await this.#call("POST", `/api/v1/namespaces/${namespace}/events`, {
      metadata: { generateName: `${name}.`, namespace },
      involvedObject: { kind: object.kind, apiVersion: object.apiVersion, namespace, name, uid, resourceVersion },
      type,
      reason,
      message: message.slice(0, 1024),
      count: 1,
      firstTimestamp: time,
      lastTimestamp: time,
      source: { component: this.#component },
      reportingComponent: this.#component,
    });
  }

  #isDone(reply: Reply): boolean {
    if (reply.code < 400) return true;
    if (LOST.includes(reply.code)) return false;
    throw new RequestRefused(reply.code, messageOf(reply));
  }

  #call(method: string, path: string, body: unknown, type?: string): Promise<Reply> {
    return this.#client.call(method, path, {
      body,
      ...(type !== undefined && { type }),
      headers: { "user-agent": this.#manager },
    });
  }
}

export function pathTo(kind: Kind, namespace: string, name = ""): string {
  const plural = kind.split(".", 1)[0]!;
  const place = namespace === "" ? plural : `namespaces/${namespace}/${plural}`;
  return `${ROOTS[kind]}/${place}${name === "" ? "" : `/${encodeURIComponent(name)}`}`;
}

function messageOf({ text, json }: Reply): string {
  return text.startsWith("{") ? ((json() as { readonly message?: string }).message ?? text) : text;
}
