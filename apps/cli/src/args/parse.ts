// Flags by a verb's table. `node:util` cuts the words; this file checks errors that it would accept silently or report in words of its own.
// Values stay the text that was written: `--kube-version 1.30` is not 1.3.

import { parseArgs } from "node:util";
import { nearestName } from "@celadon/base";
import type { Args, Flags, Option } from "../program/command.ts";
import { UsageError } from "../program/exit.ts";

/** `takesFiles`: the verb has its files as arguments, which users of other commands give with -f. */
export function parseFlags(options: readonly Option[], argv: readonly string[], takesFiles = false): Args {
  const byName = new Map(options.map((option) => [option.name, option]));
  const { tokens } = parseArgs({
    args: [...argv],
    options: Object.fromEntries(options.map((option) => [option.name, nodeOption(option)])),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });

  const positionals: string[] = [];
  const values = new Map<string, string[]>();
  for (const token of tokens) {
    if (token.kind === "positional") positionals.push(token.value);
    if (token.kind !== "option") continue;
    const option = byName.get(token.name);
    if (option === undefined) throw unknownFlag(token.rawName, options, takesFiles);
    const value = checkedValue(option, token, options);
    const given = values.get(option.name) ?? [];
    values.set(option.name, [...given, value]);
  }
  return makeArgs(positionals, values);
}

function nodeOption({ short, value }: Option): { type: "string" | "boolean"; short?: string; multiple: true } {
  return { type: value === undefined ? "boolean" : "string", multiple: true, ...(short !== undefined && { short }) };
}

interface OptionToken {
  readonly rawName: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

function checkedValue(option: Option, token: OptionToken, options: readonly Option[]): string {
  const { rawName, inlineValue } = token;
  if (option.value === undefined) {
    if (inlineValue === true) throw new UsageError(`flag ${rawName} takes no value: found "${token.value}"`);
    return "";
  }
  // `-o=json` is `-o json` as in kubectl.
  const value = inlineValue === true && !rawName.startsWith("--") ? token.value?.replace(/^=/, "") : token.value;
  if (value === undefined || (inlineValue !== true && (value === "--" || isFlag(value, options)))) {
    throw new UsageError(`flag ${rawName} needs a value: ${rawName} ${option.value}`);
  }
  if (Array.isArray(option.choices) && option.strict === true && !option.choices.includes(value)) {
    const guess = nearestName(value, option.choices);
    throw new UsageError(
      `flag ${rawName}: unknown value "${value}"${guess === undefined ? "" : `; did you mean "${guess}"?`}`,
      `one of: ${option.choices.join(", ")}`,
    );
  }
  return value;
}

/** A word that is one of the flags: the value before it was forgotten. Other words may begin with a dash. */
function isFlag(word: string, options: readonly Option[]): boolean {
  return options.some(
    ({ name, short }) => word === `--${name}` || word.startsWith(`--${name}=`) || word === `-${short}`,
  );
}

function unknownFlag(rawName: string, options: readonly Option[], takesFiles: boolean): UsageError {
  const guess = rawName.startsWith("--")
    ? nearestName(
        rawName.slice(2),
        options.map((option) => option.name),
      )
    : options.find((option) => option.name === rawName.slice(1))?.name;
  const hint = /^-\d/.test(rawName)
    ? "put arguments that begin with a dash after `--`"
    : takesFiles && ["-f", "--filename"].includes(rawName)
      ? "give files and directories without a flag"
      : undefined;
  return new UsageError(`unknown flag ${rawName}${guess === undefined ? "" : `; did you mean --${guess}?`}`, hint);
}

/** Args of values that are already known; tests make theirs with this. */
export function makeArgs(positionals: readonly string[], values: ReadonlyMap<string, readonly string[]>): Args {
  const text = (name: string): string | undefined => values.get(name)?.at(-1);
  const flags: Flags = {
    text,
    list: (name) => values.get(name) ?? [],
    on: (name) => values.has(name),
    number: (name, { min, max }) => {
      const given = text(name);
      if (given === undefined) return undefined;
      const number = /^[+-]?\d{1,15}$/.test(given) ? Number(given) : Number.NaN;
      if (number >= min && number <= max) return number;
      throw new UsageError(`flag --${name}: "${given}" is not a whole number from ${min} to ${max}`);
    },
  };
  return { positionals, ...flags, shared: flags };
}
