// ext.Protos: extension fields of messages, by their full name. Upstream: cel-go ext/protos.go.

import type { Expr } from "../ast/expr.ts";
import type { Macro } from "../parse/macro.ts";
import type { Library } from "./library.ts";
import { namespaced } from "./namespace.ts";

const extensionMacro = (name: string, test: boolean): Macro =>
  namespaced("proto", name, 2, (make, _target, args) => {
    const [message, extension] = args;
    if (message === undefined || extension === undefined) return undefined;
    const field = extension.kind === "select" ? qualifiedName(extension) : undefined;
    if (field === undefined) return make.issue("invalid extension field", extension);
    return test ? make.presenceTest(message, field) : make.select(message, field);
  });

/** `a.b.c` as one name; undefined when there is more to it than names. */
function qualifiedName(expr: Expr): string | undefined {
  if (expr.kind === "ident") return expr.name;
  if (expr.kind !== "select" || expr.test) return undefined;
  const operand = qualifiedName(expr.operand);
  return operand === undefined ? undefined : `${operand}.${expr.field}`;
}

/** `proto.hasExt` and `proto.getExt`. */
export const protosLibrary: Library = {
  name: "cel.lib.ext.protos",
  overloads: [],
  macros: [extensionMacro("getExt", false), extensionMacro("hasExt", true)],
};
