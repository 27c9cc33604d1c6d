// `celadon mutate`: the objects as they would be stored, with what mutating policies and webhooks made of them.

import { memberOf } from "@celadon/base";
import type { KubeObject } from "@celadon/kube";
import { isSetUp, World } from "@celadon/simulator";
import { ask } from "../check/check-all.ts";
import { MADE, madeManifests } from "../check/made.ts";
import { ASKING, askingOf, subjectsOf } from "../check/subjects.ts";
import { WEBHOOK_ANSWERS, webhookAnswersOf } from "../check/webhook-answers.ts";
import type { Args, Command, Option } from "../command.ts";
import { EXIT, type ExitCode } from "../exit.ts";
import { loadInputs, loadPairs, OLD, pathsOf, tellNotes } from "../inputs.ts";
import type { Io } from "../io.ts";
import { FILES, KUBE_VERSION } from "../options.ts";
import { subjectText } from "../outcome/names.ts";
import { resultsOf } from "../outcome/outcome-results.ts";
import { reviewedText } from "../outcome/outcome-text.ts";
import { isDenied, type Reviewed, reviewedOf } from "../outcome/reviewed.ts";
import { paintOf, wantsColour } from "../output/paint.ts";
import { writeAnswer } from "../output/write.ts";
import { toYaml } from "../output/yaml.ts";
import { parseKubeVersion } from "../sources/kube-version.ts";

// biome-ignore format: one option per line
const OPTIONS: readonly Option[] = [
  FILES,
  ...OLD,
  WEBHOOK_ANSWERS,
  ...MADE,
  { name: "no-defaults", help: "leave out the defaults an API server fills in" },
  KUBE_VERSION,
  ...ASKING,
];

export const command: Command = {
  name: "mutate",
  summary: "print objects as they would be stored, after mutating policies and webhooks",
  usage: "[-f] PATH… [flags]",
  about: `Reads what check reads, and prints every object that is no policy, definition or other set-up as a cluster made of the inputs
would store it: with the API server's defaults and all that mutating policies, and webhooks whose answers are given, changed. An
object that is refused is not printed; why is said on standard error, and the code is 1.`,
  options: OPTIONS,
  positionals: "files",
  examples: [
    { what: "an object as it would be stored", line: "celadon mutate -f policies/ -f deploy.yaml -o yaml" },
    { what: "only what policies change", line: "celadon mutate -f policies/ -f deploy.yaml --no-defaults" },
    { what: "with what a webhook answers", line: "celadon mutate -f . --webhook-answers answers.yaml" },
  ],
  run: mutate,
};

async function mutate(args: Args, io: Io): Promise<ExitCode> {
  const asking = askingOf(args);
  const inputs = await loadInputs(pathsOf(args), "mutate", args, io);
  const pairs = await loadPairs(inputs.manifests, pathsOf(args), "mutate", args, io);
  const made = madeManifests(inputs.manifests, args, io);
  const world = World.of([...inputs.manifests, ...made], {
    kubeVersion: parseKubeVersion(args.text("kube-version")),
    serverDefaults: !args.on("no-defaults"),
    ...(await webhookAnswersOf(args, io)),
  });
  const { asked, notes } = subjectsOf(inputs, pairs, asking, world);
  tellNotes(notes, args, io);
  const paint = paintOf(wantsColour(args.text("color"), io.err.isTerminal, io.env));
  const reviewed: Reviewed[] = [];
  const objects: KubeObject[] = [];
  for (const one of asked) {
    if (isSetUp(one.manifest.object)) continue;
    io.signal.throwIfAborted();
    const outcome = await ask(world, one);
    const told = reviewedOf(one.manifest, outcome);
    reviewed.push(told);
    if (isDenied(told)) io.err.write(`${reviewedText(told, paint)}\n`);
    else if (outcome.object !== null) objects.push(asGiven(outcome.object, one.manifest.object));
  }
  return writeAnswer(
    {
      results: reviewed.flatMap((one) => resultsOf(one)),
      document: objects.length === 1 ? objects[0]! : { apiVersion: "v1", kind: "List", items: objects },
      text: () => objects.map((object) => `${objects.length > 1 ? "---\n" : ""}${toYaml(object)}`).join(""),
      table: {
        columns: ["OBJECT", "VERDICT", "MUTATIONS"],
        rows: reviewed.map((one) => [
          subjectText(one.subject),
          isDenied(one) ? "denied" : "allowed",
          String(one.mutations.filter(({ outcome }) => outcome === "changed").length),
        ]),
      },
      exit: reviewed.some(isDenied) ? EXIT.failed : EXIT.ok,
    },
    args,
    io,
  );
}

const MADE_UP: readonly string[] = ["uid", "creationTimestamp"];

/** Without what a server makes up anew for each object. */
function asGiven(object: KubeObject, given: KubeObject): KubeObject {
  const members = Object.entries(object.metadata ?? {}).filter(
    ([name]) => !MADE_UP.includes(name) || memberOf(given.metadata, name) !== undefined,
  );
  return { ...object, metadata: Object.fromEntries(members) };
}
