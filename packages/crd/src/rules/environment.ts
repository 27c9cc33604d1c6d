// The environments that rules compile in: `self` and `oldSelf` have the declared type of the node. The libraries are put
// together once; a node adds only its variables and types.

import { type Env, optionalOf, type TypeProvider } from "@celadon/cel";
import { type EnvironmentMode, kubeEnv } from "@celadon/kube-cel";
import { createSchemaProvider, type DeclType } from "@celadon/kube-cel/schema";

/** Any name would do: upstream takes a new one each time, so nobody can depend on it. */
export const SELF_TYPE = "selfType1";

const bases = new Map<EnvironmentMode, Env>();

function baseEnv(mode: EnvironmentMode): Env {
  let env = bases.get(mode);
  if (env === undefined) bases.set(mode, (env = kubeEnv({ mode })));
  return env;
}

/** Environments of one node, made when asked for. */
export class NodeEnvironments {
  private readonly type: DeclType;
  private readonly provider: TypeProvider;
  private readonly made = new Map<string, Env>();

  constructor(type: DeclType) {
    this.type = type;
    this.provider = createSchemaProvider({ [SELF_TYPE]: type });
  }

  env(mode: EnvironmentMode, optionalOldSelf: boolean): Env {
    const key = `${mode} ${optionalOldSelf}`;
    let env = this.made.get(key);
    if (env === undefined) {
      const self = this.type.type;
      const variables = { self, oldSelf: optionalOldSelf ? optionalOf(self) : self };
      env = baseEnv(mode).extend({ variables, provider: this.provider });
      this.made.set(key, env);
    }
    return env;
  }
}
