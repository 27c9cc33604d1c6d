// Finds the versions that accept an expression when it is written, by the libraries and options that their servers have with default flags:
// those of the version before. The language itself is always the current release's: syntax that only an old parser refuses is not detected
// here.

import type { Type } from "@celadon/cel";
import type { TypeProvider } from "@celadon/cel/types";
import { CURRENT, FIRST, type Minor, minorsBetween } from "@celadon/kube/versions";
import { type CompileFailure, compileExpression } from "./compile.ts";
import { baseOptions, envOf, keyOf } from "./environment.ts";
import { serverOptions } from "./server-options.ts";

/** The names that the expression may use. */
export interface AcceptedByOptions {
  readonly variables?: Readonly<Record<string, Type>>;
  readonly provider?: TypeProvider;
  readonly returnTypes?: readonly Type[];
  /** The minors to ask; all that knew CEL when absent. */
  readonly minors?: readonly Minor[];
}

/** The minors that accept an expression, and the reasons why the others do not. */
export interface Acceptance {
  readonly accepted: readonly Minor[];
  /** Why each of the others refuses it. */
  readonly refused: ReadonlyMap<Minor, CompileFailure>;
}

/** Finds the supported versions of Kubernetes that accept an expression. */
export function acceptedBy(expression: string, options: AcceptedByOptions = {}): Acceptance {
  const { variables, provider, returnTypes, minors = minorsBetween(FIRST, CURRENT) } = options;
  const accepted: Minor[] = [];
  const refused = new Map<Minor, CompileFailure>();
  // Most minors brought nothing, so that few environments answer for all.
  const answers = new Map<string, CompileFailure | undefined>();
  for (const minor of minors) {
    const { version, mode, gates, server } = serverOptions(minor, "newExpressions").environment;
    const base = baseOptions(version, mode, gates, server);
    const key = keyOf(base, server);
    if (!answers.has(key)) {
      const result = compileExpression(envOf(base, server, variables, provider, undefined), expression, {
        ...(returnTypes && { returnTypes }),
      });
      answers.set(key, result.ok ? undefined : result);
    }
    const failure = answers.get(key);
    if (failure === undefined) accepted.push(minor);
    else refused.set(minor, failure);
  }
  return { accepted, refused };
}
