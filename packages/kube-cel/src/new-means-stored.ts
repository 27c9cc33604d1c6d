// Whether programs of validated expressions can be evaluated later as stored ones.

import type { Env } from "@celadon/cel";
import { CURRENT } from "@celadon/kube/versions";
import { kubeEnv } from "./environment.ts";
import { serverOptions } from "./server-options.ts";

/**
 * Whether every expression that the current server accepts when it is written means the same once it is stored: all that may be
 * stored beyond that are functions of other names.
 */
export function newMeansStored(): boolean {
  const [fresh, stored] = (["newExpressions", "storedExpressions"] as const).map((mode) =>
    kubeEnv(serverOptions(CURRENT, mode).environment),
  ) as [Env, Env];
  const ids = (env: Env, name: string): string =>
    (env.declarations.functions.get(name) ?? [])
      .map(({ id }) => id)
      .sort()
      .join();
  return (
    [...fresh.declarations.functions.keys()].every((name) => ids(fresh, name) === ids(stored, name)) &&
    fresh.macros.length === stored.macros.length
  );
}
