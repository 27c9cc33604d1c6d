// `celadon diff`: which verdicts change between two sets of policies, definitions and what they need.

import { type WorldOptions, WorldPair } from "@celadon/simulator";
import { ASKING, type Asked, askingOf, subjectsOf } from "../check/subjects.ts";
import type { Args, Command, Option } from "../command.ts";
import { compareAll } from "../diff/compare-all.ts";
import { type DiffReport, diffAnswer } from "../diff/diff-answer.ts";
import { GROUPINGS, type Grouping } from "../diff/groups.ts";
import { Owners } from "../diff/owners.ts";
import { compareRecorded } from "../diff/recorded.ts";
import { diffResources } from "../diff/resources.ts";
import { loadSets, type Sets } from "../diff/sets.ts";
import { type ExitCode, UsageError } from "../exit.ts";
import { tellNotes } from "../inputs.ts";
import type { Io } from "../io.ts";
import { FILES } from "../options.ts";
import { groupBy } from "../output/group-by.ts";
import { writeAnswer } from "../output/write.ts";
import { startProgress } from "../progress.ts";

// biome-ignore format: one option per line
const OPTIONS: readonly Option[] = [
  { ...FILES, help: "the objects, recorded AdmissionReviews or audit events to compare over; their namespaces, RBAC and definitions are in both sets" },
  { name: "old-git",     value: "REV",  help: "OLD is what NEW was at a git revision" },
  { name: "recorded",    help: "compare the recorded answers of AdmissionReviews and audit events with NEW" },
  { name: "messages",    help: "with --recorded: a refusal with another message is a difference" },
  { name: "group-by",    value: "WHAT", help: "how changes are grouped for people", choices: GROUPINGS, strict: true, fallback: "policy" },
  { name: "owner-label", value: "KEY",  help: "a label that tells owners; without it the controller, app.kubernetes.io/part-of or team" },
  { name: "show",        value: "N",    help: "changes shown of each group", fallback: "5" },
  { name: "all",         help: "show every change" },
  { name: "fail-on",     value: "WHAT", help: "what ends with code 1: any change, or only what is newly denied", choices: ["any", "denied"], strict: true, fallback: "any" },
  { name: "bind-all",    help: "take policies of a set that no binding there names as bound everywhere, with Deny" },
  { name: "field-validation", value: "HOW", help: "fields that no schema knows: Strict refuses, Warn warns, Ignore says nothing", choices: ["Strict", "Warn", "Ignore"], strict: true, fallback: "Warn" },
  ...ASKING,
];

export const command: Command = {
  name: "diff",
  summary: "show which verdicts change between two sets of policies or definitions",
  usage: "[OLD] NEW -f OBJECTS… [flags]",
  about: `Every object of -f is asked about under OLD and under NEW, and only what changes is shown: newly denied, newly allowed, another
message, other warnings or audit annotations, other webhooks called, matched by a policy in one set only. OLD and NEW are files or
directories with policies, bindings, params, CustomResourceDefinitions, webhook configurations, namespaces and RBAC; what -f holds of
these is in both. With NEW alone, NEW is added to what -f holds.

Objects are created, as kubectl apply would in an empty cluster; --operation UPDATE asks about updates that change nothing. With
--recorded what was answered is compared with NEW instead: whether policies decide as the webhook they replace did. The code is 0
without changes, 1 with changes, 2 for input that cannot be used.`,
  options: OPTIONS,
  positionals: "files",
  examples: [
    {
      what: "a change of policies over a cluster",
      line: "kubectl get deploy,pods -A -o yaml | celadon diff policies/ new-policies/ -f -",
    },
    { what: "a pull request", line: "celadon diff --old-git origin/main policies/ -f cluster.yaml" },
    { what: "what a new policy would refuse", line: "celadon diff new-policy.yaml -f cluster.yaml --fail-on denied" },
    { what: "before a webhook is replaced", line: "celadon diff --recorded policies/ -f reviews/" },
    {
      what: "for the teams concerned",
      line: "celadon diff old/ new/ -f cluster.yaml --group-by owner --owner-label team",
    },
  ],
  run: diff,
};

