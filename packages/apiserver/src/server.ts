// The API server put together: a store, what is served from it, and the way of a call through it. It knows no sockets.

import { generateKeyPairSync, type KeyObject } from "node:crypto";
import type { Authorizer } from "@celadon/admission";
import { builtinMergeTypeOf, completeBuiltin, createSchemas } from "@celadon/admission/memory";
import type { MutatingHosts } from "@celadon/admission/mutating";
import { type Gates, NAMESPACED_BINDINGS, namespacedBindingDefinition, OWN_GROUP } from "@celadon/admission/proposals";
import type { WebhookTransport } from "@celadon/admission/webhook";
import { gvkOf, type KubeObject } from "@celadon/kube";
import type { ResourceQuota } from "@celadon/kube/api/core-v1";
import type { Store } from "@celadon/storage";
import { Chain } from "./admission/chain.ts";
import { delayed, withoutStatic } from "./admission/followed.ts";
import { storeHosts } from "./admission/hosts.ts";
import { httpsPost, httpsTransport } from "./admission/https-transport.ts";
import { Mutation } from "./admission/mutation.ts";
import { namespaceLifecycle } from "./admission/namespace-lifecycle.ts";
import { followNamespacedBindings, namespacedBindingPlugin } from "./admission/namespaced-bindings.ts";
import type { AdmissionContext, AdmissionPlugin } from "./admission/plugin.ts";
import { OTHER_PLUGINS } from "./admission/plugin-names.ts";
import { builtinPlugins, PLUGIN_RESOURCES } from "./admission/plugins/index.ts";
import { cachedHosts } from "./admission/plugins/plugin-caches.ts";
import { resourceQuota } from "./admission/plugins/resource-quota.ts";
import { ServiceEndpoints } from "./admission/service-endpoints.ts";
import type { StaticDirectories, StaticPlugin } from "./admission/static-manifests.ts";
import { type StaticChange, StaticSource } from "./admission/static-source.ts";
import { ValidatingPolicies } from "./admission/validating-policies.ts";
import { Webhooks } from "./admission/webhooks.ts";
import { Authenticator, type TokenSource } from "./authn/authenticator.ts";
import { TokenSigner } from "./authn/jwt.ts";
import { ServiceAccountTokens } from "./authn/service-account-tokens.ts";
import { Access, ALWAYS_ALLOW, firstToAllow, userOf } from "./authz/access.ts";
import { NodeAuthorizer } from "./authz/node-authorizer.ts";
import { nodeOf } from "./authz/node-identity.ts";
import { NodePods } from "./authz/node-pods.ts";
import { rulesStatus, StoredRbac } from "./authz/rbac.ts";
import { bootstrap, SERVICE_RANGE } from "./bootstrap/bootstrap.ts";
import { writeFirstObjects } from "./bootstrap/first-objects.ts";
import { LocalClient } from "./client/local-client.ts";
import { afterFirstChange } from "./controllers/after-first-change.ts";
import { ApiServiceController } from "./controllers/api-service-controller.ts";
import { COMPONENT_OBJECTS, ComponentObjects } from "./controllers/component-objects.ts";
import type { Controller } from "./controllers/controller.ts";
import { DefinitionController } from "./controllers/definition-controller.ts";
import { ensureDefinition } from "./controllers/ensure.ts";
import { FlowSchemaController } from "./controllers/flow-schema-controller.ts";
import { GarbageCollector } from "./controllers/garbage-collector.ts";
import { NamespaceController } from "./controllers/namespace-controller.ts";
import { PolicyStatusController } from "./controllers/policy-status-controller.ts";
import { QuotaController } from "./controllers/quota-controller.ts";
import { RoleAggregationController } from "./controllers/role-aggregation-controller.ts";
import { RootCaController } from "./controllers/root-ca-controller.ts";
import { SERVICE_ACCOUNTS, ServiceAccountController } from "./controllers/service-account-controller.ts";
import { StorageProtectionController } from "./controllers/storage-protection-controller.ts";
import { Definitions } from "./custom/definitions.ts";
import { Discovery } from "./discovery/discovery.ts";
import { Health } from "./health/health.ts";
import { Issuer } from "./health/issuer.ts";
import { START_HOOKS } from "./health/start-hooks.ts";
import { KUBERNETES_VERSION } from "./health/version.ts";
import { KindTable } from "./kinds/kind-table.ts";
import { keyOf, type ServedResource, type StorageResource } from "./kinds/resource.ts";
import { ServerMetrics } from "./metrics/server-metrics.ts";
import type { OpenApi } from "./openapi/openapi.ts";
import { Deliveries } from "./registry/deliveries.ts";
import type { Exchange } from "./registry/exchange.ts";
import { builtinHandler, customHandler } from "./registry/handlers.ts";
import { generateName } from "./registry/names.ts";
import { completeObject, Ownership } from "./registry/ownership.ts";
import type { AdmissionChain, ResourceHandler, Services } from "./registry/services.ts";
import { timestamp } from "./registry/timestamps.ts";
import { FlowSchemas } from "./route/flow-schemas.ts";
import { Router, type Served } from "./route/serve.ts";
import type { ResourceCache } from "./store/cache.ts";
import { ObjectStore } from "./store/object-store.ts";
import { ServiceAddresses } from "./strategy/service-addresses.ts";
import { checkNames, shortName } from "./switches.ts";
import type { Call, Peer } from "./wire/call.ts";

