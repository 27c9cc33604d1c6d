// The language that a parser reads: the newest, or that of an older release of cel-go.

/** Differences between the parsers of releases. */
export interface LanguageOptions {
  /** Whether names in backticks are tokens, whatever becomes of them. */
  readonly backtickTokens: boolean;
  /** Whether escapes of code points that do not exist are mistakes. */
  readonly strictEscapes: boolean;
  /** Whether expressions cannot write the name of the accumulator of macros. */
  readonly hiddenAccumulator: boolean;
}

export const NEWEST_LANGUAGE: LanguageOptions = { backtickTokens: true, strictEscapes: true, hiddenAccumulator: true };
