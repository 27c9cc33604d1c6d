// What the expressions of a policy read, found in their trees. Expressions that do not parse have no facts.

import { type Expr, visit } from "@celadon/cel";
import { withEnvironment } from "../../environments.ts";
import type { ValidatingAdmissionPolicy } from "../../policy.ts";

export interface ExpressionFacts {
  readonly path: readonly (string | number)[];
  readonly text: string;
  readonly role: "matchCondition" | "variable" | "validation" | "message" | "annotation";
  readonly name?: string;
  /** `object.…` or `object[…]`, which fails when there is no object. */
  readonly readsObject: boolean;
  /** Whether it looks at the operation or compares `object` with null. */
  readonly knowsDelete: boolean;
  /** Variables it names. */
  readonly variables: readonly string[];
  /** Names of all fields it selects. */
  readonly fields: ReadonlySet<string>;
}

const EVERYTHING = { params: true, authorizer: true, variables: true } as const;
const NO_TYPES: ReadonlyMap<string, undefined> = new Map();

export function parseTree(text: string): Expr | undefined {
  const { ast, issues } = withEnvironment(EVERYTHING, NO_TYPES, (env) => env.parse({ name: "<input>", text }));
  return ast === undefined || issues.length > 0 ? undefined : ast.expr;
}

export function expressionFacts({ spec }: ValidatingAdmissionPolicy): ExpressionFacts[] {
  const { matchConditions = [], variables = [], validations = [], auditAnnotations = [] } = spec;
  const found: ExpressionFacts[] = [];
  const add = (
    role: ExpressionFacts["role"],
    path: readonly (string | number)[],
    text: string,
    name?: string,
  ): void => {
    const root = parseTree(text);
    if (root !== undefined) found.push({ role, path, text, ...(name === undefined ? {} : { name }), ...factsOf(root) });
  };
  for (const [i, { expression }] of matchConditions.entries())
    add("matchCondition", ["spec", "matchConditions", i, "expression"], expression);
  for (const [i, { name, expression }] of variables.entries())
    add("variable", ["spec", "variables", i, "expression"], expression, name);
  for (const [i, { expression, messageExpression = "" }] of validations.entries()) {
    add("validation", ["spec", "validations", i, "expression"], expression);
    if (messageExpression !== "") add("message", ["spec", "validations", i, "messageExpression"], messageExpression);
  }
  for (const [i, { valueExpression }] of auditAnnotations.entries()) {
    add("annotation", ["spec", "auditAnnotations", i, "valueExpression"], valueExpression);
  }
  return found;
}

function factsOf(root: Expr): Pick<ExpressionFacts, "readsObject" | "knowsDelete" | "variables" | "fields"> {
  const variables: string[] = [];
  const fields = new Set<string>();
  let readsObject = false;
  let knowsDelete = false;
  visit(root, {
    enter(expr, parent) {
      if (expr.kind === "select") {
        fields.add(expr.field);
        if (isIdent(expr.operand, "variables")) variables.push(expr.field);
        if (isIdent(expr.operand, "request") && expr.field === "operation") knowsDelete = true;
      }
      if (isIdent(expr, "object")) {
        if (parent?.kind === "select") readsObject = true;
        if (parent?.kind === "call") {
          if (parent.function === "_[_]") readsObject = true;
          if (parent.function === "_==_" || parent.function === "_!=_") knowsDelete ||= parent.args.some(isNull);
        }
      }
      return undefined;
    },
  });
  return { readsObject, knowsDelete, variables, fields };
}

function isIdent(expr: Expr, name: string): boolean {
  return expr.kind === "ident" && expr.name === name;
}

function isNull(expr: Expr): boolean {
  return expr.kind === "literal" && expr.value === null;
}
