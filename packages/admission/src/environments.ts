// The environments policies are compiled in. There are few: with and without params, with and without authorizer. They are
// made once and shared by all policies; what differs per policy, the type of `variables`, is looked up while compiling.

import { type Env, type StructType, struct, type Type } from "@celadon/cel";
import { composeProviders, type TypeProvider } from "@celadon/cel/extend";
import {
  admissionTypes,
  admissionVariables,
  baseOptions,
  CURRENT,
  type EnvironmentMode,
  kubeEnv,
  type Minor,
  mutationTypes,
  serverOptions,
  variablesType,
} from "@celadon/kube-cel";
import { jsonPatchLibrary } from "@celadon/kube-cel/library";

/** What an expression may name beyond what every policy has. */
export interface Declared {
  readonly params: boolean;
  readonly authorizer: boolean;
  readonly variables: boolean;
  /** Whether it may write patches: `Object{…}`, `JSONPatch{…}` and what goes with them. */
  readonly patches?: boolean;
  readonly mode?: EnvironmentMode;
  /** The minor of the API server; the current one when absent. */
  readonly kubeVersion?: Minor | undefined;
}

/** Types of the variables declared so far; one that did not compile is undefined and seen as dyn. */
export type VariableTypes = ReadonlyMap<string, Type | undefined>;

const NO_VARIABLES: StructType = variablesType(new Map());
const VARIABLES_TYPE = struct("kubernetes.variables");

let current: StructType = NO_VARIABLES;

const provider: TypeProvider = {
  findStruct: (name) => (name === "kubernetes.variables" ? current : admissionTypes.findStruct(name)),
  findIdent: (name) => admissionTypes.findIdent(name),
  hasPrefix: (first) => first === "kubernetes",
};

const patchProvider: TypeProvider = composeProviders(mutationTypes, provider);
const PATCH_LIBRARIES = { libraries: [jsonPatchLibrary] };

const environments = new Map<string, Env>();

/**
 * Calls `compile` with an environment where `variables` has these types. Programs keep what they need of them, so the
 * environment may serve the next policy right after.
 */
export function withEnvironment<T>(declared: Declared, types: VariableTypes, compile: (env: Env) => T): T {
  const env = environmentOf(declared);
  const before = current;
  current = types.size === 0 ? NO_VARIABLES : growingType(types);
  try {
    return compile(env);
  } finally {
    current = before;
  }
}

// The type of `variables` as far as it is known. Fields are looked up when an expression names them: a policy may have very
// many variables, and each is compiled with all before it.
function growingType(types: VariableTypes): StructType {
  return {
    ...NO_VARIABLES,
    field: (name) => (types.has(name) ? variablesType(new Map([[name, types.get(name)]])).field(name) : undefined),
    fieldNames: () => [...types.keys()],
  };
}

/** The same for declarations that have one environment. */
export function environmentKey({ params, authorizer, variables, patches, mode, kubeVersion }: Declared): string {
  return `${params} ${authorizer} ${variables} ${patches === true} ${kubeVersion} ${modeKey(mode, kubeVersion)}`;
}

let newAsStored: boolean | undefined;

/** Of the current minor both modes may be made of the same parts; then what is validated in one is enforced in the other. */
function modeKey(mode: EnvironmentMode = "storedExpressions", kubeVersion: Minor | undefined): EnvironmentMode {
  if (mode === "storedExpressions" || kubeVersion !== undefined) return mode;
  newAsStored ??= sameParts(baseOptions(CURRENT, "newExpressions"), baseOptions(CURRENT, "storedExpressions"));
  return newAsStored ? "storedExpressions" : mode;
}

function sameParts(some: readonly unknown[], others: readonly unknown[]): boolean {
  return some.length === others.length && some.every((part, i) => part === others[i]);
}

function environmentOf(wanted: Declared): Env {
  const key = environmentKey(wanted);
  let env = environments.get(key);
  if (env === undefined) {
    const { params, authorizer, variables, patches, mode = "storedExpressions", kubeVersion } = wanted;
    const declared = admissionVariables({ params, authorizer });
    const base = kubeVersion === undefined ? { mode } : serverOptions(kubeVersion, mode).environment;
    env = kubeEnv({
      ...base,
      ...(patches === true ? { provider: patchProvider, engine: PATCH_LIBRARIES } : { provider }),
      variables: variables ? { ...declared, variables: VARIABLES_TYPE } : declared,
    });
    environments.set(key, env);
  }
  return env;
}
