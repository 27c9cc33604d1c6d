// Options that several verbs have, so that they agree on name, letter and words. GLOBAL ones are added to every verb.

import type { Command, Option } from "./command.ts";
import { FORMATS } from "./output/formats.ts";

export const HELP: Option = { name: "help", short: "h", help: "show this help" };

export const COLOR: Option = {
  name: "color",
  value: "WHEN",
  help: "colours: auto, always or never; auto means on a terminal without NO_COLOR",
  choices: ["auto", "always", "never"],
  strict: true,
  fallback: "auto",
};

export const QUIET: Option = { name: "quiet", short: "q", help: "no progress and no notes, only the answer" };

export const OUTPUT: Option = {
  name: "output",
  short: "o",
  value: "FORMAT[=FILE]",
  repeatable: true,
  help: `${FORMATS.join(", ")}; =FILE writes to a file`,
  choices: FORMATS,
  fallback: "text",
};

export const WARN_EXIT_CODE: Option = {
  name: "warn-exit-code",
  value: "N",
  help: "exit code when there are warnings and no failures",
  fallback: "0",
};

export const FILES: Option = {
  name: "filename",
  short: "f",
  value: "PATH",
  repeatable: true,
  help: "file, directory (walked), glob, or - for standard input",
  choices: "files",
};

export const UNKNOWN_KINDS: Option = {
  name: "unknown-kinds",
  value: "HOW",
  help: "kinds without a CustomResourceDefinition: error denies them, warn warns once each, ignore says nothing",
  choices: ["error", "warn", "ignore"],
  strict: true,
  fallback: "warn",
};

export const KUBE_VERSION: Option = {
  name: "kube-version",
  value: "MINOR",
  help: "the Kubernetes minor to decide as, such as 1.30",
  fallback: "1.36",
};

/** Everything a verb takes: its own options, then those of every verb. */
export function optionsOf(command: Pick<Command, "options" | "plain">): readonly Option[] {
  const common = command.plain === true ? [COLOR, QUIET, HELP] : [OUTPUT, COLOR, QUIET, HELP];
  const own = new Set(command.options.map((option) => option.name));
  return [...command.options, ...common.filter((option) => !own.has(option.name))];
}
