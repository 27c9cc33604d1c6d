// Flags that several commands share, so that they agree on name, letter and wording; the global flags are added to every command.

import { FORMATS } from "../output/formats.ts";
import type { Command, Option } from "../program/command.ts";

export const HELP = { name: "help", short: "h", help: "show this help" } as const satisfies Option;

export const COLOR = {
  name: "color",
  value: "WHEN",
  help: "when to use colours: auto, always or never; auto uses them on a terminal unless NO_COLOR is set",
  choices: ["auto", "always", "never"],
  strict: true,
  fallback: "auto",
} as const satisfies Option;

export const QUIET = {
  name: "quiet",
  short: "q",
  help: "print results only, without progress and notes",
} as const satisfies Option;

export const OUTPUT = {
  name: "output",
  short: "o",
  value: "FORMAT[=FILE]",
  repeatable: true,
  help: `output format: ${FORMATS.join(", ")}; =FILE writes it to a file`,
  choices: FORMATS,
  fallback: "text",
} as const satisfies Option;

export const WARN_EXIT_CODE = {
  name: "warn-exit-code",
  value: "N",
  help: "exit code when there are warnings but no failures",
  fallback: "0",
} as const satisfies Option;

export const FILES = {
  name: "filename",
  short: "f",
  value: "PATH",
  repeatable: true,
  help: "file, directory (searched recursively), glob, or - for standard input",
  choices: "files",
} as const satisfies Option;

const STRICT_FILES = {
  name: "strict-files",
  help: "end without results if a file cannot be read, and skip nothing in directories",
} as const satisfies Option;

/** Flags that exclude files of directories. */
export const EXCLUDE = [
  {
    name: "exclude",
    value: "GLOB",
    repeatable: true,
    help: "leave matching files out of directories, as .celadonignore does; patterns as in .gitignore",
  },
  { name: "gitignore", help: "leave out what .gitignore names, too" },
] as const satisfies readonly Option[];

export const CONFIG = {
  name: "config",
  value: "FILE",
  help: "configuration file to use; `none` uses none",
  fallback: "the celadon.yaml found from the working directory upwards",
  choices: "files",
} as const satisfies Option;

/** Flags of commands whose inputs may be built by other programs first. */
export const BUILT = [
  {
    name: "kustomize",
    short: "k",
    value: "DIR",
    repeatable: true,
    help: "directory to build with kustomize, or with kubectl where kustomize is not installed",
    choices: "files",
  },
  {
    name: "helm",
    value: "CHART",
    repeatable: true,
    help: "chart to render with helm; problems are shown in its templates",
    choices: "files",
  },
  { name: "helm-values", value: "FILE", repeatable: true, help: "values for the charts of --helm", choices: "files" },
] as const satisfies readonly Option[];

/** Flags of every command that reads manifests. */
export const READING = [STRICT_FILES, ...EXCLUDE, CONFIG] as const satisfies readonly Option[];

export const UNKNOWN_KINDS = {
  name: "unknown-kinds",
  value: "HOW",
  help: "objects of kinds without a CustomResourceDefinition: error rejects them, warn warns once per kind, ignore accepts them",
  choices: ["error", "warn", "ignore"],
  strict: true,
  fallback: "warn",
} as const satisfies Option;

export const KUBE_VERSION = {
  name: "kube-version",
  value: "VERSION",
  help: "Kubernetes version to emulate, such as 1.30",
  fallback: "1.37",
} as const satisfies Option;

/** For commands that may read a cluster. */
export const KUBE_VERSION_OR_CLUSTER = {
  ...KUBE_VERSION,
  fallback: "the cluster's version, or 1.37 without a cluster",
} as const satisfies Option;

/** For commands that give an answer for each of several versions. */
export const KUBE_VERSIONS = {
  ...KUBE_VERSION,
  value: "VERSIONS",
  help: "Kubernetes versions to emulate, such as 1.33, 1.30..1.37 or 1.30,1.33",
} as const satisfies Option;

/** All flags of a command: its own, then the global ones. */
export function optionsOf(command: Pick<Command, "options" | "plain">): readonly Option[] {
  const common = command.plain === true ? [COLOR, QUIET, HELP] : [OUTPUT, COLOR, QUIET, HELP];
  const own = new Set(command.options.map((option) => option.name));
  return [...command.options, ...common.filter((option) => !own.has(option.name))];
}
