// Releases of cel-go as data. Functions say in their rows since which release they exist or which one removed them; all other
// changes of the language are listed here by the release that brought them.

/** A release of cel-go by its minor version: 29 is v0.29. */
export type Release = number;

/** The release that decides language, costs and messages by default. */
export const NEWEST_RELEASE: Release = 29;

/** Releases in which something holds. An absent end is open. */
export interface ReleaseRange {
  readonly since?: Release;
  /** The first release without it. */
  readonly removed?: Release;
}

/** Whether a range includes a release. */
export function holdsIn({ since = 0, removed = Number.POSITIVE_INFINITY }: ReleaseRange, release: Release): boolean {
  return since <= release && release < removed;
}

/** A change of the language. */
export type Change =
  | "typesOfSecondVariables"
  | "rangeErrorsPass"
  | "sizesOfOptionals"
  | "typesAreNoVariables"
  | "placesAtLineStarts"
  | "lazyBindings"
  | "optionalTypeNamed"
  | "backtickTokens"
  | "strictEscapes"
  | "hiddenAccumulator"
  | "listsOfDyn"
  | "quotedFields"
  | "rootNamesPassLocals"
  | "optionalsKeepValues"
  | "optionalsOfDyn"
  | "orNeedsOptional";

/** Changes of the language that are not rows of a library, with the release that brought each. */
// biome-ignore format: one change per line
const CHANGES: Readonly<Record<Change, Release>> = {
  /** The second variable of a comprehension over untyped data is dyn; before, it had no type at all. */
  typesOfSecondVariables: 23,
  /** An error in the range of a comprehension with two variables is its result; before, an error about the range's type. */
  rangeErrorsPass: 23,
  /** Costs see the size of the value in an optional; before, every optional was of size 1. */
  sizesOfOptionals: 23,
  /** The names of types that a host declares for its data are types; before, they were variables without a value. */
  typesAreNoVariables: 22,
  /** The first place of a line belongs to it; before, issues of the checker showed it at the end of the line before. */
  placesAtLineStarts: 22,
  /** A bound value is evaluated where it is first used; before, always and first. */
  lazyBindings: 22,
  /** The type of optionals is `optional_type`; before, `optional`, which was no name. */
  optionalTypeNamed: 20,
  /** Names in backticks are tokens. */
  backtickTokens: 23,
  /** Escapes of code points that do not exist are mistakes. */
  strictEscapes: 23,
  /** The accumulator of macros has a name that cannot be written. */
  hiddenAccumulator: 23,
  /** The types of lists and maps are printed with their parameters: `list(dyn)`; before, `list()`. */
  listsOfDyn: 26,
  /** ``a.`b-c` `` is read without an option. */
  quotedFields: 29,
  /** `.name` is the variable of the environment even inside a loop that declares the name; before, a loop's variable came first. */
  rootNamesPassLocals: 29,
  /** Reading an optional leaves its value as it is (see value/reopen.ts). */
  optionalsKeepValues: 29,
  /** The type of an optional is `optional_type(dyn)`; before, `optional_type`. */
  optionalsOfDyn: 29,
  /** `or` and `orValue` of a value that is no optional are errors; before, they answered it. */
  orNeedsOptional: 29,
};

/** Whether a release has a change. */
export function hasChange(release: Release, change: Change): boolean {
  return release >= CHANGES[change];
}
