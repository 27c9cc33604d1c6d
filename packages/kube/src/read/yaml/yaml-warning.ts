// Parts of a text that YAML drops silently: Kubernetes reads on, and the reader of the file is warned.

import type { ReadIssueCode } from "../issue.ts";

export interface YamlWarning {
  readonly code: ReadIssueCode;
  readonly message: string;
  readonly at: number;
}

/** Warnings beyond this are not listed: nobody reads on. */
export const LONGEST_LIST = 1000;

/** The warning about a text that a comment cuts off. */
export const CUT_OFF = "YAML reads # behind a space as a comment, and the text ends before it; quote the text";

/** Operators that need something behind them. Base64 ends with equals signs, too, and without a blank before them. */
const OPEN_END = /(?:\|\||&&|[!<>]=|\s==)\s*$/;

/** Whether a text ends inside of quotes or brackets, or behind an operator. An apostrophe in a word opens nothing. */
export function isCutOff(text: string): boolean {
  let quote = "";
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!;
    if (quote !== "") {
      if (char === quote) quote = "";
    } else if (char === '"' || (char === "'" && !/[\w)]/.test(text[i - 1] ?? ""))) quote = char;
    else if ("([{".includes(char)) depth++;
    else if (")]}".includes(char)) depth--;
  }
  return quote !== "" || depth > 0 || OPEN_END.test(text);
}

/** A key that is a word for a boolean in YAML 1.1 and has another meaning to most people: `on`, `y`, `no`. */
export function isBooleanWord(text: string): boolean {
  return !/^(?:true|false)$/i.test(text);
}