async function diff(args: Args, io: Io): Promise<ExitCode> {
  const asking = askingOf(args);
  const shown = args.on("all") ? Number.POSITIVE_INFINITY : (args.number("show", { min: 0, max: 1_000_000 }) ?? 5);
  if (args.on("recorded") && (args.positionals.length > 1 || args.text("old-git") !== undefined)) {
    throw new UsageError(
      "--recorded takes the place of OLD",
      "name NEW alone: celadon diff --recorded NEW -f reviews.json",
    );
  }
  const sets = await loadSets({ verb: "diff" }, args, io);
  const options: WorldOptions = {
    fieldValidation: (args.text("field-validation") ?? "Warn") as "Strict" | "Warn" | "Ignore",
    // Both sides would say the same of them.
    unknownKinds: "ignore",
  };
  const pair = new WorldPair({ shared: sets.objects.manifests, old: sets.old, next: sets.next }, options);
  const { asked, notes } = subjectsOf(sets.objects, undefined, asking, pair.next);
  tellNotes(notes, args, io);
  const report = args.on("recorded")
    ? await recordedReport(pair, sets, asked, args, io)
    : await setsReport(pair, sets, asked, args, io);
  const groupBy = (args.text("group-by") ?? "policy") as Grouping;
  const failOn = (args.text("fail-on") ?? "any") as "any" | "denied";
  return writeAnswer(diffAnswer(report, { groupBy, shown, failOn }), args, io);
}

async function setsReport(
  pair: WorldPair,
  sets: Sets,
  asked: readonly Asked[],
  args: Args,
  io: Io,
): Promise<DiffReport> {
  const rows = await watched(args, io, (onProgress) =>
    compareAll(pair, asked.map(unchangedUpdate), { signal: io.signal, owners: ownersOf(sets, args), onProgress }),
  );
  const none = { agreed: { allowed: 0, denied: 0 }, otherMessages: 0, leftOut: 0 };
  return { mode: "sets", objects: asked.length, rows, resources: diffResources(pair), ...none };
}

/** Of an object that is there, an update that leaves it as it is. */
function unchangedUpdate(one: Asked): Asked {
  if (!("ask" in one) || one.ask.operation !== "UPDATE" || one.ask.object === undefined) return one;
  return { ...one, ask: { ...one.ask, oldObject: one.ask.object } };
}

async function recordedReport(
  { next }: WorldPair,
  sets: Sets,
  asked: readonly Asked[],
  args: Args,
  io: Io,
): Promise<DiffReport> {
  if (!asked.some((one) => "recorded" in one && one.recorded !== undefined)) {
    throw new UsageError(
      "no recorded answers to compare with",
      "--recorded reads AdmissionReviews with a response, and audit events with a responseStatus",
    );
  }
  const { rows, compared, agreed, otherMessages, leftOut } = await watched(args, io, (onProgress) =>
    compareRecorded(next, asked, {
      signal: io.signal,
      owners: ownersOf(sets, args),
      messages: args.on("messages"),
      onProgress,
    }),
  );
  // A log has thousands of them.
  for (const [message, same] of groupBy(leftOut, ({ manifest, why }) => `${manifest.origin?.file ?? ""}\n${why}`)) {
    const [file = "", why] = message.split("\n");
    const count = same.length === 1 ? "one recorded answer" : `${same.length} recorded answers`;
    tellNotes([{ file, message: `${count} left out: ${why}` }], args, io);
  }
  return { mode: "recorded", objects: compared, rows, resources: [], agreed, otherMessages, leftOut: leftOut.length };
}

function ownersOf({ objects }: Sets, args: Args): Owners {
  return new Owners(objects.manifests, args.text("owner-label"));
}

async function watched<T>(
  args: Args,
  io: Io,
  work: (onProgress: (done: number, all: number) => void) => Promise<T>,
): Promise<T> {
  const progress = startProgress("comparing", args, io);
  try {
    return await work((done, all) => progress.update(done, all, "objects"));
  } finally {
    progress.end();
  }
}
