// The admission of a server: its plugins in their order, and the sources in the store and in files that they follow.

import type { Authorizer } from "@celadon/admission";
import type { MutatingHosts } from "@celadon/admission/mutating";
import { type Gates, NAMESPACED_BINDINGS, OWN_GROUP } from "@celadon/admission/proposals";
import type { WebhookTransport } from "@celadon/admission/webhook";
import { gvkOf } from "@celadon/kube";
import type { ResourceQuota } from "@celadon/kube/api/core-v1";
import type { Minor } from "@celadon/kube/versions";
import { type AdmissionPlugin, PluginChain } from "@celadon/write";
import { delayed, withoutStatic } from "./admission/followed.ts";
import type { storeHosts } from "./admission/hosts.ts";
import { Mutation } from "./admission/mutation.ts";
import { namespaceLifecycle } from "./admission/namespace-lifecycle.ts";
import { followNamespacedBindings, namespacedBindingPlugin } from "./admission/namespaced-bindings.ts";
import { LACKING_PLUGINS, OTHER_PLUGINS } from "./admission/plugin-names.ts";
import { builtinPlugins, PLUGIN_RESOURCES } from "./admission/plugins/index.ts";
import { cachedHosts } from "./admission/plugins/plugin-caches.ts";
import { resourceQuota } from "./admission/plugins/resource-quota.ts";
import type { StaticDirectories, StaticPlugin } from "./admission/static-manifests.ts";
import { type StaticChange, StaticSource } from "./admission/static-source.ts";
import { ValidatingPolicies } from "./admission/validating-policies.ts";
import { Webhooks } from "./admission/webhooks.ts";
import type { KindTable } from "./kinds/kind-table.ts";
import type { ServerMetrics } from "./metrics/server-metrics.ts";
import { nameSuffix } from "./registry/names.ts";
import type { ResourceCache } from "./store/cache.ts";
import { type NamedCaches, objectsIn } from "./store/named-caches.ts";
import type { ObjectStore } from "./store/object-store.ts";
import { checkHas, checkNames } from "./switches.ts";

const POLICIES = ["validatingadmissionpolicies", "validatingadmissionpolicybindings"].map(inGroup);
const MUTATING_POLICIES = ["mutatingadmissionpolicies", "mutatingadmissionpolicybindings"].map(inGroup);
const WEBHOOKS = ["mutatingwebhookconfigurations", "validatingwebhookconfigurations"].map(inGroup);
const DEFINITIONS = "customresourcedefinitions.apiextensions.k8s.io";

/** The resources that admission reads. */
export const ADMISSION_RESOURCES: readonly string[] = [
  ...POLICIES,
  ...MUTATING_POLICIES,
  ...WEBHOOKS,
  ...PLUGIN_RESOURCES,
];

/** The parts of the plugin that mutates. */
const MUTATING = [{ name: "MutatingAdmissionPolicy" }, { name: "MutatingAdmissionWebhook" }];
export interface AdmissionOptions {
  readonly kubeVersion?: Minor | undefined;
  readonly gates?: Gates | undefined;
  readonly withoutPlugins?: readonly string[] | undefined;
  readonly withPlugins?: readonly string[] | undefined;
  readonly staticManifests?: StaticDirectories | undefined;
  readonly policyLag?: number | undefined;
}

export interface AdmissionHosts {
  readonly kinds: KindTable;
  readonly objects: ObjectStore;
  readonly caches: NamedCaches;
  readonly metrics: ServerMetrics;
  readonly authorizer: Authorizer;
  readonly policies: ReturnType<typeof storeHosts>;
  readonly mutation: Pick<MutatingHosts, "mergeType" | "complete">;
  readonly transport: WebhookTransport;
  updateQuotaStatus(quota: ResourceQuota): Promise<boolean>;
  readonly now: () => number;
}

export class ServerAdmission {
  readonly chain: PluginChain;
  readonly #hosts: AdmissionHosts;
  readonly #options: AdmissionOptions;
  readonly #without: ReadonlySet<string>;
  readonly #policies: ValidatingPolicies;
  readonly #webhooks: Webhooks;
  readonly #mutation: Mutation;
  readonly #statics: StaticSource | undefined;
  /** The bindings in namespaces that are in force. */
  #followed: ResourceCache | undefined;

