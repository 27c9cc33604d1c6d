// The API server put together: a store, the resources served from it, and the way of a call through it. It knows no sockets.

import type { UserInfo } from "@celadon/admission";
import { namespacedBindingDefinition } from "@celadon/admission/proposals";
import type { ResourceQuota } from "@celadon/kube/api/core-v1";
import { CURRENT } from "@celadon/kube/versions";
import { storeHosts } from "./admission/hosts.ts";
import { httpsPost, httpsTransport } from "./admission/https-transport.ts";
import { ServiceEndpoints } from "./admission/service-endpoints.ts";
import { accountTokens } from "./authn/account-tokens.ts";
import { Access } from "./authz/access.ts";
import { authorizerOf, RBAC_RESOURCES, storedRbac } from "./authz/stored-authorizer.ts";
import { bootstrap, SERVICE_RANGE } from "./bootstrap/bootstrap.ts";
import { LocalClient } from "./client/local-client.ts";
import { afterFirstChange } from "./controllers/after-first-change.ts";
import { allControllers } from "./controllers/all-controllers.ts";
import { COMPONENT_OBJECTS } from "./controllers/component-objects.ts";
import type { Controller } from "./controllers/controller.ts";
import { ensureDefinition } from "./controllers/ensure.ts";
import { Definitions } from "./custom/definitions.ts";
import { FlowControl } from "./flow/flow-control.ts";
import { gitVersion } from "./health/version.ts";
import { builtinResources } from "./kinds/builtin.ts";
import { KindTable } from "./kinds/kind-table.ts";
import type { ServedResource } from "./kinds/resource.ts";
import { LargeRequests } from "./large/large-requests.ts";
import { ServerMetrics } from "./metrics/server-metrics.ts";
import type { OpenApi } from "./openapi/openapi.ts";
import { prepareStore } from "./prepare-store.ts";
import { HandlerTable } from "./registry/handler-table.ts";
import type { ResourceHandler, Services } from "./registry/services.ts";
import type { Router, Served } from "./route/serve.ts";
import { ADMISSION_RESOURCES, ServerAdmission } from "./server-admission.ts";
import type { ServerOptions } from "./server-options.ts";
import { makeRouter } from "./server-router.ts";
import { makeServices } from "./server-services.ts";
import { NamedCaches } from "./store/named-caches.ts";
import { ObjectStore } from "./store/object-store.ts";
import { ServiceAddresses } from "./store/service-addresses.ts";
import { checkNames, shortName } from "./switches.ts";
import type { Call, Peer } from "./wire/call.ts";

/** The server's own components. */
const SYSTEM = { username: "system:apiserver", groups: ["system:masters"] };
const ISSUER = "https://kubernetes.default.svc.cluster.local";
const REQUEST_LIMIT = 600;
const REQUEST_TIMEOUT_MS = 60_000;

const DEFINITIONS = "customresourcedefinitions.apiextensions.k8s.io";
const FLOW_SCHEMAS = "flowschemas.flowcontrol.apiserver.k8s.io";
const PRIORITY_LEVELS = "prioritylevelconfigurations.flowcontrol.apiserver.k8s.io";

/** The resources that are read before the first answer. */
const READ_FIRST = [
  "namespaces",
  "serviceaccounts",
  "configmaps",
  "services",
  DEFINITIONS,
  FLOW_SCHEMAS,
  PRIORITY_LEVELS,
  ...RBAC_RESOURCES,
  ...ADMISSION_RESOURCES,
];

/** An API server over a store. It does not use sockets: it answers calls. */
export class ApiServer {
  readonly kinds: KindTable;
  readonly objects: ObjectStore;
  readonly services: Services;
  readonly access: Access;
  readonly metrics: ServerMetrics;
  readonly #caches: NamedCaches;
  readonly #handlers: HandlerTable;
  readonly #definitions: Definitions;
  readonly #admission: ServerAdmission;
  readonly #flows: FlowControl;
  readonly #addresses: ServiceAddresses;
  readonly #router: Router;
  readonly #large: LargeRequests | undefined;
  readonly #controllers: Controller[];
  readonly #options: ServerOptions;
  readonly #now: () => number;
  #isReady = false;
  #openapi: Promise<OpenApi> | undefined;
  #stopWaiting: () => void = () => {};

