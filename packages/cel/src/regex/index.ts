// RE2 regular expressions: linear time for every pattern and input.

export { compileRegex } from "./compile.ts";
export { DEFAULT_LIMITS, type Regex, type RegexLimits, type RegexMatch } from "./regex.ts";
