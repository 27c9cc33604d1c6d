// `celadon diff`: the verdicts that change between two sets of policies, definitions and their params.

import type { SimulatedClusterOptions } from "@celadon/simulator";
import { ClusterPair } from "@celadon/simulator/diff";
import { compareAll } from "../diff/compare-all.ts";
import { type DiffReport, diffAnswer } from "../diff/diff-answer.ts";
import { type ComparedCosts, comparedCosts } from "../diff/diff-charts.ts";
import { GROUPINGS, type Grouping } from "../diff/groups.ts";
import { Owners } from "../diff/owners.ts";
import { compareRecorded } from "../diff/recorded.ts";
import { diffResources } from "../diff/resources.ts";
import type { FailOn } from "../diff/versions/versions-answer.ts";
import { printNotes } from "../inputs/inputs.ts";
import { loadCluster } from "../inputs/load-cluster.ts";
import { FILES, KUBE_VERSION_OR_CLUSTER, READING } from "../inputs/options.ts";
import { loadSets, type Sets } from "../inputs/sets.ts";
import { withUnread } from "../inputs/unread.ts";
import { WEBHOOK_ANSWERS, webhookAnswersOf } from "../inputs/webhook-answers.ts";
import { FEATURE_GATES, gatesOf } from "../live-cluster/gates.ts";
import { FROM_CLUSTER } from "../live-cluster/options.ts";
import { groupBy } from "../output/group-by.ts";
import { startProgress } from "../output/progress.ts";
import { parseTargets } from "../output/targets.ts";
import { writeAnswer } from "../output/write.ts";
import { type ArgsOf, type Command, defineCommand, type Option } from "../program/command.ts";
import { type ExitCode, UsageError } from "../program/exit.ts";
import type { Io } from "../program/io.ts";
import { ASKING, type Asking, askingOf, type ReviewSubject, subjectsOf } from "../review/subjects.ts";
import { comparesVersions, parseKubeVersion } from "../sources/kube-version.ts";

// biome-ignore format: one option per line
const OPTIONS = [
  { ...FILES, help: "objects, recorded AdmissionReviews or audit events to evaluate; policies, CRDs, namespaces and RBAC in these files belong to both sets" },
  ...READING,
  { name: "old-git",     value: "REV",  help: "use NEW at this git revision as OLD" },
  { name: "recorded",    help: "compare the recorded answers of AdmissionReviews and audit events with NEW" },
  { name: "messages",    help: "with --recorded: report denials whose message differs" },
  { name: "group-by",    value: "WHAT", help: "how to group changes in text output", choices: GROUPINGS, strict: true, fallback: "policy" },
  { name: "owner-label", value: "KEY",  help: "label that names the owner of an object; by default its controller, or the label app.kubernetes.io/part-of or team" },
  { name: "show",        value: "N",    help: "number of changes to show per group", fallback: "5" },
  { name: "all",         help: "show every change" },
  { name: "fail-on",     value: "WHAT", help: "which changes cause exit code 1; any: all of them, denied: only newly denied objects, worse: whatever stops working or means something else", choices: ["any", "denied", "worse"], strict: true, fallback: "any, or worse with several versions" },
  { name: "bind-all",    help: "treat policies that have no binding in their set as bound to all requests, with action Deny" },
  WEBHOOK_ANSWERS,
  { name: "field-validation", value: "HOW", help: "unknown fields: Strict rejects, Warn warns, Ignore drops them", choices: ["Strict", "Warn", "Ignore"], strict: true, fallback: "Warn" },
  ...FROM_CLUSTER,
  FEATURE_GATES,
  { ...KUBE_VERSION_OR_CLUSTER, value: "VERSIONS", help: "Kubernetes version to emulate, such as 1.33; a range such as 1.33..1.37 compares versions instead of sets" },
  ...ASKING,
] as const satisfies readonly Option[];

