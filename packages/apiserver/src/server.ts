// The API server put together: a store, what is served from it, and the way of a call through it. It knows no sockets.

import { generateKeyPairSync, type KeyObject } from "node:crypto";
import type { Authorizer } from "@celadon/admission";
import { builtinMergeTypeOf, completeBuiltin } from "@celadon/admission/memory";
import type { MutatingHosts } from "@celadon/admission/mutating";
import type { WebhookTransport } from "@celadon/admission/webhook";
import type { KubeObject } from "@celadon/kube";
import type { Store } from "@celadon/storage";
import { Chain } from "./admission/chain.ts";
import { storeHosts } from "./admission/hosts.ts";
import { httpsTransport } from "./admission/https-transport.ts";
import { Mutation } from "./admission/mutation.ts";
import { namespaceLifecycle } from "./admission/namespace-lifecycle.ts";
import type { AdmissionContext } from "./admission/plugin.ts";
import { ValidatingPolicies } from "./admission/validating-policies.ts";
import { Webhooks } from "./admission/webhooks.ts";
import { Authenticator, type TokenSource } from "./authn/authenticator.ts";
import { TokenSigner } from "./authn/jwt.ts";
import { ServiceAccountTokens } from "./authn/service-account-tokens.ts";
import { Access, ALWAYS_ALLOW, userOf } from "./authz/access.ts";
import { rulesStatus, StoredRbac } from "./authz/rbac.ts";
import { bootstrap } from "./bootstrap.ts";
import { LocalClient } from "./client/local-client.ts";
import type { Controller } from "./controllers/controller.ts";
import { DefinitionController } from "./controllers/definition-controller.ts";
import { NamespaceContentsController } from "./controllers/namespace-contents-controller.ts";
import { NamespaceController } from "./controllers/namespace-controller.ts";
import { PolicyStatusController } from "./controllers/policy-status-controller.ts";
import { Definitions } from "./custom/definitions.ts";
import { Discovery } from "./discovery/discovery.ts";
import { Health } from "./health/health.ts";
import { KindTable } from "./kinds/kind-table.ts";
import { keyOf, type ServedResource } from "./kinds/resource.ts";
import { OpenApi } from "./openapi/openapi.ts";
import type { Exchange } from "./registry/exchange.ts";
import { builtinHandler, customHandler } from "./registry/handlers.ts";
import { completeObject, Ownership } from "./registry/ownership.ts";
import type { AdmissionChain, ResourceHandler, Services } from "./registry/services.ts";
import { timestamp } from "./registry/timestamps.ts";
import { Router, type Served } from "./route/serve.ts";
import type { ResourceCache } from "./store/cache.ts";
import { ObjectStore } from "./store/object-store.ts";
import { ServiceAddresses } from "./strategy/service-addresses.ts";
import type { Call, Peer } from "./wire/call.ts";

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
  /** Controllers that are not started, by name. */
  readonly withoutControllers?: readonly string[];
  readonly now?: () => number;
}

/** The server's own components. */
const SYSTEM = { username: "system:apiserver", groups: ["system:masters"] };
const SERVICE_RANGE = "10.0.0.0/16";
const ISSUER = "https://kubernetes.default.svc.cluster.local";

const ADMISSION = "admissionregistration.k8s.io";
const RBAC = "rbac.authorization.k8s.io";

export class ApiServer {
  readonly kinds: KindTable = new KindTable();
  readonly objects: ObjectStore;
  readonly services: Services;
  readonly access: Access;
  readonly #router: Router;
  readonly #handlers = new WeakMap<ServedResource, ResourceHandler>();
  readonly #definitions: Definitions;
  readonly #policies: ValidatingPolicies;
  readonly #webhooks: Webhooks;
  readonly #mutation: Mutation;
  readonly #addresses: ServiceAddresses;
  readonly #controllers: readonly Controller[];
  readonly #options: ServerOptions;
  readonly #now: () => number;
  #isReady = false;

