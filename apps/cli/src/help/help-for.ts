// The help of a command, from its table: usage, description, flags, examples, exit codes.

import { optionsOf } from "../inputs/options.ts";
import type { Command, Option } from "../program/command.ts";
import { COLUMNS, columns, wrap } from "./wrap.ts";

/** The exit codes of all commands together; the help of a command has its own meaning of a failure. */
export const EXIT_CODES: readonly (readonly [string, string])[] = exitCodes(
  "failure: an object was denied, a test failed, or a problem was found",
);

/** The exit codes of a command; `failure` is what the code 1 means, if it has that. */
export function exitCodes(failure: string | undefined): readonly (readonly [string, string])[] {
  return [
    ["0", "success"],
    ...(failure === undefined ? [] : [["1", failure] as const]),
    ["2", "invalid flags, or input that cannot be read"],
    ["3", "internal error; please report it"],
  ];
}

export function helpFor(command: Command): string {
  const own = command.options;
  const common = optionsOf(command).slice(own.length);
  const sections = [
    `${wrap(sentence(command.summary), COLUMNS).join("\n")}\n`,
    section("Usage", `  celadon ${command.name} ${command.usage}`.trimEnd().concat("\n")),
    command.about === "" ? "" : `${wrap(command.about, COLUMNS).join("\n")}\n`,
    own.length === 0 ? "" : section("Flags", columns(own.map(optionRow))),
    section("Global flags", columns(common.map(optionRow))),
    command.examples.length === 0 ? "" : section("Examples", examples(command)),
    section("Exit codes", columns(exitCodes(command.failure))),
  ];
  return sections.filter((text) => text !== "").join("\n");
}

const section = (title: string, body: string): string => `${title}:\n${body}`;

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function optionRow(option: Option): readonly [string, string] {
  return [optionUsage(option), optionHelp(option)];
}

/** `-f, --filename PATH` */
export function optionUsage({ name, short, value }: Option): string {
  const letter = short === undefined ? "    " : `-${short}, `;
  return `${letter}--${name}${value === undefined ? "" : ` ${value}`}`;
}

export function optionHelp(option: Option): string {
  const { help, fallback, repeatable } = option;
  const unlisted = unlistedChoices(option);
  const notes = [
    unlisted.length === 0 ? "" : `one of: ${unlisted.join(", ")}`,
    repeatable === true ? "may be repeated" : "",
    fallback === undefined ? "" : `default: ${fallback}`,
  ];
  const shown = notes.filter((note) => note !== "");
  return shown.length === 0 ? help : `${help} (${shown.join("; ")})`;
}

/** Choices that the help text does not mention itself: help lists every choice. */
function unlistedChoices({ help, choices }: Option): readonly string[] {
  if (!Array.isArray(choices)) return [];
  const words = new Set(help.split(/[^\w.-]+/));
  return choices.every((choice) => words.has(choice)) ? [] : choices;
}

function examples(command: Command): string {
  return command.examples
    .map(({ what, line }) => `  # ${what}\n  ${fitting(line).replaceAll("\n", "\n  ")}\n`)
    .join("\n");
}

/** A pipeline that is too long goes on after the bar, where a shell needs no sign for it. */
function fitting(line: string): string {
  return line.length + 2 > COLUMNS ? line.replaceAll(" | ", " |\n  ") : line;
}
