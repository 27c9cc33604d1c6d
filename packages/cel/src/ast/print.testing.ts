// Trees on one line, for tests: (_+_ 1 (. a b)).

import type { Expr } from "./expr.ts";
import { quoteBytes, quoteString, writeNumber } from "./literal-text.ts";

export function print(expr: Expr): string {
  switch (expr.kind) {
    case "literal":
      return printValue(expr.value);
    case "ident":
      return expr.name;
    case "select":
      return `(${expr.test ? "test" : "."} ${print(expr.operand)} ${expr.field})`;
    case "call":
      return form(
        expr.target === undefined ? expr.function : `${print(expr.target)}.${expr.function}`,
        expr.args.map(print),
      );
    case "list":
      return form(
        "list",
        expr.elements.map((element, i) => (expr.optional.includes(i) ? "?" : "") + print(element)),
      );
    case "map":
      return form(
        "map",
        expr.entries.map(({ key, value, optional }) => `${optional ? "?" : ""}${print(key)}:${print(value)}`),
      );
    case "struct":
      return form(
        `new ${expr.type}`,
        expr.fields.map(({ name, value, optional }) => `${optional ? "?" : ""}${name}:${print(value)}`),
      );
    case "comprehension": {
      const variables = expr.iterVar2 === "" ? expr.iterVar : `${expr.iterVar},${expr.iterVar2}`;
      const parts = [expr.init, expr.condition, expr.step, expr.result].map(print).join(" | ");
      return `(fold ${variables} in ${print(expr.range)}: ${expr.accuVar} = ${parts})`;
    }
  }
}

const form = (head: string, parts: readonly string[]): string => `(${[head, ...parts].join(" ")})`;

function printValue(value: unknown): string {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "string") return quoteString(value);
  return value instanceof Uint8Array ? quoteBytes(value) : writeNumber(value);
}
