// APIServices for the groups that the server itself serves: built-in groups when it starts, groups of CRDs as they come and go. Servers
// behind an APIService are not reached: there is no aggregation. Upstream: kube-aggregator pkg/controllers/autoregister,
// crd_registration_controller.go.

import type { CustomResourceDefinition } from "@celadon/crd";
import type { KubeObject } from "@celadon/kube";
import type { LocalClient } from "../client/local-client.ts";
import { hasCondition } from "../custom/accepted-names.ts";
import type { KindTable } from "../kinds/kind-table.ts";
import type { ResourceCache } from "../store/cache.ts";
import { callServer, QueueController } from "./controller.ts";
import { ensure } from "./ensure.ts";

const API_SERVICES = "/apis/apiregistration.k8s.io/v1/apiservices";
const OWN_GROUP = "apiregistration.k8s.io";
const MANAGED = "kube-aggregator.kubernetes.io/automanaged";

/** The order of groups, highest first, as kube-apiserver has it. */
// biome-ignore format: one group per line
const GROUP_PRIORITY: Readonly<Record<string, number>> = {
  "": 18000,
  apps: 17800,
  "events.k8s.io": 17750,
  "authentication.k8s.io": 17700,
  "authorization.k8s.io": 17600,
  autoscaling: 17500,
  batch: 17400,
  "certificates.k8s.io": 17300,
  "networking.k8s.io": 17200,
  policy: 17100,
  "rbac.authorization.k8s.io": 17000,
  "storage.k8s.io": 16800,
  "apiextensions.k8s.io": 16700,
  "admissionregistration.k8s.io": 16700,
  "scheduling.k8s.io": 16600,
  "coordination.k8s.io": 16500,
  "node.k8s.io": 16300,
  "discovery.k8s.io": 16200,
  "resource.k8s.io": 16200,
  "flowcontrol.apiserver.k8s.io": 16100,
};

/** Versions that do not have the usual priority of their stage. */
const VERSION_PRIORITY: Readonly<Record<string, number>> = {
  "v1.": 1,
  "v2.autoscaling": 30,
  "v1.flowcontrol.apiserver.k8s.io": 21,
  "v1.resource.k8s.io": 21,
};
const CUSTOM = { groupPriorityMinimum: 1000, versionPriority: 100 };

export class ApiServiceController extends QueueController {
  readonly name = "apiservice-registration";
  readonly #kinds: KindTable;
  readonly #definitions: ResourceCache;
  readonly #services: ResourceCache;

  constructor(kinds: KindTable, definitions: ResourceCache, services: ResourceCache) {
    super();
    this.#kinds = kinds;
    this.#definitions = definitions;
    this.#services = services;
  }

  protected follow(): void {
    void this.#begin();
  }

  async #begin(): Promise<void> {
    await this.#services.ready();
    for (const { group, version, storage } of this.#kinds.all())
      if (!storage.custom && group !== OWN_GROUP) this.add(`${version}.${group}`);
    for (const { object } of this.#definitions.all()) this.#changed(object as never);
    this.onStop(this.#definitions.subscribe(({ object: { object } }) => this.#changed(object as never)));
    // Definitions may have gone while the server was away.
    for (const { name, object } of this.#services.all()) if (isManaged(object)) this.add(name);
  }

  /** Its versions, and its former ones. */
  #changed({ spec }: CustomResourceDefinition): void {
    const versions = (spec.versions ?? []).map(({ name }) => `${name}.${spec.group}`);
    const known = this.#services.all().filter(({ name }) => name.slice(name.indexOf(".") + 1) === spec.group);
    for (const name of [...versions, ...known.map((service) => service.name)]) this.add(name);
  }

  protected async sync(client: LocalClient, name: string): Promise<void> {
    const at = name.indexOf(".");
    const [version, group] = [name.slice(0, at), name.slice(at + 1)];
    const isBuiltin = this.#kinds.hasBuiltin(group);
    if (isBuiltin || this.#isServed(group, version)) {
      await ensure(client, API_SERVICES, name, {
        metadata: { name, labels: { [MANAGED]: isBuiltin ? "onstart" : "true" } },
        spec: { ...(group !== "" && { group }), version, ...(isBuiltin ? builtinPriority(name, group) : CUSTOM) },
      });
      return;
    }
    const present = this.#services.get(`${this.#services.storage.prefix}${name}`)?.object;
    if (present !== undefined && isManaged(present))
      await callServer(client, "DELETE", `${API_SERVICES}/${name}`, {}, [404]);
  }

  #isServed(group: string, version: string): boolean {
    return this.#definitions.all().some(({ object }) => {
      const definition = object as unknown as CustomResourceDefinition;
      const { spec } = definition;
      return (
        spec.group === group &&
        (spec.versions ?? []).some(({ name, served }) => name === version && served === true) &&
        hasCondition(definition, "Established")
      );
    });
  }
}

/** Made for a definition, and not changed by anybody into something else. */
function isManaged({ metadata }: KubeObject): boolean {
  return (metadata?.labels as Readonly<Record<string, string>> | undefined)?.[MANAGED] === "true";
}

function builtinPriority(name: string, group: string): object {
  const stage = name.startsWith("v1alpha") ? 9 : /^v\d+beta/.test(name) ? 12 : 15;
  return { groupPriorityMinimum: GROUP_PRIORITY[group] ?? 15000, versionPriority: VERSION_PRIORITY[name] ?? stage };
}
