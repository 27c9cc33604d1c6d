// The types an expression may have, more forgiving than the checker: of a choice between two types both, of a sum either side. People
// write `has(object.spec.template) ? object.spec.template.spec : object.spec`, and want the fields of both.

import { DYN, type Env, type Type } from "@celadon/cel";
import type { Ast, Expr } from "@celadon/cel/ast";

/** At least one, dyn where nothing is known; none where a name is not declared. */
export function writtenTypes(text: string, env: Env): readonly Type[] {
  const { ast } = env.parse(text);
  if (ast === undefined) return [DYN];
  const found = typesOf(ast, ast.expr, env, 0);
  if (found.length > 0) return found;
  return env.check(ast).issues.some(({ code }) => code === "undeclared_reference") ? [] : [DYN];
}

/** The same where something must be assumed. */
export function assumedTypes(text: string, env: Env): readonly Type[] {
  const found = writtenTypes(text, env);
  return found.length === 0 ? [DYN] : found;
}

const DEEP = 6;
const MOST = 4;

function typesOf(ast: Ast, expr: Expr, env: Env, depth: number): readonly Type[] {
  const checked = env.check({ ...ast, expr });
  const wrong = checked.issues.some(({ severity }) => severity === "error");
  const parts = depth < DEEP ? alternatives(expr) : [];
  if (!wrong && (parts.length === 0 || !isVague(checked.type))) return [checked.type];
  const found = new Map<string, Type>();
  for (const part of parts) {
    for (const type of typesOf(ast, part, env, depth + 1)) {
      const own = isOr(expr) && type.name === "optional_type" ? (type.params[0] ?? DYN) : type;
      found.set(keyOf(own), own);
    }
  }
  const telling = [...found.values()].filter((type) => !isVague(type));
  if (telling.length > 0) return telling.slice(0, MOST);
  return wrong ? [] : [checked.type];
}

const isOr = (expr: Expr): boolean => expr.kind === "call" && expr.function === "orValue";

/** Parts that may be the value of the whole, or have its type. */
function alternatives(expr: Expr): readonly Expr[] {
  if (expr.kind !== "call") return [];
  switch (expr.function) {
    case "_?_:_":
      return expr.args.slice(1);
    case "_+_":
      return expr.args;
    case "orValue":
    case "or":
      return [...(expr.target ? [expr.target] : []), ...expr.args];
    default:
      return [];
  }
}

function isVague(type: Type): boolean {
  if (type.kind === "dyn" || type.kind === "any" || type.kind === "error") return true;
  return (type.kind === "list" || type.kind === "map") && type.params.every(isVague);
}

const keyOf = (type: Type): string => `${type.kind} ${String(type)}`;
