// Whether an expression reads a claim by name: selected, tested, or selected as an optional.

import type { Expr } from "@celadon/cel/ast";
import { nodesOf } from "@celadon/cel/ast";
import type { CompiledClaim } from "./expressions.ts";

/** Whether an expression reads `claims.NAME`. */
export function usesClaim({ program }: CompiledClaim, name: string): boolean {
  for (const node of nodesOf(program.ast.expr).values()) if (readsClaim(node, name)) return true;
  return false;
}

function readsClaim(node: Expr, name: string): boolean {
  if (node.kind === "select") return isClaims(node.operand) && node.field === name;
  if (node.kind !== "call" || node.function !== "_?._" || node.target !== undefined) return false;
  const [operand, field] = node.args;
  return isClaims(operand) && field?.kind === "literal" && field.value === name;
}

const isClaims = (node: Expr | undefined): boolean => node?.kind === "ident" && node.name === "claims";
