// The options with which an API server of some minor compiles, with default flags. New expressions may use the features of the version
// before, so that a server can be rolled back; stored ones, and every evaluation, the features of the server itself. The language and the
// costs are always those of the release of cel-go that it was built with.

import { isBefore, type Minor, minorBefore, requireMinor } from "@celadon/kube/versions";
import { type FeatureGate, GATE_DEFAULTS } from "./base-options.ts";
import type { EnvironmentMode, KubeEnvOptions } from "./environment.ts";

/** The treatment of expressions by an API server of a minor. */
export interface ServerTreatment {
  /** For `kubeEnv`. */
  readonly environment: Required<Pick<KubeEnvOptions<Record<never, never>>, "version" | "mode" | "gates" | "server">>;
  /** Whether fields named like reserved words may be selected as they are, for `createSchemaProvider`. */
  readonly keywordFields: boolean;
}

/** Since this minor a server knows fields named like reserved words, and the library that a gate used to guard. */
const KEYWORD_FIELDS: Minor = "1.31";
const SELECTORS: Minor = "1.31";

/** The options for new or stored expressions on an API server of a minor. */
export function serverOptions(server: Minor, mode: EnvironmentMode): ServerTreatment {
  requireMinor(server);
  const isNew = mode === "newExpressions";
  const version: Minor = isNew ? minorBefore(server) : server;
  const gateSince = isNew ? GATE_DEFAULTS.AuthorizeWithSelectors.since : SELECTORS;
  const gates: Record<FeatureGate, boolean> = { AuthorizeWithSelectors: !isBefore(server, gateSince) };
  // Only the environment for new expressions heeds a version.
  return {
    environment: { version, mode: "newExpressions", gates, server },
    keywordFields: !isBefore(version, KEYWORD_FIELDS),
  };
}