  constructor(options: ServerOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    const { kubeVersion = CURRENT } = options;
    this.kinds = new KindTable(builtinResources(kubeVersion));
    const { kinds } = this;
    const { issuer = ISSUER, simulate = false, componentObjects = simulate, rootCa, clientCa } = options;
    const now = this.#now;
    const objects = new ObjectStore(options.store, { exclusive: options.exclusive ?? true });
    const caches = new NamedCaches(kinds, objects);
    this.objects = objects;
    this.#caches = caches;
    this.metrics = new ServerMetrics({
      objects,
      version: gitVersion(kubeVersion),
      now,
    });
    this.#flows = new FlowControl({
      schemas: caches.of(FLOW_SCHEMAS),
      levels: caches.of(PRIORITY_LEVELS),
      metrics: this.metrics.flows,
      seats: options.requestLimit ?? REQUEST_LIMIT,
      requestTimeout: options.requestTimeout ?? REQUEST_TIMEOUT_MS,
      amountOf: ({ group, version, resource }) => {
        const served = kinds.resource(group, version, resource);
        return served && objects.amountOf(served.storage);
      },
    });
    this.#addresses = new ServiceAddresses(options.serviceRange ?? SERVICE_RANGE, now);
    // A chain decides even where everything else would be allowed.
    const isOpen = options.authorization === "AlwaysAllow" && options.authorizationChain === undefined;
    const rbac = isOpen ? undefined : storedRbac(caches);
    this.access = new Access(authorizerOf(options, rbac, caches));
    this.#handlers = new HandlerTable({
      kinds,
      objects,
      caches,
      gates: options.gates ?? {},
      manifestBasedConfig: options.staticManifests !== undefined,
      now,
      definitions: () => this.#definitions,
      authorizer: () => this.access,
    });
    const endpoints = caches.unparsed("endpointslices.discovery.k8s.io");
    const post = httpsPost(new ServiceEndpoints(caches.of("services"), endpoints));
    this.#definitions = new Definitions(kinds, caches.of(DEFINITIONS), {
      kubeVersion: options.kubeVersion,
      dropped: (prefix) => objects.drop(prefix),
      retired: (resource) => this.#handlers.retire(resource),
      post: (review) => post(review),
      observe: (seconds, problem) => this.metrics.conversions.observe(seconds, problem),
    });
    const handler = (resource: ServedResource): ResourceHandler => this.#handlers.of(resource);
    this.#admission = new ServerAdmission(
      {
        kinds,
        objects,
        caches,
        metrics: this.metrics,
        authorizer: this.access,
        policies: storeHosts({
          kinds,
          authorizer: this.access,
          cacheOf: (resource) => handler(resource).cache,
          fromStorage: (object, resource) => handler(resource).codec.fromStorage(object),
          convert: (object, from, to) => this.#handlers.convert(object, from, to),
        }),
        mutation: this.#handlers.mutatingHosts(),
        transport: options.webhooks ?? httpsTransport(post),
        updateQuotaStatus: (quota) => this.#updateQuotaStatus(quota),
        now,
      },
      options,
    );
    const tokens = accountTokens(caches, { key: options.tokenKey, issuer, now });
    this.services = makeServices(
      {
        kinds,
        objects,
        caches,
        handler,
        chain: this.#admission.chain,
        addresses: this.#addresses,
        access: this.access,
        rbac,
        tokens,
        issuer,
        now,
      },
      options,
    );
    const { largeRequests: large, store } = options;
    const count = (counts: Parameters<ServerMetrics["absorb"]>[0]): void => this.metrics.absorb(counts);
    this.#large = large && new LargeRequests({ ...large, store, feed: objects.feed, count });
    this.#router = makeRouter(
      {
        kinds,
        services: this.services,
        access: this.access,
        metrics: this.metrics,
        flows: this.#flows,
        large: this.#large,
        tokens,
        issuer,
        openapi: () => (this.#openapi ??= this.#loadOpenApi()),
        isOpen: () => objects.feed.isOpen,
        isReady: () => this.#isReady,
      },
      options,
    );
    const { kubeVersion: emulated } = options;
    const controlled = { kinds, objects, caches, now, rootCa, clientCa, componentObjects, kubeVersion: emulated };
    this.#controllers = [...allControllers(controlled)];
  }

  /** Resolves when the server can answer. */
  async start(): Promise<void> {
    if (this.#options.follows) return this.#follow();
    if (this.#options.simulate) await this.#simulate();
    checkNames("controller", this.#options.withoutControllers ?? [], this.#controllers);
    const off = new Set(this.#options.withoutControllers?.map(shortName));
    const isPrepared = await prepareStore(this.#options, this.kinds, off, this.#now());
    if (isPrepared) off.add(COMPONENT_OBJECTS);
    await this.#follow();
    const client = this.client(SYSTEM);
    if (!isPrepared) await bootstrap(client, this.#options.serviceRange, this.#options.kubeVersion);
    if (this.#options.gates?.NamespacedBindings) await ensureDefinition(client, namespacedBindingDefinition());
    this.#isReady = true;
    this.#flows.start();
    this.#stopWaiting = afterFirstChange(this.objects.feed, () => {
      for (const controller of this.#controllers) if (!off.has(controller.name)) controller.start(client);
    });
  }

  async #simulate(): Promise<void> {
    const { simulationControllers } = await import("./controllers/simulation/index.ts");
    const as = (peer: Peer): LocalClient => this.client(peer);
    this.#controllers.push(...simulationControllers({ caches: this.#caches, now: this.#now, as }));
  }

  /** Reads the objects that the first answer needs, and follows their changes. */
  async #follow(): Promise<void> {
    await this.objects.start();
    await Promise.all(READ_FIRST.map((resource) => this.#caches.of(resource).ready()));
    this.#definitions.follow();
    this.#addresses.follow(this.#caches.of("services"));
    await this.#admission.follow();
  }

  /** Calls of a user that needs no further proof. */
  client(peer: Peer): LocalClient {
    return new LocalClient(this, peer);
  }

  serve(call: Call): Promise<Served> {
    return this.#router.serve(call);
  }

  /** A call with a known user, which another server over the same store hands on. */
  serveAs(user: UserInfo, call: Call): ReturnType<Router["serveAs"]> {
    return this.#router.serveAs(user, call);
  }

  /** Ends every watch, so that clients resume elsewhere or later. */
  endWatches(): void {
    this.objects.endWatches();
  }

  close(): Promise<void> {
    this.#admission.stop();
    this.#flows.stop();
    this.#stopWaiting();
    for (const controller of this.#controllers) controller.stop();
    void this.#large?.close();
    return this.objects.close();
  }

  async #loadOpenApi(): Promise<OpenApi> {
    const { OpenApi } = await import("./openapi/openapi.ts");
    return new OpenApi({
      kinds: this.kinds,
      definition: (resource) => this.#definitions.of(resource)?.definition,
    });
  }

  async #updateQuotaStatus(quota: ResourceQuota): Promise<boolean> {
    const { namespace = "", name = "" } = quota.metadata ?? {};
    const path = `/api/v1/namespaces/${namespace}/resourcequotas/${name}/status`;
    const { code, text } = await this.client(SYSTEM).call("PUT", path, { body: quota });
    if (code >= 400 && code !== 404 && code !== 409) throw new Error(text);
    return code !== 409;
  }
}
