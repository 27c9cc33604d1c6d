// Several providers as one; the first that knows a name answers for it.

import type { TypeProvider } from "./provider.ts";

/** Combines providers; the first that knows a name provides it. */
export function composeProviders(...providers: readonly TypeProvider[]): TypeProvider {
  const [only] = providers;
  if (only !== undefined && providers.length === 1) {
    return only;
  }
  const composed: TypeProvider = {
    findStruct(name) {
      for (const provider of providers) {
        const found = provider.findStruct(name);
        if (found !== undefined) {
          return found;
        }
      }
      return undefined;
    },
    findIdent(name) {
      for (const provider of providers) {
        const found = provider.findIdent(name);
        if (found !== undefined) {
          return found;
        }
      }
      return undefined;
    },
  };
  // One that cannot tell makes the whole unable to.
  if (providers.every((provider) => provider.hasPrefix !== undefined)) {
    composed.hasPrefix = (first) => providers.some((provider) => provider.hasPrefix?.(first) === true);
  }
  return composed;
}