export const command: Command = defineCommand({
  name: "diff",
  summary: "show which verdicts change between two sets of policies or versions",
  failure: "an answer changed for the worse, or a policy was rejected",
  usage: "[OLD] NEW -f OBJECTS… [flags]",
  about: `Evaluates every object in -f under OLD and under NEW, and shows what changes: newly denied, newly allowed, a different message,
different warnings or audit annotations, different webhooks called, matched by a policy in one set only. OLD and NEW are files or
directories with policies, bindings, params, CustomResourceDefinitions, webhook configurations, namespaces and RBAC. Such resources in
-f belong to both sets. If only NEW is given, it is added to those in -f.

Objects are treated as new, as if applied to an empty cluster; with --operation UPDATE, as updates that change nothing. With
--recorded, recorded answers are compared with NEW instead, for example to replace a webhook by policies. The exit code is 0 if nothing
changes, 1 if something does or a server rejects a resource of NEW, 2 if an input cannot be read or there are no objects to compare.

With a range of Kubernetes versions, the inputs are sent to a server of each, and what the newer ones answer differently is shown with
the version that brings it: what becomes rejected, denied, allowed, unknown, deprecated, removed, newly defaulted, warned about, or costs
more or less. All paths are inputs then; with --cluster and without paths, the objects of the cluster are. The exit code is 1 if
something stops working or means something else; --fail-on says otherwise.`,
  options: OPTIONS,
  positionals: "files",
  examples: [
    {
      what: "see what new policies change for the objects of a cluster",
      line: "kubectl get deploy,pods -A -o yaml | celadon diff policies/ new-policies/ -f -",
    },
    { what: "see what a pull request changes", line: "celadon diff --old-git origin/main policies/ -f cluster.yaml" },
    { what: "see what a new policy would deny", line: "celadon diff new-policy.yaml -f cluster.yaml --fail-on denied" },
    { what: "compare policies with the webhook they replace", line: "celadon diff --recorded policies/ -f reviews/" },
    {
      what: "see what an upgrade of Kubernetes changes for policies and manifests",
      line: "celadon diff --kube-version 1.33..1.37 -f policies/ -f manifests/",
    },
    {
      what: "ask a cluster what an upgrade to 1.37 would change, as JSON",
      line: "celadon diff --kube-version 1.34..1.37 --context prod -o json",
    },
    {
      what: "group changes by team",
      line: "celadon diff old/ new/ -f cluster.yaml --group-by owner --owner-label team",
    },
  ],
  run: diff,
});

async function diff(args: ArgsOf<typeof OPTIONS>, io: Io): Promise<ExitCode> {
  const asking = askingOf(args);
  const shown = args.on("all") ? Number.POSITIVE_INFINITY : (args.number("show", { min: 0, max: 1_000_000 }) ?? 5);
  if (comparesVersions(args.text("kube-version"))) return versionsOnly(args, io, { asking, shown });
  const failOn = (args.text("fail-on") ?? "any") as FailOn;
  if (args.on("recorded") && (args.positionals.length > 1 || args.text("old-git") !== undefined)) {
    throw new UsageError(
      "--recorded takes the place of OLD",
      "name NEW alone: celadon diff --recorded NEW -f reviews.json",
    );
  }
  const sets = await loadSets({ verb: "diff" }, args, io);
  const cluster = await loadCluster(sets.objects.manifests, args, io, [...sets.old, ...sets.next]);
  const shared = [...cluster.manifests, ...sets.objects.manifests];
  const options: SimulatedClusterOptions = {
    kubeVersion: parseKubeVersion(args.text("kube-version"), cluster.kubeVersion),
    gates: gatesOf(args),
    fieldValidation: (args.text("field-validation") ?? "Warn") as "Strict" | "Warn" | "Ignore",
    // Both sides would say the same of them.
    unknownKinds: "ignore",
    ...(await webhookAnswersOf(args, io, [...shared, ...sets.old, ...sets.next])),
  };
  const pair = new ClusterPair({ shared, old: sets.old, next: sets.next }, options);
  const subjects = subjectsOf(sets.objects, undefined, asking, pair.next);
  const [asked, notes] = [[...subjects.asked], subjects.notes];
  printNotes(notes, args, io);
  const report = args.on("recorded")
    ? await recordedReport(pair, sets, asked, args, io)
    : await setsReport(pair, sets, asked, args, io);
  const groupBy = (args.text("group-by") ?? "policy") as Grouping;
  return writeAnswer(withUnread(diffAnswer(report, { groupBy, shown, failOn }), sets.unread), args, io);
}

