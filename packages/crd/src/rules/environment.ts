// The environments that rules compile in: `self` and `oldSelf` have the declared type of the node. The libraries are put
// together once; a node adds only its variables and types.

import { type Env, optionalOf, type TypeProvider } from "@celadon/cel";
import { baseOptions, CURRENT, type EnvironmentMode, kubeEnv } from "@celadon/kube-cel";
import { createSchemaProvider, type DeclType } from "@celadon/kube-cel/schema";

/** Any name would do: upstream takes a new one each time, so nobody can depend on it. */
export const SELF_TYPE = "selfType1";

/**
 * Whether new expressions may use all that stored ones may, as is so in the release that behaviour is compared with: then it
 * does not matter which of the two an expression is.
 */
export const ONE_ENVIRONMENT: boolean = (() => {
  const fresh = baseOptions(CURRENT, "newExpressions");
  const stored = baseOptions(CURRENT, "storedExpressions");
  return fresh.length === stored.length && fresh.every((option, i) => option === stored[i]);
})();

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
    // Fields named like keywords are there as they are since Kubernetes 1.31. An option to choose an older release would have to
    // say `keywordFields: false` here for new expressions.
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
