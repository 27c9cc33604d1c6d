// `celadon cost`: what expressions may cost, what they did cost, and how much of the API server's limits that is.

import { World } from "@celadon/simulator";
import { impliedBindings } from "../check/bind-all.ts";
import { ASKING, askingOf, subjectsOf } from "../check/subjects.ts";
import type { Args, Command, Option } from "../command.ts";
import { costAnswer } from "../cost/cost-answer.ts";
import { costRows } from "../cost/costs.ts";
import { measure } from "../cost/measure.ts";
import type { ExitCode } from "../exit.ts";
import { loadInputs, loadPairs, OLD, pathsOf, tellNotes } from "../inputs.ts";
import type { Io } from "../io.ts";
import { FILES, KUBE_VERSION } from "../options.ts";
import { writeAnswer } from "../output/write.ts";
import { startProgress } from "../progress.ts";
import { parseKubeVersions } from "../sources/index.ts";

// biome-ignore format: one option per line
const OPTIONS: readonly Option[] = [
  FILES,
  ...OLD,
  { ...KUBE_VERSION, value: "MINORS", help: "the Kubernetes minors to ask, such as 1.30..1.36" },
  { name: "over", value: "PERCENT", help: "fail when an expression costs this share of its limit or more" },
  ...ASKING,
];

export const command: Command = {
  name: "cost",
  summary: "show what expressions may cost, did cost, and how much of a limit that is",
  usage: "[-f] PATH… [flags]",
  about: `For every expression of policies, CRD rules, webhook match conditions and certificate policies: the estimate an API server makes
before it accepts a CRD, with how often a rule may run; the cost measured on the objects among the inputs; and the share of the limit
that applies. What may cost too much is shown with the unbounded field to blame and the bound that would fit. Estimates in brackets
are ours: an API server makes none of policies, it counts when it evaluates. Policies without a binding are measured as if bound
everywhere.`,
  options: OPTIONS,
  positionals: "files",
  examples: [
    { what: "the rules of a CRD", line: "celadon cost -f crd.yaml" },
    { what: "policies, measured on manifests", line: "celadon cost -f policies/ -f manifests/" },
    { what: "fail from half of a limit on", line: "celadon cost -f policies/ -f manifests/ --over 50" },
    { what: "for several minors", line: "celadon cost -f crd.yaml --kube-version 1.30..1.36 -o table" },
  ],
  run: runCost,
};

async function runCost(args: Args, io: Io): Promise<ExitCode> {
  const minors = parseKubeVersions(args.text("kube-version"));
  const over = args.number("over", { min: 0, max: 100 });
  const asking = askingOf(args);
  const inputs = await loadInputs(pathsOf(args), "cost", args, io);
  const pairs = await loadPairs(inputs.manifests, pathsOf(args), "cost", args, io);
  const world = World.of([...inputs.manifests, ...impliedBindings(inputs.manifests)]);
  const { asked, notes } = subjectsOf(inputs, pairs, asking, world);
  tellNotes(notes, args, io);
  const progress = startProgress("measuring", args, io);
  const onProgress = (done: number, all: number): void => progress.update(done, all);
  const measurements = await measure(world, asked, { signal: io.signal, onProgress }).finally(() => progress.end());
  const rows = await costRows(inputs.manifests, minors, measurements);
  return writeAnswer(costAnswer(rows, { minors, over, objects: asked.length }), args, io);
}