/** The parts and settings of a server. */
export interface ServerOptions {
  readonly store: Store;
  /** False when other servers write to the same store. */
  readonly exclusive?: boolean;
  readonly tokens?: readonly TokenSource[];
  /** Roles and bindings decide, or everybody may do everything. Default: RBAC. */
  readonly authorization?: "RBAC" | "AlwaysAllow";
  /** How webhooks are reached; by default over HTTPS. */
  readonly webhooks?: WebhookTransport;
  /** host:port under which clients reach the server. */
  readonly address?: () => string;
  /** Signs tokens of service accounts; a fresh key when absent. */
  readonly tokenKey?: KeyObject;
  readonly issuer?: string;
  /** Of the addresses of services, in CIDR notation. */
  readonly serviceRange?: string;
  /** PEM: given to every namespace, so that clients inside it trust the server. */
  readonly rootCa?: string;
  /** Milliseconds after which policies, bindings and webhooks take effect; at once by default. */
  readonly policyLag?: number;
  /** Ideas of the proposals that are on; all are off by default. */
  readonly gates?: Gates;
  /** Admission plugins that are not asked, by name. */
  readonly withoutPlugins?: readonly string[];
  /** Controllers that are not started, by name. */
  readonly withoutControllers?: readonly string[];
  /**
   * Also has what Kubernetes' components and tools expect of a cluster: their roles and bindings, the suggested flow schemas, APIServices.
   * They are created shortly after the start. Default: false.
   */
  readonly componentObjects?: boolean;
  /** Directories of policies and webhooks that are in force from the start and cannot be changed through the API. */
  readonly staticManifests?: StaticDirectories;
  /** Requests at once, as whoever listens limits them: levels of priority have shares of it. */
  readonly requestLimit?: number;
  readonly now?: () => number;
}

/** The server's own components. */
const SYSTEM = { username: "system:apiserver", groups: ["system:masters"] };
const ISSUER = "https://kubernetes.default.svc.cluster.local";

const FLOW_SCHEMAS = "flowschemas.flowcontrol.apiserver.k8s.io";
const PRIORITY_LEVELS = "prioritylevelconfigurations.flowcontrol.apiserver.k8s.io";
const ADMISSION = "admissionregistration.k8s.io";
const EXTENSIONS = "apiextensions.k8s.io";
const DEFINITIONS = "customresourcedefinitions";
const RBAC = "rbac.authorization.k8s.io";

/** The parts of the plugin that mutates. */
const MUTATING = [{ name: "MutatingAdmissionPolicy" }, { name: "MutatingAdmissionWebhook" }];

/** An API server over a store. It does not use sockets: it answers calls. */
export class ApiServer {
  readonly kinds: KindTable = new KindTable();
  readonly objects: ObjectStore;
  readonly services: Services;
  readonly access: Access;
  readonly metrics: ServerMetrics;
  readonly #router: Router;
  readonly #handlers = new WeakMap<ServedResource, ResourceHandler>();
  readonly #definitions: Definitions;
  readonly #policies: ValidatingPolicies;
  readonly #webhooks: Webhooks;
  readonly #mutation: Mutation;
  readonly #addresses: ServiceAddresses;
  readonly #statics: StaticSource | undefined;
  readonly #controllers: readonly Controller[];
  readonly #options: ServerOptions;
  readonly #now: () => number;
  #isReady = false;
  #openapi: Promise<OpenApi> | undefined;
  #stopWaiting: () => void = () => {};
  /** The bindings in namespaces that are in force. */
  #followed: ResourceCache | undefined;

