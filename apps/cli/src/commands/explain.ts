// `celadon explain`: why an object is denied, allowed or ignored.

import type { SimulatedCluster } from "@celadon/simulator";
import { isSetUp } from "@celadon/simulator/manifests";
import { explainAnswer } from "../explain/explain-answer.ts";
import { type ExplainedSubject, explainSubject } from "../explain/explained.ts";
import { namedObjects, pathsAndNames } from "../explain/named-objects.ts";
import { shownPolicies } from "../explain/shown-policies.ts";
import { OLD, printNotes } from "../inputs/inputs.ts";
import { BUILT, FILES, KUBE_VERSION_OR_CLUSTER, READING } from "../inputs/options.ts";
import { withUnread } from "../inputs/unread.ts";
import { WEBHOOK_ANSWERS } from "../inputs/webhook-answers.ts";
import { FEATURE_GATES } from "../live-cluster/gates.ts";
import { FROM_CLUSTER } from "../live-cluster/options.ts";
import { writeAnswer } from "../output/write.ts";
import { type ArgsOf, type Command, defineCommand, type Option } from "../program/command.ts";
import { EXIT, type ExitCode } from "../program/exit.ts";
import type { Io } from "../program/io.ts";
import { reviewSubject } from "../review/ask.ts";
import { DERIVED_SET_UP } from "../review/derived-set-up.ts";
import { EXISTING } from "../review/existing.ts";
import { ineffectiveIn, ineffectiveNotes, isMistakeIn } from "../review/ineffective.ts";
import { loadReview } from "../review/load-review.ts";
import { SERVER_FLAGS, serverOptionsOf } from "../review/server-flags.ts";
import { ASKING, type ReviewSubject } from "../review/subjects.ts";
import { notInForceNotes, writeSetUp } from "../review/written.ts";

// biome-ignore format: one option per line
const OPTIONS = [
  FILES,
  ...BUILT,
  ...READING,
  ...OLD,
  EXISTING,
  ...FROM_CLUSTER,
  FEATURE_GATES,
  { name: "policy",   value: "NAME", repeatable: true, help: "show only this policy" },
  ...DERIVED_SET_UP,
  WEBHOOK_ANSWERS,
  ...SERVER_FLAGS,
  { name: "verbose",  short: "v", help: "show the parts of true expressions and of all variables too" },
  KUBE_VERSION_OR_CLUSTER,
  ...ASKING,
] as const satisfies readonly Option[];

export const command: Command = defineCommand({
  name: "explain",
  summary: "show why an object is denied, allowed or ignored",
  failure: "a policy of the inputs cannot take effect",
  usage: "[-f] PATH… [KIND/NAME…] [flags]",
  about: `For each named object, or for every object with problems, shows which part of which expression decided, the values it read, the
list element, the line in your file, and what was not evaluated. For policies that do not apply, shows which rule, selector,
condition or permission excluded the object.

The exit code is 1 if a policy of the inputs cannot take effect: the API server rejects it or its binding, or a mistake keeps it from
ever matching.`,
  options: OPTIONS,
  positionals: "files",
  examples: [
    { what: "show why a pod is denied", line: "celadon explain -f policies/ -f pod.yaml" },
    {
      what: "show why a policy does not apply",
      line: "celadon explain -f policies/ -f pod.yaml Pod/web --policy no-latest",
    },
    { what: "name files as for check", line: "celadon explain policies/*.yaml pod.yaml -v" },
    { what: "print JSON", line: "celadon explain -f . Deployment/shop/web -o json" },
  ],
  run: explain,
});

/** More would not be read. */
const SHOWN_UNNAMED = 20;

async function explain(args: ArgsOf<typeof OPTIONS>, io: Io): Promise<ExitCode> {
  const { paths, names } = await pathsAndNames(args.positionals, io.files);
  const review = await loadReview("explain", [...args.list("filename"), ...paths], args, io, serverOptionsOf(args));
  const { pairs, notes, unread } = review;
  const asked = [...review.asked];
  const { simulated, rejected } = await writeSetUp(review.simulated, review.setUp);
  const written = new Set(review.setUp.map(({ manifest }) => manifest));
  const ineffective = await ineffectiveIn(simulated);
  printNotes(
    [...notes, ...notInForceNotes(rejected, simulated.options.kubeVersion), ...ineffectiveNotes(ineffective)],
    args,
    io,
  );
  const only = shownPolicies(args.list("policy"), simulated);
  const wanted = names.length > 0 ? namedObjects(asked, names) : await interesting(asked, simulated);
  const subjects: ExplainedSubject[] = [];
  for (const item of wanted) subjects.push(await explainSubject(simulated, item, pairs?.oldOf(item.manifest), only));
  const answer = await explainAnswer(subjects, simulated, {
    verbose: args.on("verbose"),
    notes: !args.on("quiet"),
    nothing: "no object has problems; to explain one, name it: celadon explain … KIND/NAME\n",
    exit: rejected.length > 0 || isMistakeIn(written, ineffective) ? EXIT.failed : EXIT.ok,
  });
  return writeAnswer(withUnread(answer, unread), args, io);
}

/** Objects with problems; if none has any, all objects outside the set-up. */
async function interesting(asked: readonly ReviewSubject[], simulated: SimulatedCluster): Promise<ReviewSubject[]> {
  const found: ReviewSubject[] = [];
  for (const item of asked) {
    const { problems, certificate } = await reviewSubject(simulated, item);
    if (problems.length > 0 || certificate !== undefined) found.push(item);
  }
  const chosen = found.length > 0 ? found : asked.filter(({ manifest }) => !isSetUp(manifest.object));
  return chosen.slice(0, SHOWN_UNNAMED);
}
