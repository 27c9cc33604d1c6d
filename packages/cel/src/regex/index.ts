// @celadon/cel/regex: RE2 regular expressions, in linear time for every pattern and input.

export { compileRegex } from "./compile.ts";
export { type Pattern, parsePattern } from "./parse.ts";
export { DEFAULT_LIMITS, type Regex, type RegexLimits, type RegexMatch } from "./regex.ts";
export type { Node as PatternNode } from "./syntax.ts";
