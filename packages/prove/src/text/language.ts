// Sets of texts as automata that are built while they are walked: the meaning of a predicate with a constant argument. Every automaton is
// deterministic, so its complement is the same automaton with the other states accepting.

/** A set of texts. States are numbers of the language's own; two walks that reach the same number go on alike. */
export interface Language {
  /** The same for languages of the same texts that were made alike. */
  readonly key: string;
  readonly start: number;
  /** The state after one more code point. */
  step(state: number, code: number): number;
  accepts(state: number): boolean;
  /** Code points at which another class of characters begins: between two of them all behave alike. */
  readonly boundaries: readonly number[];
}

const codesOf = (text: string): number[] => Array.from(text, (char) => char.codePointAt(0) as number);

function boundariesOf(codes: readonly number[]): number[] {
  return codes.flatMap((code) => [code, code + 1]);
}

/** One of several texts. */
export function oneOf(texts: readonly string[]): Language {
  const next: Map<number, number>[] = [new Map()];
  const ends = new Set<number>();
  for (const text of texts) {
    let state = 0;
    for (const code of codesOf(text)) {
      let to = next[state]?.get(code);
      if (to === undefined) {
        to = next.push(new Map()) - 1;
        next[state]?.set(code, to);
      }
      state = to;
    }
    ends.add(state);
  }
  return {
    key: `one of ${JSON.stringify(texts)}`,
    start: 0,
    step: (state, code) => (state < 0 ? -1 : (next[state]?.get(code) ?? -1)),
    accepts: (state) => ends.has(state),
    boundaries: boundariesOf(texts.flatMap(codesOf)),
  };
}

/** Texts that begin with another. */
export function startingWith(prefix: string): Language {
  const codes = codesOf(prefix);
  return {
    key: `starts ${JSON.stringify(prefix)}`,
    start: 0,
    step: (state, code) => (state < 0 ? -1 : state === codes.length ? state : codes[state] === code ? state + 1 : -1),
    accepts: (state) => state === codes.length,
    boundaries: boundariesOf(codes),
  };
}

/** Texts that contain another. */
export function containing(part: string): Language {
  const codes = codesOf(part);
  const fallback = failures(codes);
  return {
    key: `contains ${JSON.stringify(part)}`,
    start: 0,
    step: (state, code) => (state === codes.length ? state : advance(codes, fallback, state, code)),
    accepts: (state) => state === codes.length,
    boundaries: boundariesOf(codes),
  };
}

/** Texts that end with another. */
export function endingWith(suffix: string): Language {
  const codes = codesOf(suffix);
  const fallback = failures(codes);
  return {
    key: `ends ${JSON.stringify(suffix)}`,
    start: 0,
    step: (state, code) => advance(codes, fallback, state, code),
    accepts: (state) => state === codes.length,
    boundaries: boundariesOf(codes),
  };
}

/** For each length of a matched prefix, the longest shorter one that may go on. */
function failures(codes: readonly number[]): number[] {
  const table = [-1, 0];
  for (let i = 1; i < codes.length; i++) {
    let k = table[i] as number;
    while (k >= 0 && codes[k] !== codes[i]) k = table[k] as number;
    table.push(k + 1);
  }
  return table;
}

function advance(codes: readonly number[], fallback: readonly number[], from: number, code: number): number {
  let state = from;
  while (state >= 0 && codes[state] !== code) state = fallback[state] as number;
  return state + 1;
}

/** All texts that are not in a language. */
export function complement(language: Language): Language {
  return {
    key: `not ${language.key}`,
    start: language.start,
    step: (state, code) => language.step(state, code),
    accepts: (state) => !language.accepts(state),
    boundaries: language.boundaries,
  };
}

/** Texts that are in a language once `before` and `after` are put around them. */
export function within(language: Language, before: string, after: string): Language {
  const walk = (from: number, text: string): number =>
    codesOf(text).reduce((state, code) => language.step(state, code), from);
  return {
    key: `within ${JSON.stringify([before, after])} ${language.key}`,
    start: walk(language.start, before),
    step: (state, code) => language.step(state, code),
    accepts: (state) => language.accepts(walk(state, after)),
    boundaries: language.boundaries,
  };
}

/** Texts whose ASCII letters, changed to one case, are in a language. */
export function inCase(language: Language, form: "lower" | "upper"): Language {
  const shifted = form === "lower" ? 32 : -32;
  const [first, last] = form === "lower" ? [65, 90] : [97, 122];
  const letters = language.boundaries.flatMap((code) => [code, code - shifted]).filter((code) => code >= 0);
  return {
    key: `${form} ${language.key}`,
    start: language.start,
    step: (state, code) => language.step(state, code >= first && code <= last ? code + shifted : code),
    accepts: (state) => language.accepts(state),
    boundaries: [...letters, first, last + 1],
  };
}

/** Whether a text is in a language. */
export function holds(language: Language, text: string): boolean {
  let state = language.start;
  for (const code of codesOf(text)) state = language.step(state, code);
  return language.accepts(state);
}
