// Parts of a text that YAML drops silently: Kubernetes reads on, and the reader of the file is warned.

import type { ReadIssueCode } from "../issue.ts";

export interface YamlWarning {
  readonly code: ReadIssueCode;
  readonly message: string;
  readonly at: number;
}

/** Warnings beyond this are not listed: nobody reads on. */
export const LONGEST_LIST = 1000;

/** Whether a text ends inside of quotes or brackets. An apostrophe in a word opens nothing. */
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
  return quote !== "" || depth > 0;
}

/** A key that is a word for a boolean in YAML 1.1 and has another meaning to most people: `on`, `y`, `no`. */
export function isBooleanWord(text: string): boolean {
  return !/^(?:true|false)$/i.test(text);
}
