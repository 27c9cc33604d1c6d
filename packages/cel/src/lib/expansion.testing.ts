// For tests of macros: the expansion of a text, on one line. A fold reads fold(range, variables, accumulator = init, condition, step,
// result).

import type { Expr } from "../ast/expr.ts";
import { STANDARD_MACROS } from "../parse/macros.ts";
import { DEFAULT_PARSE_LIMITS, parse } from "../parse/parse.ts";
import type { Library } from "./library.ts";

/** The expansion, or the issues as `start: message`. */
export function expansion(text: string, ...libraries: readonly Library[]): string {
  const macros = [...STANDARD_MACROS, ...libraries.flatMap((library) => library.macros ?? [])];
  const options = { macros, limits: DEFAULT_PARSE_LIMITS, optionalSyntax: false, backtickIdentifiers: false };
  const { ast, issues } = parse({ name: "<input>", text }, options);
  return ast === undefined
    ? issues.map((issue) => `${issue.span?.at ?? "?"}: ${issue.message}`).join("; ")
    : print(ast.expr);
}

/** A field in backticks if its name is no identifier. */
const field = (name: string): string => (/^\w+$/.test(name) ? name : `\`${name}\``);

function print(expr: Expr): string {
  switch (expr.kind) {
    case "literal":
      return typeof expr.value === "object" && expr.value !== null
        ? expr.value.constructor.name
        : JSON.stringify(expr.value);
    case "ident":
      return expr.name;
    case "select":
      return expr.test
        ? `has(${print(expr.operand)}.${field(expr.field)})`
        : `${print(expr.operand)}.${field(expr.field)}`;
    case "call": {
      const receiver = expr.target === undefined ? "" : `${print(expr.target)}.`;
      return `${receiver}${expr.function}(${expr.args.map(print).join(", ")})`;
    }
    case "list":
      return `[${expr.elements.map(print).join(", ")}]`;
    case "map":
      return `{${expr.entries.map(({ key, value }) => `${print(key)}: ${print(value)}`).join(", ")}}`;
    case "struct":
      return `${expr.type}{${expr.fields.map(({ name, value }) => `${name}: ${print(value)}`).join(", ")}}`;
    case "comprehension": {
      const variables = expr.iterVar2 === "" ? expr.iterVar : `${expr.iterVar} ${expr.iterVar2}`;
      const parts = [expr.condition, expr.step, expr.result].map(print).join(", ");
      return `fold(${print(expr.range)}, ${variables}, ${expr.accuVar} = ${print(expr.init)}, ${parts})`;
    }
  }
}
