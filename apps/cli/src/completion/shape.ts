// The commands with their flags and arguments, as completion scripts need them, and how many words the names have.

import { optionsOf } from "../inputs/options.ts";
import type { Command, Option } from "../program/command.ts";

export interface Shape {
  /** The first words, with a line about each. */
  readonly words: readonly (readonly [word: string, summary: string])[];
  /** Second words of verbs that have two, by the first. */
  readonly groups: ReadonlyMap<string, readonly (readonly [word: string, summary: string])[]>;
  readonly verbs: readonly VerbShape[];
}

export interface VerbShape {
  readonly name: string;
  readonly options: readonly Option[];
  readonly positionals: readonly string[] | "files";
}

export function shapeOf(commands: readonly Command[]): Shape {
  const words = new Map<string, string>();
  const groups = new Map<string, (readonly [string, string])[]>();
  for (const { name, summary } of commands) {
    const [first = "", second] = name.split(" ");
    if (second === undefined) words.set(first, summary);
    else {
      if (!words.has(first)) words.set(first, `commands for ${first}`);
      groups.set(first, [...(groups.get(first) ?? []), [second, summary]]);
    }
  }
  const verbs = commands.map((command) => ({
    name: command.name,
    options: optionsOf(command),
    positionals: command.name === "help" ? [...words.keys()] : (command.positionals ?? []),
  }));
  return { words: [...words], groups, verbs };
}

/** `-o` and `--output`. */
export function namesOf({ name, short }: Option): readonly string[] {
  return short === undefined ? [`--${name}`] : [`-${short}`, `--${name}`];
}

/** In single quotes, for any of the three shells. */
export function quoted(text: string, escapeQuote = "'\\''"): string {
  return `'${text.replaceAll("'", escapeQuote)}'`;
}