  /** Throws an UnknownNameError for a plugin that does not exist. */
  constructor(hosts: AdmissionHosts, options: AdmissionOptions) {
    this.#hosts = hosts;
    this.#options = options;
    this.#without = new Set(options.withoutPlugins);
    const { caches, metrics } = hosts;
    this.#policies = new ValidatingPolicies(hosts.policies, metrics.admission, options.gates, options.kubeVersion);
    this.#webhooks = new Webhooks(hosts.policies, hosts.transport, metrics.admission, options.kubeVersion);
    this.#mutation = new Mutation({ ...hosts.policies, ...hosts.mutation }, this.#webhooks, options.kubeVersion);
    this.#statics =
      options.staticManifests &&
      new StaticSource(options.staticManifests, metrics.statics, (plugin, change) => this.#applyStatic(plugin, change));
    const pluginHosts = cachedHosts((resource) => caches.of(resource), hosts.authorizer);
    const plugins = [
      namespaceLifecycle((name) => caches.object("namespaces", "", name)),
      ...builtinPlugins(pluginHosts, metrics.podSecurity, nameSuffix),
      ...(options.gates?.NamespacedBindings ? [this.#namespacedBindings(options.gates)] : []),
      this.#mutation,
      this.#policies,
      this.#webhooks.validating,
      resourceQuota({ ...pluginHosts, updateQuotaStatus: (quota) => hosts.updateQuotaStatus(quota), now: hosts.now }),
    ];
    const { withoutPlugins = [], withPlugins = [] } = options;
    checkNames("admission plugin", [...withoutPlugins, ...withPlugins], [...plugins, ...MUTATING, ...OTHER_PLUGINS]);
    checkHas("admission plugin", withPlugins, LACKING_PLUGINS);
    const asked = plugins.filter(({ name }) => !this.#without.has(name));
    this.chain = new PluginChain(asked, (plugin, phase) => metrics.admission.plugin(plugin, phase));
  }

  /** Policies, bindings and webhooks are in force from now on. */
  async follow(): Promise<void> {
    const { staticManifests, policyLag = 0, gates } = this.#options;
    const { caches } = this.#hosts;
    const followed = (resource: string) => {
      const changes = delayed(caches.of(resource), policyLag);
      return staticManifests === undefined ? changes : withoutStatic(changes);
    };
    this.#statics?.start();
    this.#policies.follow(...POLICIES.map(followed));
    if (gates?.NamespacedBindings) {
      await this.#followNamespacedBindings();
      caches.of(DEFINITIONS).subscribe(() => void this.#followNamespacedBindings());
    }
    // Webhooks and policies mutate in one plugin; a plugin that is off is skipped.
    if (!this.#without.has("MutatingAdmissionPolicy")) this.#mutation.follow(...MUTATING_POLICIES.map(followed));
    const asked = this.#without.has("MutatingAdmissionWebhook") ? WEBHOOKS.slice(1) : WEBHOOKS;
    this.#webhooks.follow(...asked.map(followed));
  }

  stop(): void {
    this.#statics?.stop();
  }

  #namespacedBindings(gates: Gates): AdmissionPlugin {
    const { kinds, caches, authorizer } = this.#hosts;
    return namespacedBindingPlugin({
      gates,
      authorizer,
      resourceOf: (kind) => kinds.kind(kind)?.resource,
      isNamespaced: (kind) => kinds.kind(gvkOf(kind))?.namespaced === true,
      policy: (name) => caches.object(POLICIES[0]!, "", name) as never,
      bindings: () => [
        ...caches.objects(POLICIES[1]!),
        ...(this.#followed === undefined ? [] : objectsIn(this.#followed)),
      ],
    });
  }

  /** Follows the resource as soon as it is served, and again when its definition was deleted and created again. */
  async #followNamespacedBindings(): Promise<void> {
    const { kinds, objects } = this.#hosts;
    const served = kinds.resource(OWN_GROUP, "v1", NAMESPACED_BINDINGS.resource);
    const cache = served && objects.cache(served.storage, { keepParsed: true });
    if (cache === undefined || cache === this.#followed) return;
    this.#followed = cache;
    await cache.ready();
    followNamespacedBindings(this.#policies, cache);
  }

  #applyStatic(plugin: StaticPlugin, { put, remove }: StaticChange): void {
    const change = { put: put as never, remove: remove as never };
    if (plugin === "ValidatingAdmissionPolicy") this.#policies.change(change);
    else if (plugin === "MutatingAdmissionPolicy") this.#mutation.change(change);
    else this.#webhooks.change(change);
  }
}

function inGroup(resource: string): string {
  return `${resource}.admissionregistration.k8s.io`;
}
