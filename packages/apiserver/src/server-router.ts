// The routes of a server: the ways of authenticating, discovery, health checks and documents beside the resources.

import { CURRENT } from "@celadon/kube/versions";
import { Authenticator } from "./authn/authenticator.ts";
import type { ServiceAccountTokens } from "./authn/service-account-tokens.ts";
import type { Access } from "./authz/access.ts";
import { Discovery } from "./discovery/discovery.ts";
import type { FlowControl } from "./flow/flow-control.ts";
import { Health } from "./health/health.ts";
import { Issuer } from "./health/issuer.ts";
import { startChecks } from "./health/start-hooks.ts";
import { versionContent } from "./health/version.ts";
import type { KindTable } from "./kinds/kind-table.ts";
import type { LargeRequests } from "./large/large-requests.ts";
import type { ServerMetrics } from "./metrics/server-metrics.ts";
import type { OpenApi } from "./openapi/openapi.ts";
import type { Services } from "./registry/services.ts";
import { Router } from "./route/serve.ts";
import type { ServerOptions } from "./server-options.ts";

/** The parts of a server that its routes lead to. */
export interface RouterParts {
  readonly kinds: KindTable;
  readonly services: Services;
  readonly access: Access;
  readonly metrics: ServerMetrics;
  readonly flows: FlowControl;
  readonly large: LargeRequests | undefined;
  readonly tokens: ServiceAccountTokens;
  readonly issuer: string;
  readonly openapi: () => Promise<OpenApi>;
  /** Whether the store's changes arrive. */
  readonly isOpen: () => boolean;
  /** Whether the server has started. */
  readonly isReady: () => boolean;
}

export function makeRouter(parts: RouterParts, options: ServerOptions): Router {
  const { kinds, services, access, metrics, flows, large, tokens, issuer, openapi, isOpen, isReady } = parts;
  const { address = () => "127.0.0.1:6443", tokens: given = [], anonymousHealth = false } = options;
  return new Router({
    kinds,
    version: versionContent(options.kubeVersion ?? CURRENT),
    services,
    authenticator: new Authenticator([...given, tokens], anonymousHealth, options.authentication),
    access,
    discovery: new Discovery(kinds, address),
    openapi,
    metrics,
    flows,
    large,
    health: new Health([
      { name: "etcd", endpoints: ["healthz", "livez", "readyz"], isHealthy: isOpen },
      { name: "etcd-readiness", endpoints: ["readyz"], isHealthy: isOpen },
      { name: "informer-sync", endpoints: ["readyz"], isHealthy: isReady },
      ...startChecks(options.kubeVersion ?? CURRENT).map((name) => ({
        name,
        endpoints: ["healthz", "livez", "readyz"] as const,
        isHealthy: isReady,
      })),
      { name: "shutdown", endpoints: ["readyz"], isHealthy: isOpen },
    ]),
    issuer: new Issuer(issuer, tokens.jwks(), address),
  });
}
