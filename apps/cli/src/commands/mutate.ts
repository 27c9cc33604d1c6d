// `celadon mutate`: objects as they would be stored, after mutating policies and webhooks.

import type { AdmissionRequest } from "@celadon/admission";
import { memberOf } from "@celadon/base";
import { type KubeObject, nameOf } from "@celadon/kube";
import { type PolicyTally, Tally } from "@celadon/simulator";
import { isSetUp } from "@celadon/simulator/manifests";
import { unmatchedText } from "../check/check-answer.ts";
import { OLD, pathsOf, printNotes } from "../inputs/inputs.ts";
import { BUILT, FILES, KUBE_VERSION, READING } from "../inputs/options.ts";
import { withUnread } from "../inputs/unread.ts";
import { WEBHOOK_ANSWERS } from "../inputs/webhook-answers.ts";
import { resultsOf } from "../outcome/outcome-results.ts";
import { reviewedText } from "../outcome/outcome-text.ts";
import { isDenied, type ReviewedObject, reviewedOf } from "../outcome/reviewed.ts";
import { toYaml } from "../output/format/yaml.ts";
import { paintOf, wantsColour } from "../output/paint.ts";
import { subjectText } from "../output/subject-text.ts";
import { writeAnswer } from "../output/write.ts";
import { type ArgsOf, type Command, defineCommand, type Option } from "../program/command.ts";
import { EXIT, type ExitCode, UsageError } from "../program/exit.ts";
import type { Io } from "../program/io.ts";
import { reviewSubject } from "../review/ask.ts";
import { DERIVED_SET_UP } from "../review/derived-set-up.ts";
import { EXISTING } from "../review/existing.ts";
import { ineffectiveIn, ineffectiveNotes, isMistakeIn } from "../review/ineffective.ts";
import { loadReview } from "../review/load-review.ts";
import { ASKING } from "../review/subjects.ts";
import { notInForceNotes, writeSetUp } from "../review/written.ts";

// biome-ignore format: one option per line
const OPTIONS = [
  FILES,
  ...BUILT,
  ...READING,
  ...OLD,
  EXISTING,
  WEBHOOK_ANSWERS,
  ...DERIVED_SET_UP,
  { name: "no-defaults", help: "do not apply the API server's defaults" },
  KUBE_VERSION,
  ...ASKING,
] as const satisfies readonly Option[];

export const command: Command = defineCommand({
  name: "mutate",
  summary: "print objects as they would be stored, after mutating policies and webhooks",
  failure: "an object was denied, or a policy cannot take effect",
  usage: "[-f] PATH… [flags]",
  about: `Reads the same inputs as check and prints every object as an API server would store it: with its defaults, and with the changes of
mutating policies and of webhooks whose answers are given. Policies, CRDs and other configuration are not printed.
Denied objects are not printed either: the reason goes to standard error, and the exit code is 1. Rejected policies and mutating policies
that matched nothing are reported there, too; the exit code is 1 for a rejected policy, and for a mistake in a policy or its binding that
keeps it from ever matching.`,
  options: OPTIONS,
  positionals: "files",
  examples: [
    { what: "print an object as it would be stored", line: "celadon mutate -f policies/ -f deploy.yaml -o yaml" },
    { what: "show only what policies change", line: "celadon mutate -f policies/ -f deploy.yaml --no-defaults" },
    { what: "include the answers of webhooks", line: "celadon mutate -f . --webhook-answers answers.yaml" },
  ],
  run: mutate,
});

async function mutate(args: ArgsOf<typeof OPTIONS>, io: Io): Promise<ExitCode> {
  const review = await loadReview("mutate", pathsOf(args), args, io, { serverDefaults: !args.on("no-defaults") });
  const { notes, unread } = review;
  const asked = [...review.asked];
  const { simulated, rejected } = await writeSetUp(review.simulated, review.setUp);
  printNotes([...notes, ...notInForceNotes(rejected, simulated.options.kubeVersion)], args, io);
  const paint = paintOf(wantsColour(args.text("color"), io.err.isTerminal, io.env));
  const reviewed: ReviewedObject[] = [];
  const objects: KubeObject[] = [];
  const tally = new Tally();
  const sample: AdmissionRequest[] = [];
  let isMistaken = false;
  for (const item of asked) {
    if (isSetUp(item.manifest.object)) continue;
    io.signal.throwIfAborted();
    const outcome = await reviewSubject(simulated, item);
    tally.add(outcome);
    if (sample.length < SAMPLE) sample.push(outcome.request);
    const review = reviewedOf(item.manifest, outcome);
    reviewed.push(review);
    if (isDenied(review)) io.err.write(`${reviewedText(review, paint)}\n`);
    else if (outcome.object !== null) objects.push(asGiven(outcome.object, item.manifest.object));
  }
  if (reviewed.length === 0 && rejected.length === 0)
    throw new UsageError(
      "nothing to mutate: the inputs have policies and other configuration, and no objects for them",
    );
  if (sample.length > 0) {
    const idle = (await tally.finish(simulated, sample)).filter(isIdleMutation);
    const fileOf = ({ kind, policy }: PolicyTally): string | undefined =>
      asked.find(({ manifest: { object } }) => object.kind === kind && nameOf(object) === policy)?.manifest.origin
        ?.file;
    const ineffective = idle.length === 0 ? [] : await ineffectiveIn(simulated);
    isMistaken = isMistakeIn(new Set(review.setUp.map(({ manifest }) => manifest)), ineffective);
    const unexplained = idle.filter(
      ({ kind, policy }) => !ineffective.some((mistake) => mistake.kind === kind && mistake.policy === policy),
    );
    printNotes(
      [
        ...ineffectiveNotes(ineffective),
        ...unexplained.map((policy) => ({ file: fileOf(policy) ?? "", message: unmatchedText(policy) })),
      ],
      args,
      io,
    );
  }
  return writeAnswer(
    withUnread(
      {
        results: reviewed.flatMap((item) => resultsOf(item)),
        document: objects.length === 1 ? objects[0]! : { apiVersion: "v1", kind: "List", items: objects },
        text: () => objects.map((object) => `${objects.length > 1 ? "---\n" : ""}${toYaml(object)}`).join(""),
        table: {
          columns: ["OBJECT", "VERDICT", "MUTATIONS"],
          rows: reviewed.map((item) => [
            subjectText(item.subject),
            isDenied(item) ? "denied" : "allowed",
            String(item.mutations.filter(({ outcome }) => outcome === "changed").length),
          ]),
        },
        exit: rejected.length > 0 || isMistaken || reviewed.some(isDenied) ? EXIT.failed : EXIT.ok,
      },
      unread,
      { textIsYaml: true },
    ),
    args,
    io,
  );
}

/** Requests to evaluate again, for the reasons of policies that matched nothing. */
const SAMPLE = 100;

const isIdleMutation = ({ kind, matched }: PolicyTally): boolean => kind === "MutatingAdmissionPolicy" && matched === 0;

const MADE_UP: readonly string[] = ["uid", "creationTimestamp"];

/** Without fields that a server generates for each object. */
function asGiven(object: KubeObject, given: KubeObject): KubeObject {
  const members = Object.entries(object.metadata ?? {}).filter(
    ([name]) => !MADE_UP.includes(name) || memberOf(given.metadata, name) !== undefined,
  );
  return { ...object, metadata: Object.fromEntries(members) };
}
