// Names that macros bring in, with every place that means them: for references, renaming and colours.

import type { ExpressionText } from "./written.ts";

/** A name that a macro declares, and the stretch in which it is known. */
export interface LocalName {
  readonly name: string;
  /** Token of the declaration. */
  readonly declared: number;
  readonly start: number;
  readonly end: number;
}

const MACROS: ReadonlySet<string> = new Set([
  "all",
  "exists",
  "exists_one",
  "existsOne",
  "map",
  "filter",
  "sortBy",
  "optMap",
  "optFlatMap",
  "bind",
  "transformList",
  "transformMap",
  "transformMapEntry",
]);

/** Outer ones first. */
export function localNames(written: ExpressionText): LocalName[] {
  const found: LocalName[] = [];
  const closings = closingsOf(written);
  for (const [i, token] of written.tokens.entries()) {
    if (
      !written.is(i, "(") ||
      written.tokens[i - 1]?.is !== "name" ||
      !MACROS.has(written.textOf(written.tokens[i - 1]))
    )
      continue;
    if (!written.is(i - 2, ".")) continue;
    const end = closings.get(i) ?? written.text.length;
    for (let at = i + 1; written.tokens[at]?.is === "name" && written.is(at + 1, ","); at += 2) {
      // The value of cel.bind does not know the name it gets; nothing is lost by taking it as known.
      found.push({ name: written.textOf(written.tokens[at]), declared: at, start: token.end, end });
      const takesTwo =
        /^transform/.test(written.textOf(written.tokens[i - 1])) || written.tokens[at + 2]?.is === "name";
      if (!takesTwo || at > i + 1) break;
    }
  }
  return found;
}

/** Matches brackets, by the tokens that open them; all in one walk, however deep they are nested. */
function closingsOf(written: ExpressionText): ReadonlyMap<number, number> {
  const closings = new Map<number, number>();
  const open: number[] = [];
  for (const [i, token] of written.tokens.entries()) {
    const sign = token.is === "sign" ? written.textOf(token) : "";
    if (/^[([{]$/.test(sign)) open.push(i);
    else if (/^[)\]}]$/.test(sign)) {
      const opening = open.pop();
      if (opening !== undefined) closings.set(opening, token.end);
    }
  }
  return closings;
}

/** Finds the innermost local that the name at a token means. Members mean no name. */
export function localAt(written: ExpressionText, names: readonly LocalName[], token: number): LocalName | undefined {
  const { start, is } = written.tokens[token]!;
  if (is !== "name" || written.is(token - 1, ".") || (written.is(token - 1, "?") && written.is(token - 2, ".")))
    return undefined;
  const name = written.textOf(written.tokens[token]);
  return names.findLast((localName) => localName.name === name && localName.start <= start && start < localName.end);
}

/** Tokens that mean the name, its declaration among them. */
export function localUses(written: ExpressionText, names: readonly LocalName[], local: LocalName): number[] {
  return written.tokens.flatMap((_, i) => (localAt(written, names, i) === local ? [i] : []));
}
