// A command as data for parsing, help, completion and the reference page, and the function that runs it.

import type { CallConfiguration } from "./configuration.ts";
import type { ExitCode } from "./exit.ts";
import type { Io } from "./io.ts";

export interface Option<Name extends string = string> {
  /** Without dashes: `kube-version`. */
  readonly name: Name;
  readonly short?: string;
  /** The name of the value in help; a switch has none. */
  readonly value?: string;
  readonly repeatable?: boolean;
  readonly help: string;
  /** For completion: fixed words, or files. */
  readonly choices?: readonly string[] | "files";
  /** Whether only the choices may be given. */
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
  /** The meaning of exit code 1; commands without it either succeed or cannot run. */
  readonly failure?: string;
  /** After the name: `-f PATH… [flags]`. */
  readonly usage: string;
  /** Paragraphs of help. */
  readonly about: string;
  readonly options: readonly Option[];
  readonly examples: readonly Example[];
  /** The kind of positional arguments, for completion. */
  readonly positionals?: readonly string[] | "files";
  /** Makes no Answer, so that `-o` does not apply. */
  readonly plain?: boolean;
  run(args: Args, io: Io): Promise<ExitCode>;
}

/** The values of flags, by name. */
export interface Flags<Name extends string = string> {
  // Functions, not methods: a helper that reads a flag cannot be given the flags of a command that does not have it.
  /** The last value given. */
  readonly text: (name: Name) => string | undefined;
  /** All values given, in order. */
  readonly list: (name: Name) => readonly string[];
  readonly on: (name: Name) => boolean;
  /** A whole number; a usage error if it is not one or out of range. */
  readonly number: (name: Name, range: { readonly min: number; readonly max: number }) => number | undefined;
}

/** Parsed flags of one call, by the names of the command's table. Unknown and misused flags never get here. */
export interface Args<Name extends string = string> extends Flags<Name> {
  readonly positionals: readonly string[];
  /** For helpers of several commands: flags that some of them do not have, and that are absent there. */
  readonly shared: Flags<SharedFlag>;
  /** The configuration file in force; undefined without one, and for commands that read no manifests. */
  readonly configuration?: CallConfiguration;
}

/** Flags that every command has. */
export type GlobalFlag = "output" | "color" | "quiet" | "help";

/** Flags of some commands that common helpers look for. */
export type SharedFlag =
  | GlobalFlag
  | "bind-all"
  | "config"
  | "exclude"
  | "gitignore"
  | "helm"
  | "helm-values"
  | "issuer"
  | "kube-version"
  | "kustomize"
  | "strict-files"
  | "cluster"
  | "context"
  | "feature-gates"
  | "kubeconfig"
  | "namespace"
  | "replicas"
  | "warn-exit-code"
  | "write-baseline";

/** The names of the flags of a table. */
export type NamesOf<Table extends readonly Option[]> = Table[number]["name"];

/** The flags of a table, and the global ones. */
export type ArgsOf<Table extends readonly Option[]> = Args<NamesOf<Table> | GlobalFlag>;

/** A command whose function may only read the flags of its own table. */
export function defineCommand<const Table extends readonly Option[]>(
  command: Omit<Command, "options" | "run"> & {
    readonly options: Table;
    readonly run: (args: ArgsOf<Table>, io: Io) => Promise<ExitCode>;
  },
): Command {
  return command;
}

/** A row of the table of verbs. */
export interface CommandEntry {
  /** `check`, or `crd upgrade`. */
  readonly name: string;
  readonly summary: string;
  load(): Promise<{ readonly command: Command }>;
}
