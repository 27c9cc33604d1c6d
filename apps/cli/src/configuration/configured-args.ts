// The flags of a call with those of its configuration: flags of the call take precedence, lists of exclusions and codes add up.

import type { Args, Command, Flags } from "../program/command.ts";
import type { CallConfiguration } from "../program/configuration.ts";
import { parseKubeVersions } from "../sources/kube-version.ts";

/** Commands whose paths are the files of the repository; others compare sets, or read from a cluster. */
const READS_PATHS: ReadonlySet<string> = new Set([
  "autogen",
  "check",
  "cost",
  "explain",
  "fmt",
  "fuzz",
  "lint",
  "mutate",
  "prove",
  "test",
]);

/** Commands that take several Kubernetes versions. */
const TAKES_VERSIONS: ReadonlySet<string> = new Set(["cost", "lint"]);
/** Commands that read the versions of the configuration themselves, because the versions of a suite come before them. */
const WEIGHS_VERSIONS: ReadonlySet<string> = new Set(["test"]);

export function configuredArgs(
  args: Args,
  command: Pick<Command, "name" | "options">,
  configuration: CallConfiguration,
): Args {
  const defaults = defaultsOf(command, configuration);
  const has = (name: string): boolean => args.list(name).length > 0;
  const list = (name: string): readonly string[] => (has(name) ? args.list(name) : (defaults.get(name) ?? []));
  const flags: Flags = {
    text: (name) => list(name).at(-1),
    list,
    on: (name) => args.on(name) || defaults.has(name),
    number: args.number,
  };
  const namesOthers = args.positionals.length > 0 || ["filename", "helm", "init", "kustomize"].some(has);
  const takesPaths = READS_PATHS.has(command.name) && !namesOthers;
  const paths = takesPaths ? (configuration.text.paths ?? []).map((path) => configuration.resolved(path)) : [];
  return { positionals: [...args.positionals, ...paths], ...flags, shared: flags, configuration };
}

function defaultsOf(
  { name, options }: Pick<Command, "name" | "options">,
  configuration: CallConfiguration,
): Map<string, readonly string[]> {
  const { gitignore, strictFiles, kubeVersion, unknownKinds, baseline } = configuration.text;
  const defaults = new Map<string, readonly string[]>();
  const known = new Set(options.map((option) => option.name));
  const add = (flag: string, value: string | undefined): void => {
    if (value !== undefined && known.has(flag)) defaults.set(flag, [value]);
  };
  add("gitignore", gitignore ? "" : undefined);
  add("strict-files", strictFiles ? "" : undefined);
  const newest = kubeVersion && parseKubeVersions(kubeVersion).at(-1);
  if (!WEIGHS_VERSIONS.has(name)) add("kube-version", TAKES_VERSIONS.has(name) ? kubeVersion : newest);
  add("unknown-kinds", unknownKinds);
  add("baseline", baseline && configuration.resolved(baseline));
  return defaults;
}
