// The environments that rules compile in: `self` and `oldSelf` have the declared type of the node. The libraries are put
// together once; a node adds only its variables and types.

import { type Env, optionalOf } from "@celadon/cel";
import type { TypeProvider } from "@celadon/cel/types";
import { type EnvironmentMode, kubeEnv, type Minor, serverOptions } from "@celadon/kube-cel";
import { createSchemaProvider, type DeclType } from "@celadon/kube-cel/schema";

/** Any name would do: upstream takes a new one each time, so nobody can depend on it. */
export const SELF_TYPE = "selfType1";

/** The base of every environment of a mode. */
interface Base {
  readonly env: Env;
  readonly keywordFields: boolean;
}

const bases = new Map<string, Base>();

function baseOf(mode: EnvironmentMode, kubeVersion: Minor | undefined): Base {
  const key = `${mode} ${kubeVersion}`;
  let base = bases.get(key);
  if (base === undefined) {
    const server = kubeVersion && serverOptions(kubeVersion, mode);
    base = { env: kubeEnv(server ? server.environment : { mode }), keywordFields: server?.keywordFields ?? true };
    bases.set(key, base);
  }
  return base;
}

/** Environments of one node, made on first use. */
export class NodeEnvironments {
  private readonly type: DeclType;
  private readonly kubeVersion: Minor | undefined;
  private readonly made = new Map<string, Env>();
  private readonly providers = new Map<boolean, TypeProvider>();

  constructor(type: DeclType, kubeVersion?: Minor) {
    this.type = type;
    this.kubeVersion = kubeVersion;
  }

  env(mode: EnvironmentMode, optionalOldSelf: boolean): Env {
    const key = `${mode} ${optionalOldSelf}`;
    let env = this.made.get(key);
    if (env === undefined) {
      const self = this.type.type;
      const variables = { self, oldSelf: optionalOldSelf ? optionalOf(self) : self };
      const base = baseOf(mode, this.kubeVersion);
      env = base.env.extend({ variables, provider: this.provider(base.keywordFields) });
      this.made.set(key, env);
    }
    return env;
  }

  private provider(keywordFields: boolean): TypeProvider {
    let provider = this.providers.get(keywordFields);
    if (provider === undefined) {
      provider = createSchemaProvider({ [SELF_TYPE]: this.type }, { keywordFields });
      this.providers.set(keywordFields, provider);
    }
    return provider;
  }
}
