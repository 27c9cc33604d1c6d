// CEL environments as kube-apiserver builds them: by minor, and by whether an expression is being written or was stored.

import { createEnv, type Env, type EnvOptions, type Type } from "@celadon/cel";
import type { TypeProvider } from "@celadon/cel/types";
import { CURRENT, isBefore, type Minor, requireMinor } from "@celadon/kube";
import { BASE_OPTIONS, type FeatureGate, GATE_DEFAULTS, type VersionedOptions } from "./base-options.ts";
import { equalityEstimate } from "./equality-cost.ts";
import { ExpressionSizeCodePointLimit, MaxRecursionDepth, PerCallLimit } from "./limits.ts";
import { messageTypes, withMessageTypes } from "./message-types.ts";

/**
 * - `newExpressions`: what a create or a changed expression may use; never more than the compatibility version knows
 * - `storedExpressions`: everything that was ever allowed, for expressions that are persisted already and for evaluation
 */
export type EnvironmentMode = "newExpressions" | "storedExpressions";

/** What a Kubernetes environment is made for. */
export interface KubeEnvOptions<V extends Readonly<Record<string, Type>>> {
  /** The compatibility version. Only new expressions heed it. */
  readonly version?: Minor;
  readonly mode?: EnvironmentMode;
  /** Gates turned on or off. One that is on brings its library at any version. */
  readonly gates?: Readonly<Partial<Record<FeatureGate, boolean>>>;
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
): readonly VersionedOptions[] {
  requireMinor(version);
  if (mode !== "newExpressions" && mode !== "storedExpressions") {
    throw new TypeError(`unsupported environment type: ${String(mode)}`);
  }
  return BASE_OPTIONS.filter(({ since, removed, gate }) => {
    if (mode === "storedExpressions") return removed === undefined;
    if (gate !== undefined) return gates[gate] ?? !isBefore(CURRENT, GATE_DEFAULTS[gate].since);
    return !isBefore(version, since) && (removed === undefined || isBefore(version, removed));
  });
}

/** An environment with the libraries, validators, costs and limits of Kubernetes. */
export function kubeEnv<const V extends Readonly<Record<string, Type>> = Record<never, never>>(
  options: KubeEnvOptions<V> = {},
): Env<V> {
  const { version = CURRENT, mode = "storedExpressions", gates, variables, provider, engine } = options;
  return envOf(baseOptions(version, mode, gates), variables, provider, engine);
}

export function envOf<const V extends Readonly<Record<string, Type>>>(
  base: readonly VersionedOptions[],
  variables: V | undefined,
  provider: TypeProvider | undefined,
  engine: KubeEnvOptions<V>["engine"],
): Env<V> {
  const bare = engine === undefined ? sharedEnv(base) : createEnv(withoutNames(base, engine));
  const named: Env = bare.extend({
    variables: variables ?? {},
    provider: provider === undefined ? messageTypes : withMessageTypes(provider),
  });
  return named;
}

const shared = new Map<string, Env>();

/** Functions and macros are the larger part of an environment, and there are few sets of them: hosts make one per schema. */
function sharedEnv(base: readonly VersionedOptions[]): Env {
  const key = keyOf(base);
  let env = shared.get(key);
  if (env === undefined) shared.set(key, (env = createEnv(withoutNames(base))));
  return env;
}

/** The same for the same parts of the base environment. */
export function keyOf(base: readonly VersionedOptions[]): string {
  return base.map((part) => BASE_OPTIONS.indexOf(part)).join();
}

function withoutNames(base: readonly VersionedOptions[], engine?: KubeEnvOptions<never>["engine"]): EnvOptions {
  return {
    ...engine,
    libraries: [...base.flatMap(({ libraries }) => libraries ?? []), ...(engine?.libraries ?? [])],
    validators: [...base.flatMap(({ validators }) => validators ?? []), ...(engine?.validators ?? [])],
    presenceTestCost: 0,
    strictConstants: true,
    callEstimates: equalityEstimate,
    limits: {
      sourceSize: ExpressionSizeCodePointLimit,
      recursion: MaxRecursionDepth,
      cost: PerCallLimit,
      ...engine?.limits,
    },
  };
}
