// The candidates that a name may stand for. In container `a.b`, `x.y` is tried as `a.b.x.y`, `a.x.y`, `x.y`; a leading dot means the root;
// an alias replaces the first part and is then the only candidate.

import type { Expr } from "../ast/expr.ts";

export interface Namespace {
  /** The prefixes to try, innermost first: `["a.b.", "a.", ""]`. */
  readonly prefixes: readonly string[];
  readonly aliases: ReadonlyMap<string, string>;
}

export function createNamespace(container: string, aliases: ReadonlyMap<string, string>): Namespace {
  const prefixes: string[] = [];
  for (let rest = container; rest !== ""; rest = rest.slice(0, Math.max(0, rest.lastIndexOf(".")))) {
    prefixes.push(`${rest}.`);
  }
  prefixes.push("");
  return { prefixes, aliases };
}

/** The first answer other than undefined that `find` gives for a candidate of `name`. */
export function resolveName<T>(
  space: Namespace,
  name: string,
  find: (candidate: string) => T | undefined,
): T | undefined {
  const rooted = name.startsWith(".");
  const plain = rooted ? name.slice(1) : name;
  if (space.aliases.size > 0) {
    const expanded = expandAlias(space.aliases, plain);
    if (expanded !== undefined) {
      return find(expanded);
    }
  }
  if (rooted) {
    return find(plain);
  }
  for (const prefix of space.prefixes) {
    const found = find(prefix === "" ? plain : prefix + plain);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

export function candidateNames(space: Namespace, name: string): readonly string[] {
  const candidates: string[] = [];
  resolveName(space, name, (candidate) => void candidates.push(candidate));
  return candidates;
}

function expandAlias(aliases: ReadonlyMap<string, string>, name: string): string | undefined {
  const dot = name.indexOf(".");
  const full = aliases.get(dot < 0 ? name : name.slice(0, dot));
  return full === undefined || dot < 0 ? full : full + name.slice(dot);
}

/** `a.b.c` as it is written, when the expression is nothing but names and dots. */
export function qualifiedName(expr: Expr): string | undefined {
  if (expr.kind === "ident") {
    return expr.name;
  }
  if (expr.kind !== "select" || expr.test) {
    return undefined;
  }
  const operand = qualifiedName(expr.operand);
  return operand === undefined ? undefined : `${operand}.${expr.field}`;
}

/** The first name of what could be a qualified name. */
export function rootName(expr: Expr): string | undefined {
  let current = expr;
  while (current.kind === "select" && !current.test) {
    current = current.operand;
  }
  return current.kind === "ident" ? current.name : undefined;
}
