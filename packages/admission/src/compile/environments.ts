// The environments policies are compiled in. There are few: with and without params, with and without authorizer; a policy's own adds the
// type of its `variables`. A compiler of several policies keeps them (policy-compiler.ts).

import { type Env, struct, type Type } from "@celadon/cel";
import { composeProviders, type StructType, type TypeProvider } from "@celadon/cel/types";
import {
  admissionTypes,
  admissionVariables,
  type EnvironmentMode,
  kubeEnv,
  type Minor,
  mutationTypes,
  pricesAdmission,
  serverOptions,
  variablesType,
} from "@celadon/kube-cel";
import { jsonPatchLibrary } from "@celadon/kube-cel/library";

/** The names that an expression may use beyond those of every policy. */
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
const VARIABLES = "kubernetes.variables";
const VARIABLES_TYPE = struct(VARIABLES);

const provider: TypeProvider = {
  findStruct: (name) => (name === VARIABLES ? NO_VARIABLES : admissionTypes.findStruct(name)),
  findIdent: (name) => admissionTypes.findIdent(name),
  hasPrefix: (first) => first === "kubernetes",
};

const patchProvider: TypeProvider = composeProviders(mutationTypes, provider);
const PATCH_LIBRARIES = { libraries: [jsonPatchLibrary] };

/** An environment for all that declare the same, without a type of `variables`. */
export function createEnvironment(wanted: Declared): Env {
  const { params, authorizer, variables, patches, mode = "storedExpressions", kubeVersion } = wanted;
  const declared = admissionVariables({ params, authorizer });
  const base = kubeVersion === undefined ? { mode } : serverOptions(kubeVersion, mode).environment;
  return kubeEnv({
    ...base,
    strictCosts: kubeVersion === undefined || pricesAdmission(kubeVersion),
    ...(patches === true ? { provider: patchProvider, engine: PATCH_LIBRARIES } : { provider }),
    variables: variables ? { ...declared, variables: VARIABLES_TYPE } : declared,
  });
}

/** The same where `variables` has these types. They may grow: an expression sees those that exist when it is compiled. */
export function withVariables(env: Env, types: VariableTypes): Env {
  const type = growingType(types);
  return env.extend({
    provider: {
      findStruct: (name) => (name === VARIABLES ? type : undefined),
      findIdent: () => undefined,
      hasPrefix: (first) => first === "kubernetes",
    },
  });
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
  return `${params} ${authorizer} ${variables} ${patches === true} ${kubeVersion} ${mode ?? "storedExpressions"}`;
}
