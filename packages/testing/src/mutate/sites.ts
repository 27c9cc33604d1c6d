// The places of an expression that can be changed, outer ones first, with the role of each.

import type { Call, Expr } from "@celadon/cel/ast";
import { type Chain, isCall, termsOf } from "./written.ts";

export type Role =
  /** It answers yes or no: the whole, an operand of `&&` or `||`, a condition, the body of a quantifier. */
  | "clause"
  /** The operand of `!`. */
  | "negated"
  | "value";

export interface Site {
  readonly node: Expr;
  readonly role: Role;
  /** The call that has the node as an argument; the receiver has the number -1. */
  readonly within?: { readonly call: Call; readonly index: number };
}

/** Arguments of macros: (n)ame, (p)redicate, any (e)xpression. */
const MACROS: ReadonlyMap<string, string> = new Map([
  ...["all", "exists", "exists_one", "existsOne"].flatMap((name): [string, string][] => [
    [`${name}/2`, "np"],
    [`${name}/3`, "nnp"],
  ]),
  ...["transformList", "transformMap", "transformMapEntry"].flatMap((name): [string, string][] => [
    [`${name}/3`, "nne"],
    [`${name}/4`, "nnpe"],
  ]),
  ["filter/2", "np"],
  ["map/2", "ne"],
  ["map/3", "npe"],
  ["optMap/2", "ne"],
  ["optFlatMap/2", "ne"],
  ["sortBy/2", "ne"],
  ["bind/3", "nee"],
]);

/** The roles of a call's arguments if it is written like a macro. */
export function macroArguments({ function: name, target, args }: Call): string | undefined {
  return target === undefined ? undefined : MACROS.get(`${name}/${args.length}`);
}

export function chainOperator(expr: Expr): Chain | undefined {
  return isCall(expr, "_&&_") ? "_&&_" : isCall(expr, "_||_") ? "_||_" : undefined;
}

/** `role` is the role of the whole: a clause if it is a condition. */
export function* sitesOf(node: Expr, role: Role, within?: Site["within"]): Generator<Site> {
  yield { node, role, ...(within && { within }) };
  const operator = chainOperator(node);
  if (operator !== undefined) {
    for (const term of termsOf(node, operator)) yield* sitesOf(term, "clause");
    return;
  }
  switch (node.kind) {
    case "literal":
    case "ident":
    case "comprehension":
      return;
    case "select":
      return yield* sitesOf(node.operand, "value");
    case "list":
      for (const element of node.elements) yield* sitesOf(element, "value");
      return;
    case "map":
      for (const { key, value } of node.entries) for (const expr of [key, value]) yield* sitesOf(expr, "value");
      return;
    case "struct":
      for (const { value } of node.fields) yield* sitesOf(value, "value");
      return;
    case "call": {
      const roles = rolesOf(node, role);
      if (node.target !== undefined) yield* sitesOf(node.target, "value", { call: node, index: -1 });
      for (const [index, arg] of node.args.entries()) {
        const own = roles[index] ?? "value";
        if (own !== "name") yield* sitesOf(arg, own, { call: node, index });
      }
    }
  }
}

function rolesOf(node: Call, role: Role): readonly (Role | "name")[] {
  if (isCall(node, "!_")) return ["negated"];
  if (isCall(node, "_?_:_")) return ["clause", role, role];
  const letters = macroArguments(node) ?? "";
  return [...letters].map((letter) => (letter === "n" ? "name" : letter === "p" ? "clause" : "value"));
}
