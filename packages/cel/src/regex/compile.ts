// From pattern text to a Regex, through a bounded cache.

import { BoundedMap } from "@celadon/base";
import { CelError, celError } from "../value/error.ts";
import { findMatch, findMatches, replaceMatches } from "./matches.ts";
import { parsePattern } from "./parse.ts";
import { DEFAULT_LIMITS, type Regex, type RegexLimits, type RegexMatch } from "./regex.ts";
import { createScanner, type Scanner } from "./scan.ts";
import { createTest } from "./tester.ts";

/** Patterns kept compiled. A rule that computes patterns rarely uses more than a handful. */
const CACHE_CAPACITY = 64;

const cache = new BoundedMap<string, Regex | CelError>(CACHE_CAPACITY);

/** Compiles `pattern`, or remembers having done so. An error has the text Go's regexp package would give. */
export function compileRegex(pattern: string, limits: RegexLimits = DEFAULT_LIMITS): Regex | CelError {
  if (limits !== DEFAULT_LIMITS) return build(pattern, limits);
  let regex = cache.use(pattern);
  if (regex === undefined) {
    regex = build(pattern, limits);
    cache.set(pattern, regex);
  }
  return regex;
}

function build(source: string, limits: RegexLimits): Regex | CelError {
  if (source.length > limits.patternSize) {
    const reason = `expression too large: ${source.length} characters, more than ${limits.patternSize}`;
    return celError("invalid_argument", `error parsing regexp: ${reason}`);
  }
  const pattern = parsePattern(source, limits);
  if (pattern instanceof CelError) return pattern;
  const { tree, groupNames } = pattern;

  const test = createTest(tree, limits.automatonSize);
  let opened: Scanner | undefined;
  const scanner = (): Scanner => {
    opened ??= createScanner(tree, groupNames.length, limits.automatonSize);
    return opened;
  };
  // Proving that there is no match is faster than finding its place.
  const matches = (s: string, limit: number): RegexMatch[] => (test(s) ? findMatches(scanner(), s, limit) : []);
  return {
    source,
    groupCount: groupNames.length,
    groupNames,
    test,
    find: (s, from = 0) => (test(s) ? findMatch(scanner(), s, from) : undefined),
    matches: (s, limit = -1) => matches(s, limit),
    replace: (s, expand, limit = -1) => replaceMatches(s, matches(s, limit), expand),
    findAll: (s, limit = -1) => matches(s, limit).map((match) => match.text),
  };
}