/** The inputs under several versions of Kubernetes: there are no sets to compare, and no recorded answers. */
async function versionsOnly(
  args: ArgsOf<typeof OPTIONS>,
  io: Io,
  { asking, shown }: { readonly asking: Asking; readonly shown: number },
): Promise<ExitCode> {
  const { text, list } = args;
  const other = ["old-git", "group-by", "owner-label"].find((flag) => list(flag as "old-git").length > 0);
  const misplaced = other ?? (["recorded", "messages"] as const).find((flag) => args.on(flag));
  if (misplaced !== undefined) {
    throw new UsageError(`--${misplaced} compares sets, and --kube-version ${text("kube-version")} compares versions`);
  }
  const server: SimulatedClusterOptions = {
    gates: gatesOf(args),
    fieldValidation: (text("field-validation") ?? "Warn") as "Strict" | "Warn" | "Ignore",
    unknownKinds: "ignore",
  };
  const { diffVersions } = await import("../diff/versions/diff-versions.ts");
  const paths = [...args.positionals, ...list("filename")];
  const failOn = (text("fail-on") ?? "worse") as FailOn;
  return diffVersions(args, io, { paths, asking, server, shown, failOn, bindAll: args.on("bind-all") });
}

async function setsReport(
  pair: ClusterPair,
  sets: Sets,
  asked: readonly ReviewSubject[],
  args: ArgsOf<typeof OPTIONS>,
  io: Io,
): Promise<DiffReport> {
  const rows = await watched(args, io, (onProgress) =>
    compareAll(pair, asked.map(unchangedUpdate), { signal: io.signal, owners: ownersOf(sets, args), onProgress }),
  );
  const costs = await costsOf(pair, asked.map(unchangedUpdate), args, io);
  const none = { agreed: { allowed: 0, denied: 0 }, otherMessages: 0, leftOut: 0 };
  return { mode: "sets", objects: asked.length, rows, resources: diffResources(pair), costs, ...none };
}

/** Only a page shows them, and they take as long as two checks. */
async function costsOf(
  pair: Partial<Pick<ClusterPair, "old">> & Pick<ClusterPair, "next">,
  asked: readonly ReviewSubject[],
  args: ArgsOf<typeof OPTIONS>,
  io: Io,
): Promise<ComparedCosts | undefined> {
  if (!parseTargets(args).some(({ format }) => format === "html")) return undefined;
  return watched(args, io, (onProgress) => comparedCosts(pair, asked, { signal: io.signal, onProgress }));
}

/** For an existing object: an update that does not change it. */
function unchangedUpdate(asked: ReviewSubject): ReviewSubject {
  if (!("ask" in asked) || asked.ask.operation !== "UPDATE" || asked.ask.object === undefined) return asked;
  return { ...asked, ask: { ...asked.ask, oldObject: asked.ask.object } };
}

async function recordedReport(
  { next }: ClusterPair,
  sets: Sets,
  asked: readonly ReviewSubject[],
  args: ArgsOf<typeof OPTIONS>,
  io: Io,
): Promise<DiffReport> {
  if (!asked.some((item) => "recorded" in item && item.recorded !== undefined)) {
    throw new UsageError(
      "no recorded answers to compare",
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
  for (const [, same] of groupBy(leftOut, ({ manifest, why }) => JSON.stringify([manifest.origin?.file, why]))) {
    const { manifest, why } = same[0]!;
    const file = manifest.origin?.file ?? "";
    const count = same.length === 1 ? "one recorded answer" : `${same.length} recorded answers`;
    printNotes([{ file, message: `${count} skipped: ${why}` }], args, io);
  }
  const costs = await costsOf({ next }, asked, args, io);
  return {
    mode: "recorded",
    objects: compared,
    rows,
    resources: [],
    costs,
    agreed,
    otherMessages,
    leftOut: leftOut.length,
  };
}

function ownersOf({ objects }: Sets, args: ArgsOf<typeof OPTIONS>): Owners {
  return new Owners(objects.manifests, args.text("owner-label"));
}

async function watched<T>(
  args: ArgsOf<typeof OPTIONS>,
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
