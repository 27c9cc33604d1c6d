// `celadon crd upgrade`: what becomes of objects when their CustomResourceDefinition changes.

import type { Args, Command, Option } from "../command.ts";
import { upgradeAnswer } from "../crd-upgrade/upgrade-answer.ts";
import { definitionsIn, upgradesOf } from "../crd-upgrade/upgrades.ts";
import { loadSets } from "../diff/sets.ts";
import { type ExitCode, UsageError } from "../exit.ts";
import type { Io } from "../io.ts";
import { FILES } from "../options.ts";
import { writeAnswer } from "../output/write.ts";

// biome-ignore format: one option per line
const OPTIONS: readonly Option[] = [
  { ...FILES, help: "objects that exist: files, directories, a dump of a cluster" },
  { name: "old-git", value: "REV", help: "OLD is what NEW was at a git revision" },
  { name: "show",    value: "N",   help: "objects shown of each definition", fallback: "10" },
  { name: "all",     help: "show every object" },
];

export const command: Command = {
  name: "crd upgrade",
  summary: "find objects that a new CustomResourceDefinition breaks, holds or empties",
  usage: "OLD NEW [-f OBJECTS…] [flags]",
  about: `Pairs the CustomResourceDefinitions of OLD and NEW by name. Of each: whether a server takes the new one in place of the old,
versions that are removed, no longer served or stored, fields, bounds and rules that changed, what rules may cost before and after.
Objects of -f are then updated without any change under the new definition. Those that are refused cannot be updated at all until
they are mended; those that ratcheting saves are held, until somebody changes the value; and fields the new schema does not know are
dropped. Rules that compare with oldSelf, and rules of the whole object, are never held.

The code is 1 when the server refuses a definition, or an object cannot be updated.`,
  options: OPTIONS,
  positionals: "files",
  examples: [
    {
      what: "a new release of an operator",
      line: "kubectl get queues -A -o yaml | celadon crd upgrade old-crds/ new-crds/ -f -",
    },
    { what: "a pull request", line: "celadon crd upgrade --old-git origin/main config/crd/ -f samples/" },
    { what: "for a program", line: "celadon crd upgrade old.yaml new.yaml -f cluster.yaml -o json" },
  ],
  run: upgrade,
};

async function upgrade(args: Args, io: Io): Promise<ExitCode> {
  const shown = args.on("all") ? Number.POSITIVE_INFINITY : (args.number("show", { min: 0, max: 1_000_000 }) ?? 10);
  const { old, next, objects } = await loadSets({ verb: "crd upgrade", needsOld: true, needsObjects: false }, args, io);
  for (const [set, what] of [
    [old, "OLD"],
    [next, "NEW"],
  ] as const) {
    if (definitionsIn(set).size === 0) {
      throw new UsageError(
        `no CustomResourceDefinition in ${what}`,
        "OLD and NEW hold definitions; objects are named with -f",
      );
    }
  }
  return writeAnswer(upgradeAnswer(upgradesOf(old, next, objects.manifests), shown), args, io);
}
