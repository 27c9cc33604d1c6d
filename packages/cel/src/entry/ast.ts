// @celadon/cel/ast: the tree of an expression, for analyses and rewriting.

export type {
  Ast,
  Call,
  Comprehension,
  Expr,
  Ident,
  ListExpr,
  Literal,
  MapEntry,
  MapExpr,
  Select,
  StructExpr,
  StructField,
} from "../ast/expr.ts";
export { unparse } from "../ast/unparse.ts";
export { childrenOf, nodesOf, parentsOf, type Visitor, visit } from "../ast/visit.ts";
export { callNode, literalNode, unparseWritten, withChildren, writtenTree } from "../ast/written.ts";
export { type TokenClass, type WrittenToken, writtenTokens } from "../parse/written-tokens.ts";
