// The services of a server for the handlers of the registry: the host of the write path, authorization, tokens and the clock.

import { type PluginChain, timestamp } from "@celadon/write";
import { reviewToken } from "./authn/account-tokens.ts";
import type { ServiceAccountTokens } from "./authn/service-account-tokens.ts";
import { type Access, ALWAYS_ALLOW, userOf } from "./authz/access.ts";
import { rulesStatus } from "./authz/rbac.ts";
import type { storedRbac } from "./authz/stored-authorizer.ts";
import type { KindTable } from "./kinds/kind-table.ts";
import type { ServedResource } from "./kinds/resource.ts";
import { Deliveries } from "./registry/deliveries.ts";
import type { Exchange } from "./registry/exchange.ts";
import { nameSuffix, newUid } from "./registry/names.ts";
import { Ownership } from "./registry/ownership.ts";
import type { ResourceHandler, Services } from "./registry/services.ts";
import type { ServerOptions } from "./server-options.ts";
import type { NamedCaches } from "./store/named-caches.ts";
import type { ObjectStore } from "./store/object-store.ts";
import type { ServiceAddresses } from "./store/service-addresses.ts";
import type { RequestInfo } from "./wire/request-info.ts";

/** The parts of a server that its services are made of. */
export interface ServicesParts {
  readonly kinds: KindTable;
  readonly objects: ObjectStore;
  readonly caches: NamedCaches;
  readonly handler: (resource: ServedResource) => ResourceHandler;
  readonly chain: PluginChain;
  readonly addresses: ServiceAddresses;
  readonly access: Access;
  /** Undefined if everything is allowed. */
  readonly rbac: ReturnType<typeof storedRbac> | undefined;
  readonly tokens: ServiceAccountTokens;
  readonly issuer: string;
  readonly now: () => number;
}

export function makeServices(parts: ServicesParts, options: ServerOptions): Services {
  const { kinds, objects, caches, handler, chain, addresses, access, rbac, tokens, issuer, now } = parts;
  const { tokens: ofStart = [], authentication } = options;
  const given = authentication === undefined ? ofStart : [...ofStart, authentication];
  const labelsOf = (name: string) => caches.object("namespaces", "", name)?.metadata?.labels ?? {};
  return {
    kinds,
    objects,
    writes: {
      chain,
      now: () => timestamp(now()),
      uid: newUid,
      nameSuffix,
      network: (dryRun) => addresses.network(dryRun),
      namespaceLabels: (name) => labelsOf(name) as Readonly<Record<string, string>>,
    },
    ownership: new Ownership(handler, now),
    deliveries: new Deliveries(),
    handler,
    authorize: (exchange, verb) => access.check(exchange.user, requestOf(exchange), verb),
    decide: (attributes) => access.authorize(attributes),
    grantedRules: (user, namespace) => rbac?.rulesFor(userOf(user), namespace) ?? { rules: [], errors: [] },
    rulesFor: (user, namespace) => rulesStatus(rbac ?? ALWAYS_ALLOW, userOf(user), namespace),
    reviewToken: (token, audiences) => reviewToken(token, audiences, tokens, given),
    issueToken: (request) => tokens.issue(request),
    audiences: [issuer],
    now,
  };
}

/** An exchange may be about another place than the request, as an eviction is about a budget; that place counts. */
function requestOf({ permitted, resource, subresource, namespace, name }: Exchange): RequestInfo {
  const { group, version, resource: plural } = resource;
  return { ...permitted.info, group, version, resource: plural, subresource, namespace, name };
}
