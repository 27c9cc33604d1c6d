// The tree of any expression, parsed with all macros. The environment is created on first use and never changed.

import type { Ast } from "@celadon/cel/ast";
import { kubeEnv } from "@celadon/kube-cel";

let environment: ReturnType<typeof kubeEnv> | undefined;

/** Undefined for an empty text and for one that does not parse. */
export function astOf(text: string): Ast | undefined {
  if (text === "") return undefined;
  environment ??= kubeEnv();
  return environment.parse(text).ast;
}