  constructor(options: ServerOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.objects = new ObjectStore(options.store, { exclusive: options.exclusive ?? true });
    this.#addresses = new ServiceAddresses(options.serviceRange ?? SERVICE_RANGE, this.#now);
    const handler = (resource: ServedResource): ResourceHandler => this.#handler(resource);
    this.#definitions = new Definitions(
      this.kinds,
      this.#cache("apiextensions.k8s.io", "customresourcedefinitions"),
      (prefix) => this.objects.drop(prefix),
    );
    const authorizer: Authorizer = options.authorization === "AlwaysAllow" ? ALWAYS_ALLOW : this.#rbac();
    const tokens = this.#tokens();
    this.access = new Access(authorizer);
    const hosts = storeHosts({
      kinds: this.kinds,
      authorizer: this.access,
      cacheOf: (resource) => this.#handler(resource).cache,
      fromStorage: (object, resource) => this.#handler(resource).codec.fromStorage(object),
      toStorage: (object, resource) => this.#handler(resource).codec.toStorage(object),
    });
    this.#policies = new ValidatingPolicies(hosts);
    this.#webhooks = new Webhooks(hosts, options.webhooks ?? httpsTransport());
    this.#mutation = new Mutation({ ...hosts, ...this.#mutatingHosts() }, this.#webhooks);
    const namespaces = this.#cache("", "namespaces");
    const chain = new Chain([
      namespaceLifecycle((name) => namespaces.get(keyOf(namespaces.storage, "", name))?.object),
      this.#mutation,
      this.#policies,
      this.#webhooks.validating,
    ]);
    this.services = {
      kinds: this.kinds,
      objects: this.objects,
      admission: admissionOf(chain),
      ownership: new Ownership(handler, this.#now),
      handler,
      authorize: (exchange, verb) => this.access.check(exchange.user, requestOf(exchange), verb),
      decide: (attributes) => this.access.authorize(attributes),
      rulesFor: (user, namespace) => rulesStatus(authorizer, userOf(user), namespace),
      reviewToken: (token, audiences) => reviewToken(token, audiences, tokens, options.tokens ?? []),
      issueToken: (request) => tokens.issue(request),
      audiences: [options.issuer ?? ISSUER],
      network: (dryRun) => this.#addresses.network(dryRun),
      now: this.#now,
    };
    this.#router = new Router({
      kinds: this.kinds,
      services: this.services,
      authenticator: new Authenticator([...(options.tokens ?? []), tokens]),
      access: this.access,
      discovery: new Discovery(this.kinds, options.address ?? (() => "127.0.0.1:6443")),
      openapi: new OpenApi({
        kinds: this.kinds,
        definition: (resource) => this.#definitions.of(resource)?.definition,
      }),
      health: new Health([{ name: "caches", endpoints: ["readyz"], isHealthy: () => this.#isReady }]),
    });
    this.#controllers = this.#makeControllers();
  }

  /** Resolves when the server can answer. */
  async start(): Promise<void> {
    await this.objects.start();
    const policies = ["validatingadmissionpolicies", "validatingadmissionpolicybindings"];
    const mutating = ["mutatingadmissionpolicies", "mutatingadmissionpolicybindings"];
    const webhooks = ["mutatingwebhookconfigurations", "validatingwebhookconfigurations"];
    const first = [
      ...["namespaces", "serviceaccounts", "configmaps", "services"].map((resource) => this.#cache("", resource)),
      this.#cache("apiextensions.k8s.io", "customresourcedefinitions"),
      ...[...policies, ...mutating, ...webhooks].map((resource) => this.#cache(ADMISSION, resource)),
      ...RBAC_RESOURCES.map((resource) => this.#cache(RBAC, resource)),
    ];
    await Promise.all(first.map((cache) => cache.ready()));
    this.#definitions.follow();
    this.#addresses.follow(this.#cache("", "services"));
    this.#policies.follow(...policies.map((resource) => this.#cache(ADMISSION, resource)));
    this.#mutation.follow(...mutating.map((resource) => this.#cache(ADMISSION, resource)));
    this.#webhooks.follow(...webhooks.map((resource) => this.#cache(ADMISSION, resource)));
    const client = this.client(SYSTEM);
    await bootstrap(client, { address: undefined });
    const without = this.#options.withoutControllers ?? [];
    for (const controller of this.#controllers) if (!without.includes(controller.name)) controller.start(client);
    this.#isReady = true;
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
    for (const controller of this.#controllers) controller.stop();
    return this.objects.close();
  }

  #handler(resource: ServedResource): ResourceHandler {
    let handler = this.#handlers.get(resource);
    if (handler === undefined) this.#handlers.set(resource, (handler = this.#makeHandler(resource)));
    return handler;
  }

  #makeHandler(resource: ServedResource): ResourceHandler {
    const custom = this.#definitions.of(resource);
    if (custom !== undefined) return customHandler(resource, custom, this.objects, this.#now);
    const hosts = {
      authorizer: this.access,
      resourceOf: (kind: { group: string; version: string; kind: string }) => this.kinds.kind(kind)?.resource,
      policy: (kind: string, name: string): KubeObject | undefined => {
        const policies = this.#cache(ADMISSION, this.kinds.kind({ group: ADMISSION, version: "v1", kind })!.resource);
        return policies.get(keyOf(policies.storage, "", name))?.object;
      },
    };
    return builtinHandler(resource, this.objects, hosts, this.#now);
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
    const definitions = this.#cache("apiextensions.k8s.io", "customresourcedefinitions");
    return [
      new DefinitionController(definitions, this.kinds, () => timestamp(this.#now())),
      new NamespaceController(namespaces, this.kinds),
      new NamespaceContentsController({ namespaces, serviceAccounts, configMaps, rootCa: this.#options.rootCa }),
      new PolicyStatusController(this.#cache(ADMISSION, "validatingadmissionpolicies"), definitions),
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
      complete: (object, kind, strict) => {
        const completed = completeBuiltin(object, kind, strict);
        if (completed !== undefined) return completed;
        const resource = this.kinds.kind(kind);
        return resource === undefined ? object : completeObject(object, this.#handler(resource).codec);
      },
    };
  }

  #rbac(): StoredRbac {
    return new StoredRbac(RBAC_RESOURCES.map((resource) => this.#cache(RBAC, resource)));
  }

  #cache(group: string, resource: string): ResourceCache {
    const { storage } = this.kinds.resource(group, "v1", resource)!;
    return this.objects.cache(storage, { keepParsed: resource !== "configmaps" && resource !== "services" });
  }
}

/** Tokens given at the start belong to the server's own audience. */
async function reviewToken(
  token: string,
  audiences: readonly string[] | undefined,
  accounts: ServiceAccountTokens,
  given: readonly TokenSource[],
): Promise<ReturnType<ServiceAccountTokens["review"]>> {
  for (const source of given) {
    const user = await source.user(token);
    if (user !== undefined) return { user, audiences: audiences ?? [] };
  }
  return accounts.review(token, audiences ?? [accounts.issuer]);
}

const RBAC_RESOURCES = ["clusterroles", "clusterrolebindings", "roles", "rolebindings"];
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
