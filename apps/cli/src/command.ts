// What a verb is: data for parsing, help, completion and the reference page, and the function that runs it.

import type { ExitCode } from "./exit.ts";
import type { Io } from "./io.ts";

export interface Option {
  /** Without dashes: `kube-version`. */
  readonly name: string;
  readonly short?: string;
  /** What stands for the value in help; a switch has none. */
  readonly value?: string;
  readonly repeatable?: boolean;
  readonly help: string;
  /** For completion: fixed words, or files. */
  readonly choices?: readonly string[] | "files";
  /** Nothing but the choices may be given. */
  readonly strict?: boolean;
  /** Shown in help. */
  readonly fallback?: string;
}

export interface Example {
  readonly what: string;
  readonly line: string;
}

export interface Command {
  /** `check`, or `crd upgrade`. */
  readonly name: string;
  readonly summary: string;
  /** After the name: `-f PATH… [flags]`. */
  readonly usage: string;
  /** Paragraphs of help. */
  readonly about: string;
  readonly options: readonly Option[];
  readonly examples: readonly Example[];
  /** What positional arguments are, for completion. */
  readonly positionals?: readonly string[] | "files";
  /** Makes no Answer, so that `-o` does not apply. */
  readonly plain?: boolean;
  run(args: Args, io: Io): Promise<ExitCode>;
}

/** Parsed flags of one call. Unknown and misused flags never get here. */
export interface Args {
  readonly positionals: readonly string[];
  /** The last value given. */
  text(name: string): string | undefined;
  /** All values given, in order. */
  list(name: string): readonly string[];
  on(name: string): boolean;
  /** A whole number; a usage error when it is none or out of range. */
  number(name: string, range: { readonly min: number; readonly max: number }): number | undefined;
}
