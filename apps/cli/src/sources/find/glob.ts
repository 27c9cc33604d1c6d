// Patterns of paths: `**` any directories, `*` and `?` within a name, `[a-z]` and `[!a-z]`, `{a,b}`, backslash before a plain character.
// Matching takes time proportional to pattern × name, for every pattern. As in shells, a name that starts with a dot is matched only by a
// dot.

export interface Glob {
  /** Directory the search starts in: the segments before the first pattern. Empty for the working directory. */
  readonly base: string;
  readonly segments: readonly Segment[];
}

export interface Segment {
  /** `**`: any number of directories, also none. */
  readonly anyDepth: boolean;
  matches(name: string): boolean;
}

/** Alternatives beyond this are a mistake or an attack. */
const MAX_ALTERNATIVES = 1000;

export const isGlob = (path: string): boolean => /[*?[{]/.test(path);

/** One glob per alternative of the braces; undefined when there are too many. */
export function parseGlobs(pattern: string): Glob[] | undefined {
  const alternatives = expandBraces(pattern);
  return alternatives?.map((alternative) => {
    const all = alternative.split("/");
    const first = all.findIndex(isGlob);
    const fixed = first === -1 ? all.length - 1 : first;
    const base = all.slice(0, fixed).map(unescaped).join("/");
    return {
      base: base === "" && pattern.startsWith("/") ? "/" : base,
      segments: all
        .slice(fixed)
        .filter((text, i, rest) => text !== "" && !(text === "**" && rest[i - 1] === "**"))
        .map(parseSegment),
    };
  });
}

const unescaped = (text: string): string => text.replace(/\\(.)/gs, "$1");

/** The alternatives of braces, innermost last. A brace without partner or comma is an ordinary character. */
export function expandBraces(pattern: string): string[] | undefined {
  const done: string[] = [];
  const open = [pattern];
  while (open.length > 0) {
    const next = open.pop()!;
    const group = firstGroup(next);
    if (group === undefined) done.push(next);
    else {
      const alternatives = group.alternatives.map(
        (alternative) => next.slice(0, group.start) + alternative + next.slice(group.end),
      );
      open.push(...alternatives.reverse());
    }
    if (done.length + open.length > MAX_ALTERNATIVES) return undefined;
  }
  return done;
}

interface Group {
  readonly start: number;
  readonly end: number;
  readonly alternatives: readonly string[];
}

function firstGroup(pattern: string): Group | undefined {
  for (let start = pattern.indexOf("{"); start !== -1; start = pattern.indexOf("{", start + 1)) {
    if (isEscaped(pattern, start)) continue;
    const commas: number[] = [start];
    let depth = 0;
    for (let at = start; at < pattern.length; at++) {
      const char = pattern[at];
      if (char === "\\") at++;
      else if (char === "{") depth++;
      else if (char === "," && depth === 1) commas.push(at);
      else if (char === "}" && --depth === 0) {
        if (commas.length === 1) break;
        commas.push(at);
        const alternatives = commas.slice(1).map((end, i) => pattern.slice(commas[i]! + 1, end));
        return { start, end: at + 1, alternatives };
      }
    }
  }
  return undefined;
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text[at - 1 - slashes] === "\\") slashes++;
  return slashes % 2 === 1;
}

/** The condition on one character of a name. */
type Test = ((char: string) => boolean) | typeof STAR;
const STAR = Symbol("any characters");

/** One name of a path, as a pattern. */
export function parseSegment(text: string): Segment {
  if (text === "**") return { anyDepth: true, matches: (name) => !name.startsWith(".") };
  const tests = parseTests(text);
  const wantsDot = text.startsWith(".") || text.startsWith("\\.");
  return { anyDepth: false, matches: (name) => (wantsDot || !name.startsWith(".")) && matches(tests, [...name]) };
}

function parseTests(text: string): Test[] {
  const chars = [...text];
  const tests: Test[] = [];
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at]!;
    const set = char === "[" ? parseSet(chars, at) : undefined;
    if (set !== undefined) {
      tests.push(set.test);
      at = set.end;
    } else if (char === "*") {
      if (tests.at(-1) !== STAR) tests.push(STAR);
    } else if (char === "?") {
      tests.push(() => true);
    } else {
      const plain = char === "\\" && at + 1 < chars.length ? chars[++at]! : char;
      tests.push((test) => test === plain);
    }
  }
  return tests;
}

/** `[abc]`, `[a-z]`, `[!a]`, `[^a]`; a bracket first is an ordinary character. Undefined when it is never closed. */
function parseSet(
  chars: readonly string[],
  start: number,
): { test: (char: string) => boolean; end: number } | undefined {
  const negated = chars[start + 1] === "!" || chars[start + 1] === "^";
  const from = start + (negated ? 2 : 1);
  const end = chars.indexOf("]", from + 1);
  if (end === -1) return undefined;
  const ranges: [number, number][] = [];
  for (let at = from; at < end; at++) {
    const low = chars[at]!.codePointAt(0)!;
    const isRange = chars[at + 1] === "-" && at + 2 < end;
    ranges.push([low, isRange ? chars[at + 2]!.codePointAt(0)! : low]);
    if (isRange) at += 2;
  }
  const test = (char: string): boolean => {
    const code = char.codePointAt(0)!;
    return ranges.some(([low, high]) => low <= code && code <= high) !== negated;
  };
  return { test, end };
}

/** Back to the last star only: earlier ones never need to change. */
function matches(tests: readonly Test[], name: readonly string[]): boolean {
  let t = 0;
  let n = 0;
  let star = -1;
  let taken = 0;
  while (n < name.length) {
    const test = tests[t];
    if (test === STAR) {
      star = t++;
      taken = n;
    } else if (test?.(name[n]!)) {
      t++;
      n++;
    } else if (star !== -1) {
      t = star + 1;
      n = ++taken;
    } else {
      return false;
    }
  }
  while (tests[t] === STAR) t++;
  return t === tests.length;
}
