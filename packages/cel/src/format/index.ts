// Formatting of expressions: `@celadon/cel/format`.

export { type FormatOptions, type Formatted, formatExpression } from "./format.ts";