  constructor(options: ServerOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.objects = new ObjectStore(options.store, { exclusive: options.exclusive ?? true });
    this.metrics = new ServerMetrics({
      objects: this.objects,
      version: KUBERNETES_VERSION,
      seats: () => flowSchemas.seats(options.requestLimit ?? REQUEST_LIMIT),
      now: this.#now,
    });
    const flowSchemas = new FlowSchemas(
      this.#cacheOf(FLOW_SCHEMAS),
      this.#cacheOf(PRIORITY_LEVELS),
      this.metrics.flows,
    );
    this.#addresses = new ServiceAddresses(options.serviceRange ?? SERVICE_RANGE, this.#now);
    const handler = (resource: ServedResource): ResourceHandler => this.#handler(resource);
    const endpoints = new ServiceEndpoints(
      this.#cache("", "services"),
      this.objects.cache(this.#storageOf("discovery.k8s.io", "endpointslices")),
    );
    const post = httpsPost(endpoints);
    this.#definitions = new Definitions(this.kinds, this.#cache(EXTENSIONS, DEFINITIONS), {
      dropped: (prefix) => this.objects.drop(prefix),
      retired: (resource) => this.#handlers.get(resource)?.retire?.(),
      post: (review) => post(review),
      observe: (seconds, problem) => this.metrics.conversions.observe(seconds, problem),
    });
    const authorizer: Authorizer = options.authorization === "AlwaysAllow" ? ALWAYS_ALLOW : this.#rbac();
    const tokens = this.#tokens();
    this.access = new Access(authorizer instanceof StoredRbac ? this.#withNodes(authorizer) : authorizer);
    const hosts = storeHosts({
      kinds: this.kinds,
      authorizer: this.access,
      cacheOf: (resource) => this.#handler(resource).cache,
      fromStorage: (object, resource) => this.#handler(resource).codec.fromStorage(object),
      convert: (object, from, to) => this.#convert(object, from, to),
    });
    this.#policies = new ValidatingPolicies(hosts, this.metrics.admission, options.gates);
    const transport = options.webhooks ?? httpsTransport(post);
    this.#webhooks = new Webhooks(hosts, transport, this.metrics.admission);
    this.#mutation = new Mutation({ ...hosts, ...this.#mutatingHosts() }, this.#webhooks);
    this.#statics =
      options.staticManifests &&
      new StaticSource(options.staticManifests, this.metrics.statics, (plugin, change) =>
        this.#applyStatic(plugin, change),
      );
    const namespaces = this.#cache("", "namespaces");
    const pluginHosts = cachedHosts((resource) => this.#cacheOf(resource), this.access);
    const plugins = [
      namespaceLifecycle((name) => namespaces.get(keyOf(namespaces.storage, "", name))?.object),
      ...builtinPlugins(pluginHosts, this.metrics.podSecurity, () => generateName("")),
      ...(options.gates?.NamespacedBindings ? [this.#namespacedBindings(options.gates)] : []),
      this.#mutation,
      this.#policies,
      this.#webhooks.validating,
      resourceQuota({
        ...pluginHosts,
        updateQuotaStatus: (quota) => this.#updateQuotaStatus(quota),
        now: this.#now,
      }),
    ];
    const without = new Set(options.withoutPlugins);
    const chain = new Chain(
      plugins.filter(({ name }) => !without.has(name)),
      this.metrics.admission,
    );
    this.services = {
      kinds: this.kinds,
      objects: this.objects,
      admission: admissionOf(chain),
      ownership: new Ownership(handler, this.#now),
      deliveries: new Deliveries(),
      handler,
      authorize: (exchange, verb) => this.access.check(exchange.user, requestOf(exchange), verb),
      decide: (attributes) => this.access.authorize(attributes),
      grantedRules: (user, namespace) =>
        authorizer instanceof StoredRbac ? authorizer.rulesFor(userOf(user), namespace) : { rules: [], errors: [] },
      rulesFor: (user, namespace) => rulesStatus(authorizer, userOf(user), namespace),
      reviewToken: (token, audiences) => reviewToken(token, audiences, tokens, options.tokens ?? []),
      issueToken: (request) => tokens.issue(request),
      audiences: [options.issuer ?? ISSUER],
      namespaceLabels: (name) =>
        (namespaces.get(keyOf(namespaces.storage, "", name))?.object.metadata?.labels ?? {}) as Readonly<
          Record<string, string>
        >,
      network: (dryRun) => this.#addresses.network(dryRun),
      now: this.#now,
    };
    const address = options.address ?? (() => "127.0.0.1:6443");
    this.#router = new Router({
      kinds: this.kinds,
      services: this.services,
      authenticator: new Authenticator([...(options.tokens ?? []), tokens]),
      access: this.access,
      discovery: new Discovery(this.kinds, address),
      openapi: () => (this.#openapi ??= this.#loadOpenApi()),
      metrics: this.metrics,
      flowSchemas,
      health: new Health([
        { name: "etcd", endpoints: ["healthz", "livez", "readyz"], isHealthy: () => this.objects.feed.isOpen },
        { name: "etcd-readiness", endpoints: ["readyz"], isHealthy: () => this.objects.feed.isOpen },
        { name: "informer-sync", endpoints: ["readyz"], isHealthy: () => this.#isReady },
        ...[...START_HOOKS, "autoregister-completion"].map((name) => ({
          name,
          endpoints: ["healthz", "livez", "readyz"] as const,
          isHealthy: () => this.#isReady,
        })),
        { name: "shutdown", endpoints: ["readyz"], isHealthy: () => this.objects.feed.isOpen },
      ]),
      issuer: new Issuer(options.issuer ?? ISSUER, tokens.jwks(), address),
    });
    this.#controllers = this.#makeControllers();
    checkNames("controller", options.withoutControllers ?? [], this.#controllers);
    checkNames("admission plugin", options.withoutPlugins ?? [], [...plugins, ...MUTATING, ...OTHER_PLUGINS]);
  }

  /** Resolves when the server can answer. */
  async start(): Promise<void> {
    const off = new Set(this.#options.withoutControllers?.map(shortName));
    const isPrepared = await this.#prepareStore(off);
    if (isPrepared) off.add(COMPONENT_OBJECTS);
    await this.objects.start();
    const policies = ["validatingadmissionpolicies", "validatingadmissionpolicybindings"];
    const mutating = ["mutatingadmissionpolicies", "mutatingadmissionpolicybindings"];
    const webhooks = ["mutatingwebhookconfigurations", "validatingwebhookconfigurations"];
    const first = [
      ...["namespaces", "serviceaccounts", "configmaps", "services"].map((resource) => this.#cache("", resource)),
      this.#cache(EXTENSIONS, DEFINITIONS),
      ...[...policies, ...mutating, ...webhooks].map((resource) => this.#cache(ADMISSION, resource)),
      ...RBAC_RESOURCES.map((resource) => this.#cache(RBAC, resource)),
      ...[...PLUGIN_RESOURCES, FLOW_SCHEMAS, PRIORITY_LEVELS].map((resource) => this.#cacheOf(resource)),
    ];
    await Promise.all(first.map((cache) => cache.ready()));
    this.#definitions.follow();
    this.#addresses.follow(this.#cache("", "services"));
    const followed = (resource: string) => {
      const changes = delayed(this.#cache(ADMISSION, resource), this.#options.policyLag ?? 0);
      return this.#options.staticManifests === undefined ? changes : withoutStatic(changes);
    };
    this.#statics?.start();
    this.#policies.follow(...policies.map(followed));
    if (this.#options.gates?.NamespacedBindings) {
      await this.#followNamespacedBindings();
      this.#cache(EXTENSIONS, DEFINITIONS).subscribe(() => void this.#followNamespacedBindings());
    }
    // Webhooks and policies mutate in one plugin; what is not known is not asked.
    const without = new Set(this.#options.withoutPlugins);
    if (!without.has("MutatingAdmissionPolicy")) this.#mutation.follow(...mutating.map(followed));
    const asked = without.has("MutatingAdmissionWebhook") ? webhooks.slice(1) : webhooks;
    this.#webhooks.follow(...asked.map(followed));
    const client = this.client(SYSTEM);
    if (!isPrepared) await bootstrap(client, this.#options.serviceRange);
    if (this.#options.gates?.NamespacedBindings) await ensureDefinition(client, namespacedBindingDefinition());
    this.#isReady = true;
    this.#stopWaiting = afterFirstChange(this.objects.feed, () => {
      for (const controller of this.#controllers) if (!off.has(controller.name)) controller.start(client);
    });
  }

  /** True when the store has the objects of a new server. They are always the same, unless the server is told what changes them. */
  async #prepareStore(off: ReadonlySet<string>): Promise<boolean> {
    const { store, serviceRange = SERVICE_RANGE, staticManifests, componentObjects = false } = this.#options;
    if (serviceRange !== SERVICE_RANGE || staticManifests !== undefined) return false;
    return writeFirstObjects(store, {
      accounts: !off.has(SERVICE_ACCOUNTS),
      components: componentObjects && !off.has(COMPONENT_OBJECTS),
      now: this.#now(),
    });
  }

  /** Calls of a user that needs no further proof. */
  client(peer: Peer): LocalClient {
    return new LocalClient(this, peer);
  }

  serve(call: Call): Promise<Served> {
    return this.#router.serve(call);
  }

  /** Ends every watch, so that clients resume elsewhere or later. */
  endWatches(): void {
    this.objects.endWatches();
  }

  close(): Promise<void> {
    this.#statics?.stop();
    this.#stopWaiting();
    for (const controller of this.#controllers) controller.stop();
    return this.objects.close();
  }

  #namespacedBindings(gates: Gates): AdmissionPlugin {
    return namespacedBindingPlugin({
      gates,
      authorizer: this.access,
      resourceOf: (kind) => this.kinds.kind(kind)?.resource,
      isNamespaced: (kind) => this.kinds.kind(gvkOf(kind))?.namespaced === true,
      policy: (name) => {
        const policies = this.#cache(ADMISSION, "validatingadmissionpolicies");
        return policies.get(keyOf(policies.storage, "", name))?.object as never;
      },
      bindings: () => [
        ...objectsIn(this.#cache(ADMISSION, "validatingadmissionpolicybindings")),
        ...(this.#followed === undefined ? [] : objectsIn(this.#followed)),
      ],
    });
  }

  /** As soon as they are served, and again when somebody has deleted their definition and put it back. */
  async #followNamespacedBindings(): Promise<void> {
    const served = this.kinds.resource(OWN_GROUP, "v1", NAMESPACED_BINDINGS.resource);
    const cache = served && this.objects.cache(served.storage, { keepParsed: true });
    if (cache === undefined || cache === this.#followed) return;
    this.#followed = cache;
    await cache.ready();
    followNamespacedBindings(this.#policies, cache);
  }

  async #loadOpenApi(): Promise<OpenApi> {
    const { OpenApi } = await import("./openapi/openapi.ts");
    return new OpenApi({
      kinds: this.kinds,
      definition: (resource) => this.#definitions.of(resource)?.definition,
    });
  }

  #applyStatic(plugin: StaticPlugin, { put, remove }: StaticChange): void {
    const change = { put: put as never, remove: remove as never };
    if (plugin === "ValidatingAdmissionPolicy") this.#policies.change(change);
    else if (plugin === "MutatingAdmissionPolicy") this.#mutation.change(change);
    else this.#webhooks.change(change);
  }

  #handler(resource: ServedResource): ResourceHandler {
    let handler = this.#handlers.get(resource);
    if (handler === undefined) this.#handlers.set(resource, (handler = this.#makeHandler(resource)));
    return handler;
  }

  async #convert(object: KubeObject, from: ServedResource, to: ServedResource): Promise<KubeObject> {
    const target = this.#handler(to);
    if (target.convert !== undefined) return target.convert(object);
    return target.codec.fromStorage(await this.#handler(from).codec.toStorage(object));
  }

  #makeHandler(resource: ServedResource): ResourceHandler {
    const custom = this.#definitions.of(resource);
    if (custom !== undefined) return customHandler(resource, custom, this.objects, this.#now);
    const hosts = {
      authorizer: this.access,
      manifestBasedConfig: this.#options.staticManifests !== undefined,
      gates: this.#options.gates ?? {},
      types: () => createSchemas({ definitions: objectsIn(this.#cache(EXTENSIONS, DEFINITIONS)) }),
      bindings: () => objectsIn(this.#cache(ADMISSION, "validatingadmissionpolicybindings")),
      resourceOf: (kind: { group: string; version: string; kind: string }) => this.kinds.kind(kind)?.resource,
      policy: (kind: string, name: string): KubeObject | undefined => {
        const policies = this.#cache(ADMISSION, this.kinds.kind({ group: ADMISSION, version: "v1", kind })!.resource);
        return policies.get(keyOf(policies.storage, "", name))?.object;
      },
    };
    return builtinHandler(resource, this.objects, hosts, this.#now);
  }

  async #updateQuotaStatus(quota: ResourceQuota): Promise<boolean> {
    const { namespace = "", name = "" } = quota.metadata ?? {};
    const path = `/api/v1/namespaces/${namespace}/resourcequotas/${name}/status`;
    const { code, text } = await this.client(SYSTEM).call("PUT", path, { body: quota });
    if (code >= 400 && code !== 404 && code !== 409) throw new Error(text);
    return code !== 409;
  }

  #tokens(): ServiceAccountTokens {
    const { tokenKey = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey, issuer = ISSUER } = this.#options;
    const plurals = { Pod: "pods", Secret: "secrets", Node: "nodes" } as const;
    const find = (plural: string, namespace: string, name: string): KubeObject | undefined => {
      const cache = this.#cache("", plural);
      return cache.get(keyOf(cache.storage, namespace, name))?.object;
    };
    return new ServiceAccountTokens(new TokenSigner(tokenKey), {
      issuer,
      now: () => this.#now() / 1000,
      serviceAccount: (namespace, name) => find("serviceaccounts", namespace, name),
      bound: (kind, namespace, name) => find(plurals[kind], namespace, name),
    });
  }

  #makeControllers(): readonly Controller[] {
    const [namespaces, serviceAccounts, configMaps] = ["namespaces", "serviceaccounts", "configmaps"].map((resource) =>
      this.#cache("", resource),
    ) as [ResourceCache, ResourceCache, ResourceCache];
    const definitions = this.#cache(EXTENSIONS, DEFINITIONS);
    return [
      new DefinitionController(definitions, this.kinds, () => timestamp(this.#now())),
      new NamespaceController(namespaces, this.kinds, () => timestamp(this.#now())),
      new ServiceAccountController(namespaces, serviceAccounts),
      new RootCaController(namespaces, configMaps, this.#options.rootCa),
      new FlowSchemaController(this.#cacheOf(FLOW_SCHEMAS), this.#cacheOf(PRIORITY_LEVELS), () =>
        timestamp(this.#now()),
      ),
      new RoleAggregationController(this.#cache(RBAC, "clusterroles")),
      new GarbageCollector(this.objects, this.kinds),
      new QuotaController({
        quotas: this.#cacheOf("resourcequotas"),
        objects: this.objects,
        cacheOf: (name) => this.#servedCache(name),
        now: this.#now,
      }),
      new StorageProtectionController({
        pods: this.objects.cache(this.#storageOf("", "pods")),
        claims: this.objects.cache(this.#storageOf("", "persistentvolumeclaims")),
        volumes: this.objects.cache(this.#storageOf("", "persistentvolumes")),
        classes: this.objects.cache(this.#storageOf("storage.k8s.io", "volumeattributesclasses")),
      }),
      new PolicyStatusController(this.#cache(ADMISSION, "validatingadmissionpolicies"), definitions),
      ...(this.#options.componentObjects
        ? [
            new ApiServiceController(this.kinds, definitions, this.#cache("apiregistration.k8s.io", "apiservices")),
            new ComponentObjects(),
          ]
        : []),
    ];
  }

  /** What mutations need of kinds: how to merge them, and how a patched object reads as one. */
  #mutatingHosts(): Pick<MutatingHosts, "mergeType" | "complete"> {
    return {
      mergeType: (kind) => {
        const resource = this.kinds.kind(kind);
        if (resource === undefined) return builtinMergeTypeOf(kind);
        return this.#handler(resource).mergeType(resource.apiVersion) ?? "none";
      },
      complete: (object, kind, reading) => {
        const completed = completeBuiltin(object, kind, reading);
        if (completed !== undefined) return completed;
        const resource = this.kinds.kind(kind);
        return resource === undefined ? object : completeObject(object, this.#handler(resource).codec);
      },
    };
  }

  /** Nodes may do what their pods need; what that does not allow is up to roles. */
  #withNodes(rbac: StoredRbac): Authorizer {
    const pods = new NodePods(this.#cache("", "pods"));
    const cacheOf = (resource: string): ResourceCache => this.#cacheOf(resource);
    const nodes = new NodeAuthorizer({
      podsOn: (node) => pods.on(node),
      async find(resource, name) {
        const cache = cacheOf(resource);
        await cache.ready();
        return cache.get(keyOf(cache.storage, "", name))?.object;
      },
      async list(resource) {
        const cache = cacheOf(resource);
        await cache.ready();
        return cache.all().map(({ object }) => object);
      },
    });
    return {
      authorize(attributes) {
        if (nodeOf(attributes.user.name, attributes.user.groups) === undefined) return rbac.authorize(attributes);
        return firstToAllow([nodes, rbac], attributes);
      },
    };
  }

  #rbac(): StoredRbac {
    return new StoredRbac(RBAC_RESOURCES.map((resource) => this.#cache(RBAC, resource)));
  }

  /** `pods`, `storageclasses.storage.k8s.io`. */
  #cacheOf(name: string): ResourceCache {
    const dot = name.indexOf(".");
    return dot === -1 ? this.#cache("", name) : this.#cache(name.slice(dot + 1), name.slice(0, dot));
  }

  /** Of whatever is served under that name, in any version. */
  #servedCache(name: string): ResourceCache | undefined {
    const dot = name.indexOf(".");
    const of =
      dot === -1 ? { group: "", resource: name } : { group: name.slice(dot + 1), resource: name.slice(0, dot) };
    const [served] = this.kinds.versions(of);
    return served?.namespaced ? this.objects.cache(served.storage) : undefined;
  }

  #storageOf(group: string, resource: string): StorageResource {
    return this.kinds.resource(group, "v1", resource)!.storage;
  }

  #cache(group: string, resource: string): ResourceCache {
    const storage = this.#storageOf(group, resource);
    return this.objects.cache(storage, { keepParsed: !MANY.has(resource) });
  }
}

const objectsIn = (cache: ResourceCache): readonly KubeObject[] => cache.all().map(({ object }) => object);

/** Tokens given at the start belong to the server's own audience. */
async function reviewToken(
  token: string,
  audiences: readonly string[] | undefined,
  accounts: ServiceAccountTokens,
  given: readonly TokenSource[],
): Promise<ReturnType<ServiceAccountTokens["review"]>> {
  const wanted = audiences === undefined || audiences.length === 0 ? [accounts.issuer] : audiences;
  for (const source of given) {
    const user = await source.user(token);
    if (user !== undefined && wanted.includes(accounts.issuer)) return { user, audiences: [accounts.issuer] };
  }
  return accounts.review(token, wanted);
}

/** There may be many of them: they are not kept parsed. */
const MANY: ReadonlySet<string> = new Set(["configmaps", "services", "pods", "secrets"]);
const RBAC_RESOURCES = ["clusterroles", "clusterrolebindings", "roles", "rolebindings"];
const REQUEST_LIMIT = 600;
/** As long as a request may take. */
const REQUEST_SECONDS = 34;

function admissionOf(chain: Chain): AdmissionChain {
  const contextOf = ({ notes, user, call }: Exchange): AdmissionContext => {
    const started = performance.now();
    return {
      notes,
      user,
      get signal() {
        return call.signal;
      },
      remainingSeconds: () => REQUEST_SECONDS - (performance.now() - started) / 1000,
    };
  };
  return {
    mutate: (request, exchange) => chain.mutate(request, contextOf(exchange)),
    validate: (request, exchange) => chain.validate(request, contextOf(exchange)),
  };
}

function requestOf({ resource, subresource, namespace, name, call }: Exchange): Parameters<Access["check"]>[1] {
  const { group, version, resource: plural } = resource;
  const place = { namespace, resource: plural, subresource, name };
  return { verb: "", isResource: true, path: call.path, group, version, ...place, parts: [] };
}
