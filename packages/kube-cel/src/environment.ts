// CEL environments as kube-apiserver builds them: by minor, and by whether an expression is being written or was stored.

import { createEnv, type Env, type EnvOptions, type Type } from "@celadon/cel";
import type { TypeProvider } from "@celadon/cel/types";
import { CURRENT, holdsAt, isBefore, type Minor, minorBefore, requireMinor } from "@celadon/kube/versions";
import { pricesAdmission, withoutPrices } from "./admission-prices.ts";
import { BASE_OPTIONS, type FeatureGate, GATE_DEFAULTS, type VersionedOptions } from "./base-options.ts";
import { releaseOf } from "./cel-go-releases.ts";
import { equalityEstimate } from "./equality-cost.ts";
import { ExpressionSizeCodePointLimit, MaxRecursionDepth, PerCallLimit } from "./limits.ts";
import { messageTypes, withMessageTypes } from "./message-types.ts";

/**
 * - `newExpressions`: what a create or a changed expression may use; never more than the compatibility version knows
 * - `storedExpressions`: everything that was ever allowed, for expressions that are persisted already and for evaluation
 */
export type EnvironmentMode = "newExpressions" | "storedExpressions";

/** The purpose of a Kubernetes environment. */
export interface KubeEnvOptions<V extends Readonly<Record<string, Type>>> {
  /** The compatibility version: the minor before the server's when absent. Only new expressions heed it. */
  readonly version?: Minor;
  /** The minor of the API server, which decides about the language, its costs and messages; the current one when absent. */
  readonly server?: Minor;
  readonly mode?: EnvironmentMode;
  /** Gates turned on or off. One that is on brings its library at any version. */
  readonly gates?: Readonly<Partial<Record<FeatureGate, boolean>>>;
  /** False for Kubernetes' functions at the price of any call: how servers before 1.32 charged policies and match conditions. */
  readonly strictCosts?: boolean;
  readonly variables?: V;
  /** Struct types that variables have. */
  readonly provider?: TypeProvider;
  /** Anything else of the engine's: libraries, mode of evaluation. */
  readonly engine?: Omit<EnvOptions, "variables" | "provider">;
}

/** The parts of the base environment that a version and mode have. */
export function baseOptions(
  version: Minor,
  mode: EnvironmentMode,
  gates: Readonly<Partial<Record<FeatureGate, boolean>>> = {},
  server: Minor = CURRENT,
): readonly VersionedOptions[] {
  requireMinor(version);
  if (mode !== "newExpressions" && mode !== "storedExpressions") {
    throw new TypeError(`unsupported environment type: ${String(mode)}`);
  }
  return BASE_OPTIONS.filter(({ since, removed, gate, servers }) => {
    if (servers !== undefined && !holdsAt(servers, server)) return false;
    // Libraries that a server no longer has are in none of its environments for stored expressions.
    if (mode === "storedExpressions") return holdsAt({ since, ...(removed && { removed }) }, server);
    if (gate !== undefined) return gates[gate] ?? !isBefore(server, GATE_DEFAULTS[gate].since);
    return holdsAt({ since, ...(removed && { removed }) }, version);
  });
}

/** An environment with the libraries, validators, costs and limits of Kubernetes. */
export function kubeEnv<const V extends Readonly<Record<string, Type>> = Record<never, never>>(
  options: KubeEnvOptions<V> = {},
): Env<V> {
  const {
    strictCosts = true,
    server = CURRENT,
    version = minorBefore(server),
    mode = "storedExpressions",
    gates,
    variables,
    provider,
    engine,
  } = options;
  const known = baseOptions(version, mode, gates, server);
  const base = strictCosts ? known : known.map(unpriced);
  return envOf(base, server, variables, provider, engine);
}

export function envOf<const V extends Readonly<Record<string, Type>>>(
  base: readonly VersionedOptions[],
  server: Minor,
  variables: V | undefined,
  provider: TypeProvider | undefined,
  engine: KubeEnvOptions<V>["engine"],
): Env<V> {
  const bare = engine === undefined ? sharedEnv(base, server) : createEnv(withoutNames(base, server, engine));
  const release = releaseOf(server);
  const named: Env = bare.extend({
    variables: variables ?? {},
    provider: provider === undefined ? messageTypes(release) : withMessageTypes(provider, release),
  });
  return named;
}

const shared = new Map<string, Env>();

/** Functions and macros are the larger part of an environment, and there are few sets of them: hosts make one per schema. */
function sharedEnv(base: readonly VersionedOptions[], server: Minor): Env {
  const key = keyOf(base, server);
  let env = shared.get(key);
  if (env === undefined) shared.set(key, (env = createEnv(withoutNames(base, server))));
  return env;
}

/** The same for the same parts of the base environment and the same language. */
export function keyOf(base: readonly VersionedOptions[], server: Minor): string {
  return `${releaseOf(server)}:${base.map(placeOf).join()}`;
}

function placeOf(part: VersionedOptions): string {
  const place = BASE_OPTIONS.indexOf(part);
  return place < 0 ? `unpriced ${BASE_OPTIONS.findIndex((other) => unpricedParts.get(other) === part)}` : String(place);
}

const unpricedParts = new WeakMap<VersionedOptions, VersionedOptions>();

/** The same functions, each at the price of any call where Kubernetes has prices of its own. */
function unpriced(part: VersionedOptions): VersionedOptions {
  const known = unpricedParts.get(part);
  if (known !== undefined) return known;
  const made = part.libraries === undefined ? part : { ...part, libraries: part.libraries.map(withoutPrices) };
  unpricedParts.set(part, made);
  return made;
}

function withoutNames(
  base: readonly VersionedOptions[],
  server: Minor,
  engine?: KubeEnvOptions<never>["engine"],
): EnvOptions {
  return {
    ...engine,
    release: releaseOf(server),
    libraries: [...base.flatMap(({ libraries }) => libraries ?? []), ...(engine?.libraries ?? [])],
    validators: [...base.flatMap(({ validators }) => validators ?? []), ...(engine?.validators ?? [])],
    presenceTestCost: 0,
    statedPrices: pricesAdmission(server),
    strictConstants: true,
    ...(pricesAdmission(server) && { callEstimates: equalityEstimate }),
    limits: {
      sourceSize: ExpressionSizeCodePointLimit,
      recursion: MaxRecursionDepth,
      cost: PerCallLimit,
      ...engine?.limits,
    },
  };
}
