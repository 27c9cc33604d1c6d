// From pattern text to a Regex, through a bounded cache.

import { type CelError, celError } from "../value/error.ts";
import { LruCache } from "./cache.ts";
import { findMatch, findMatches } from "./matches.ts";
import { openSubmatcher } from "./re2.ts";
import { DEFAULT_LIMITS, type Regex, type RegexLimits } from "./regex.ts";

/** Patterns kept compiled. A rule that computes patterns rarely uses more than a handful. */
const CACHE_CAPACITY = 256;

const cache = new LruCache<Regex | CelError>(CACHE_CAPACITY);

export function compileRegex(pattern: string, limits: RegexLimits = DEFAULT_LIMITS): Regex | CelError {
  if (limits !== DEFAULT_LIMITS) return build(pattern, limits);
  let regex = cache.get(pattern);
  if (regex === undefined) {
    regex = build(pattern, limits);
    cache.set(pattern, regex);
  }
  return regex;
}

function build(pattern: string, _limits: RegexLimits): Regex | CelError {
  const matcher = openSubmatcher(pattern);
  if (typeof matcher === "string") return celError("invalid_argument", matcher);
  return {
    source: pattern,
    groupCount: matcher.groupCount,
    groupNames: [],
    test: matcher.test,
    find: (s, from = 0) => findMatch(matcher, s, from),
    matches: (s, limit = -1) => findMatches(matcher, s, limit),
    findAll: (s, limit = -1) => findMatches(matcher, s, limit).map((match) => match.text),
  };
}
