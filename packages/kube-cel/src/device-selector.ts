// Expressions that select devices: over one variable, `device`, of bounded size. Upstream: k8s.io/dynamic-resource-allocation
// cel/compile.go.

import { ANY, BOOL, type Env, mapOf, STRING } from "@celadon/cel";
import { range, type SizeEstimator } from "@celadon/cel/cost";
import { bindingsLibrary } from "@celadon/cel/lib";
import { compileExpression } from "./compile.ts";
import { declaredType, declaredTypes } from "./declared-type.ts";
import { type EnvironmentMode, kubeEnv } from "./environment.ts";
import { QUANTITY } from "./library/quantity.ts";

/** Why an expression is not accepted. */
export interface DeviceSelectorProblem {
  /** `costly`: it may take too long; otherwise who is to blame, the expression or the server. */
  readonly kind: "invalid" | "internal" | "costly";
  readonly message: string;
}

const MAX_COST = 1_000_000;

const deviceType = declaredType("kubernetes.DRADevice", {
  driver: STRING,
  allowMultipleAllocations: BOOL,
  attributes: mapOf(STRING, mapOf(STRING, ANY)),
  capacity: mapOf(STRING, mapOf(STRING, QUANTITY)),
});

/** The greatest number of elements, and the bounds of each. */
interface Sized {
  readonly size: number;
  readonly keys?: Sized;
  readonly values?: Sized;
  readonly fields?: Readonly<Record<string, Sized>>;
  /** The size of a field that has none of its own. */
  readonly anyField?: Sized;
}

const MAX_NAMES = 32;
const DOMAIN: Sized = { size: 63 };
const ID: Sized = { size: 32 };
const ATTRIBUTE: Sized = { size: 64 };

const DEVICE: Sized = {
  size: 0,
  fields: {
    driver: { size: 63 },
    allowMultipleAllocations: { size: 1 },
    attributes: {
      size: MAX_NAMES,
      keys: DOMAIN,
      values: { size: MAX_NAMES, keys: ID, values: ATTRIBUTE, anyField: ATTRIBUTE },
    },
    capacity: { size: MAX_NAMES, keys: DOMAIN, values: { size: MAX_NAMES, keys: ID, values: { size: 0 } } },
  },
};

const sizes: SizeEstimator = {
  size({ path: [variable, ...steps] }) {
    if (variable !== "device") return undefined;
    const found = steps.reduce(stepInto, DEVICE as Sized | undefined);
    return found && range(0, found.size);
  },
};

function stepInto(from: Sized | undefined, step: string): Sized | undefined {
  if (step === "@items" || step === "@values") return from?.values;
  if (step === "@keys") return from?.keys;
  const own = from?.fields !== undefined && Object.hasOwn(from.fields, step) ? from.fields[step] : undefined;
  return own ?? from?.anyField;
}

const environments = new Map<EnvironmentMode, Env>();

/** The environment of selectors. */
export function deviceEnvironment(mode: EnvironmentMode): Env {
  const made = environments.get(mode);
  if (made !== undefined) return made;
  const env = kubeEnv({
    mode,
    variables: { device: deviceType.type },
    provider: declaredTypes([deviceType]),
    engine: { libraries: [bindingsLibrary(0)], limits: { cost: MAX_COST } },
  }) as Env;
  environments.set(mode, env);
  return env;
}

/** The problem of an expression, if there is one; `stored` expressions may use all that was ever allowed. */
export function deviceSelectorProblem(expression: string, stored = false): DeviceSelectorProblem | undefined {
  const env = deviceEnvironment(stored ? "storedExpressions" : "newExpressions");
  const compiled = compileExpression(env, expression);
  if (!compiled.ok) return { kind: compiled.kind, message: compiled.message };
  const type = String(compiled.checked.type);
  if (type !== String(BOOL) && type !== String(ANY)) {
    return { kind: "invalid", message: `must evaluate to bool or the unknown type, not ${type}` };
  }
  if (env.estimate(compiled.checked, { sizes }).max <= MAX_COST) return undefined;
  return { kind: "costly", message: "too complex, exceeds cost limit" };
}
