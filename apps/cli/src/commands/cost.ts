// `celadon cost`: estimated and measured costs of expressions, and how much of the API server's limits they use.

import { CURRENT } from "@celadon/kube-cel";
import { costRows } from "@celadon/lint/costs";
import { SimulatedCluster } from "@celadon/simulator";
import { costAnswer } from "../cost/cost-answer.ts";
import { measure } from "../cost/measure.ts";
import { impliedBindings } from "../inputs/bind-all.ts";
import { loadInputs, loadPairs, OLD, pathsOf, printNotes } from "../inputs/inputs.ts";
import { loadCluster } from "../inputs/load-cluster.ts";
import { BUILT, FILES, KUBE_VERSION_OR_CLUSTER, KUBE_VERSIONS, READING } from "../inputs/options.ts";
import { withUnread } from "../inputs/unread.ts";
import { FEATURE_GATES, gatesOf } from "../live-cluster/gates.ts";
import { FROM_CLUSTER } from "../live-cluster/options.ts";
import { startProgress } from "../output/progress.ts";
import { writeAnswer } from "../output/write.ts";
import { type ArgsOf, type Command, defineCommand, type Option } from "../program/command.ts";
import { EXIT, type ExitCode } from "../program/exit.ts";
import type { Io } from "../program/io.ts";
import { ASKING, askingOf, subjectsOf } from "../review/subjects.ts";
import { neverAccepted, notInForceNotes } from "../review/written.ts";
import { parseKubeVersions } from "../sources/index.ts";

// biome-ignore format: one option per line
const OPTIONS = [
  FILES,
  ...BUILT,
  ...READING,
  ...OLD,
  ...FROM_CLUSTER,
  FEATURE_GATES,
  { ...KUBE_VERSIONS, help: "Kubernetes versions to emulate, such as 1.33, 1.30..1.37 or 1.30,1.33; costs are those of the newest", fallback: KUBE_VERSION_OR_CLUSTER.fallback },
  { name: "over", value: "PERCENT", help: "fail if an expression costs at least this share of its limit" },
  ...ASKING,
] as const satisfies readonly Option[];

export const command: Command = defineCommand({
  name: "cost",
  summary: "show estimated and measured costs of expressions against their limits",
  failure: "an expression costs more than the API server accepts, or at least --over of its limit",
  usage: "[-f] PATH… [flags]",
  about: `Shows, for each expression of policies, CRD rules, webhook match conditions and certificate policies: the cost an API server
estimates before it accepts a CRD, and how often a rule may run; the cost measured on the objects in the inputs; and the share of the
limit. For an expression that may cost too much, shows the unbounded field that causes it and a bound that would fit. Estimates in
brackets are Celadon's own: an API server does not estimate policies, it only counts while it evaluates. Policies without a binding are
measured as if bound to everything.`,
  options: OPTIONS,
  positionals: "files",
  examples: [
    { what: "show the cost of a CRD's rules", line: "celadon cost -f crd.yaml" },
    { what: "measure policies on manifests", line: "celadon cost -f policies/ -f manifests/" },
    { what: "fail if an expression uses half of its limit", line: "celadon cost -f policies/ -f manifests/ --over 50" },
    { what: "compare Kubernetes versions", line: "celadon cost -f crd.yaml --kube-version 1.30..1.37 -o table" },
  ],
  run: runCost,
});

async function runCost(args: ArgsOf<typeof OPTIONS>, io: Io): Promise<ExitCode> {
  const given = args.text("kube-version");
  // A mistake in the flag is reported before anything is read.
  const wanted = given === undefined ? undefined : parseKubeVersions(given);
  const over = args.number("over", { min: 0, max: 100 });
  const asking = askingOf(args);
  const inputs = await loadInputs(pathsOf(args), "cost", args, io);
  const cluster = await loadCluster(inputs.manifests, args, io);
  const old = await loadPairs(inputs.manifests, pathsOf(args), "cost", args, io);
  const pairs = old.pairs ?? cluster.pairs;
  const manifests = [...cluster.manifests, ...inputs.manifests];
  const minors = wanted ?? [cluster.kubeVersion ?? CURRENT];
  const server = { gates: gatesOf(args), kubeVersion: minors.at(-1)! };
  const simulated = SimulatedCluster.of([...manifests, ...impliedBindings(manifests)], server);
  const subjects = subjectsOf(inputs, pairs, asking, simulated);
  const [asked, notes] = [[...subjects.asked], subjects.notes];
  printNotes(notes, args, io);
  const progress = startProgress("measuring", args, io);
  const onProgress = (done: number, all: number): void => progress.update(done, all);
  const measurements = await measure(simulated, asked, { signal: io.signal, onProgress }).finally(() => progress.end());
  const rows = await costRows(manifests, minors, measurements);
  const rejected = neverAccepted(simulated, inputs.manifests);
  // A rejected expression has a row that says so.
  const shown = new Set(
    rows.filter(({ refused, tooCostly }) => refused.size > 0 || tooCostly).map((row) => row.manifest),
  );
  printNotes(
    notInForceNotes(
      rejected.filter(({ manifest }) => !shown.has(manifest)),
      server.kubeVersion,
    ),
    args,
    io,
  );
  const answer = costAnswer(rows, { minors, over, objects: asked.length });
  const judged = rejected.length > 0 ? { ...answer, exit: EXIT.failed } : answer;
  return writeAnswer(withUnread(judged, [...inputs.issues, ...old.issues]), args, io);
}
