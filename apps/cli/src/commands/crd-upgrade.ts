// `celadon crd upgrade`: the effects of a changed CustomResourceDefinition on existing objects.

import { upgradeAnswer } from "../crd-upgrade/upgrade-answer.ts";
import { definitionsIn, upgradesOf } from "../crd-upgrade/upgrades.ts";
import { withNothingJudged } from "../inputs/nothing-judged.ts";
import { FILES, READING } from "../inputs/options.ts";
import { loadSets } from "../inputs/sets.ts";
import { withUnread } from "../inputs/unread.ts";
import { writeAnswer } from "../output/write.ts";
import { type ArgsOf, type Command, defineCommand, type Option } from "../program/command.ts";
import { type ExitCode, UsageError } from "../program/exit.ts";
import type { Io } from "../program/io.ts";

// biome-ignore format: one option per line
const OPTIONS = [
  { ...FILES, help: "existing objects: file, directory, glob, or - for standard input" },
  ...READING,
  { name: "old-git", value: "REV", help: "use NEW at this git revision as OLD" },
  { name: "show",    value: "N",   help: "number of objects to show per CRD", fallback: "10" },
  { name: "all",     help: "show every object" },
  { name: "fail-on", value: "WHAT", help: "objects fails for rejected definitions and objects; breaking also for any change that a client may mind", choices: ["objects", "breaking"], strict: true, fallback: "objects" },
  { name: "costs",   help: "show all changed costs of rules, not only increases" },
] as const satisfies readonly Option[];

export const command: Command = defineCommand({
  name: "crd upgrade",
  summary: "find objects that a new CustomResourceDefinition would reject or change",
  failure: "an object breaks, the server rejects the definition, or --fail-on found a change",
  usage: "OLD NEW [-f OBJECTS…] [flags]",
  about: `Compares the CustomResourceDefinitions of OLD and NEW by name. Reports for each whether a server would accept the new one in place of
the old; versions that are removed, no longer served or no longer stored; changed fields, bounds and rules; and rules that may cost
more.

Then updates each object in -f without changes under the new definition, and reports three groups. Rejected objects cannot be
updated until they are fixed. Ratcheted objects are accepted until somebody changes the invalid value; rules that use oldSelf and
rules on the whole object are never ratcheted. Pruned objects lose fields that the new schema does not have.

The exit code is 1 if the server would reject a definition or an object. With --fail-on breaking, it is also 1 if a version is removed
or no longer served, a field is removed, bounds get tighter, or rules are added, whether or not an object in -f has that.`,
  options: OPTIONS,
  positionals: "files",
  examples: [
    {
      what: "check an operator's new CRDs against a cluster's objects",
      line: "kubectl get queues -A -o yaml | celadon crd upgrade old-crds/ new-crds/ -f -",
    },
    { what: "check a pull request", line: "celadon crd upgrade --old-git origin/main config/crd/ -f samples/" },
    { what: "fail for any breaking change", line: "celadon crd upgrade old.yaml new.yaml --fail-on breaking" },
    { what: "print JSON", line: "celadon crd upgrade old.yaml new.yaml -f cluster.yaml -o json" },
  ],
  run: upgrade,
});

async function upgrade(args: ArgsOf<typeof OPTIONS>, io: Io): Promise<ExitCode> {
  const shown = args.on("all") ? Number.POSITIVE_INFINITY : (args.number("show", { min: 0, max: 1_000_000 }) ?? 10);
  const { old, next, objects, unread } = await loadSets(
    { verb: "crd upgrade", needsOld: true, needsObjects: false },
    args,
    io,
  );
  for (const [set, what] of [
    [old, "OLD"],
    [next, "NEW"],
  ] as const) {
    if (definitionsIn(set).size === 0) {
      throw new UsageError(
        `no CustomResourceDefinition in ${what}`,
        "OLD and NEW must have CRDs; give objects with -f",
      );
    }
  }
  const upgrades = upgradesOf(old, next, objects.manifests);
  const report = upgradeAnswer(upgrades, {
    shown,
    allCosts: args.on("costs"),
    failOn: args.text("fail-on") === "breaking" ? "breaking" : "objects",
  });
  const isBlind = args.list("filename").length > 0 && upgrades.every((upgrade) => upgrade.objects === 0);
  const answer = isBlind
    ? withNothingJudged(report, { message: "no object in -f is of a kind that a CRD of OLD or NEW defines" })
    : report;
  return writeAnswer(withUnread(answer, unread), args, io);
}
