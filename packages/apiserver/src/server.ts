// The API server put together: a store, what is served from it, and the way of a call through it. It knows no sockets.

import type { Store } from "@celadon/storage";
import { Authenticator, type TokenSource } from "./authn/authenticator.ts";
import { Access, ALWAYS_ALLOW } from "./authz/access.ts";
import { Discovery } from "./discovery/discovery.ts";
import { Health } from "./health/health.ts";
import { KindTable } from "./kinds/kind-table.ts";
import type { ServedResource } from "./kinds/resource.ts";
import { builtinHandler } from "./registry/handlers.ts";
import { Ownership } from "./registry/ownership.ts";
import type { AdmissionChain, ResourceHandler, Services } from "./registry/services.ts";
import { Router, type Served } from "./route/serve.ts";
import { ObjectStore } from "./store/object-store.ts";
import type { Call } from "./wire/call.ts";

export interface ServerOptions {
  readonly store: Store;
  /** False when other servers write to the same store. */
  readonly exclusive?: boolean;
  readonly tokens?: readonly TokenSource[];
  /** host:port under which clients reach the server. */
  readonly address?: () => string;
  readonly now?: () => number;
}

export class ApiServer {
  readonly kinds: KindTable = new KindTable();
  readonly objects: ObjectStore;
  readonly services: Services;
  readonly #router: Router;
  readonly #handlers = new Map<ServedResource, ResourceHandler>();

  constructor(options: ServerOptions) {
    const now = options.now ?? Date.now;
    this.objects = new ObjectStore(options.store, { exclusive: options.exclusive ?? true });
    const handler = (resource: ServedResource): ResourceHandler => {
      let found = this.#handlers.get(resource);
      if (found === undefined) this.#handlers.set(resource, (found = builtinHandler(resource, this.objects, now)));
      return found;
    };
    const access = new Access(ALWAYS_ALLOW);
    this.services = {
      kinds: this.kinds,
      objects: this.objects,
      admission: ADMIT_ALL,
      ownership: new Ownership(handler, now),
      handler,
      authorize: () => {},
      now,
    };
    this.#router = new Router({
      kinds: this.kinds,
      services: this.services,
      authenticator: new Authenticator(options.tokens ?? []),
      access,
      discovery: new Discovery(this.kinds, options.address ?? (() => "127.0.0.1:6443")),
      health: new Health([]),
    });
  }

  start(): Promise<void> {
    return this.objects.start();
  }

  serve(call: Call): Promise<Served> {
    return this.#router.serve(call);
  }

  close(): Promise<void> {
    return this.objects.close();
  }
}

const ADMIT_ALL: AdmissionChain = { mutate: (request) => request.object ?? null, validate: () => {} };
