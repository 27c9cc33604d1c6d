// `celadon explain`: why an object is denied, allowed or ignored.

import { nearestName, pushAll } from "@celadon/base";
import { type GroupVersionKind, gvkOf, nameOf, namespaceOf } from "@celadon/kube";
import { servedResources } from "@celadon/kube/types";
import type { SimulatedCluster } from "@celadon/simulator";
import { blameFor } from "@celadon/simulator/explain";
import { isSetUp } from "@celadon/simulator/manifests";
import { FEATURE_GATES } from "../cluster/gates.ts";
import { FROM_CLUSTER } from "../cluster/options.ts";
import { explainJson } from "../explain/explain-json.ts";
import { explainText } from "../explain/explain-text.ts";
import { type ExplainedSubject, explainSubject } from "../explain/explained.ts";
import { Sites } from "../explain/sites.ts";
import { OLD, printNotes } from "../inputs/inputs.ts";
import { FILES, KUBE_VERSION } from "../inputs/options.ts";
import { WEBHOOK_ANSWERS } from "../inputs/webhook-answers.ts";
import { requestSubject } from "../outcome/names.ts";
import { resultsOf } from "../outcome/outcome-results.ts";
import { reviewedOf } from "../outcome/reviewed.ts";
import type { ReportRow } from "../output/answer.ts";
import { subjectText } from "../output/subject-text.ts";
import { writeAnswer } from "../output/write.ts";
import { type ArgsOf, type Command, defineCommand, type Option } from "../program/command.ts";
import { EXIT, type ExitCode, UsageError } from "../program/exit.ts";
import type { Io } from "../program/io.ts";
import { ask } from "../review/ask.ts";
import { DERIVED_SET_UP } from "../review/derived-set-up.ts";
import { EXISTING } from "../review/existing.ts";
import { ineffectiveIn, ineffectiveNotes, isMistakeIn } from "../review/ineffective.ts";
import { loadReview } from "../review/load-review.ts";
import { ASKING, type ReviewSubject } from "../review/subjects.ts";
import { notInForceNotes, writeSetUp } from "../review/written.ts";

// biome-ignore format: one option per line
const OPTIONS = [
  FILES,
  ...OLD,
  EXISTING,
  ...FROM_CLUSTER,
  FEATURE_GATES,
  { name: "policy",   value: "NAME", repeatable: true, help: "show only this policy" },
  ...DERIVED_SET_UP,
  WEBHOOK_ANSWERS,
  { name: "verbose",  short: "v", help: "show the parts of true expressions too" },
  KUBE_VERSION,
  ...ASKING,
] as const satisfies readonly Option[];

export const command: Command = defineCommand({
  name: "explain",
  summary: "show why an object is denied, allowed or ignored",
  usage: "-f PATH… [KIND/NAME…] [flags]",
  about: `For each named object, or for every object with problems, shows which part of which expression decided, the values it read, the
list element, the line in your file, and what was not evaluated. For policies that do not apply, shows which rule, selector,
condition or permission excluded the object.

The exit code is 1 if a policy of the inputs cannot take effect: the API server rejects it or its binding, or a mistake keeps it from
ever matching.`,
  options: OPTIONS,
  examples: [
    { what: "show why a pod is denied", line: "celadon explain -f policies/ -f pod.yaml" },
    {
      what: "show why a policy does not apply",
      line: "celadon explain -f policies/ -f pod.yaml Pod/web --policy no-latest",
    },
    { what: "print JSON", line: "celadon explain -f . Deployment/shop/web -o json" },
  ],
  run: explain,
});

/** More would not be read. */
const SHOWN_UNNAMED = 20;
const SHOWN_POLICIES = 10;

async function explain(args: ArgsOf<typeof OPTIONS>, io: Io): Promise<ExitCode> {
  await refuseFiles(args, io);
  const review = await loadReview("explain", args.list("filename"), args, io);
  const { pairs, notes } = review;
  const asked = [...review.asked];
  const { simulated, rejected } = await writeSetUp(review.simulated, review.setUp);
  const written = new Set(review.setUp.map(({ manifest }) => manifest));
  const ineffective = await ineffectiveIn(simulated);
  printNotes([...notes, ...notInForceNotes(rejected), ...ineffectiveNotes(ineffective)], args, io);
  const only = policiesOf(args, simulated);
  const wanted = args.positionals.length > 0 ? named(asked, args.positionals) : await interesting(asked, simulated);
  const subjects: ExplainedSubject[] = [];
  for (const item of wanted) subjects.push(await explainSubject(simulated, item, pairs?.oldOf(item.manifest), only));
  const sites = new Sites(simulated);
  const results: ReportRow[] = [];
  for (const { manifest, outcome } of subjects) {
    pushAll(results, resultsOf(reviewedOf(manifest, outcome, await blameFor(simulated, outcome))));
  }
  return writeAnswer(
    {
      results,
      document: {
        apiVersion: "celadon.dev/v1",
        kind: "Explanation",
        objects: subjects.map((subject) => explainJson(subject, sites)),
      },
      text: (paint) =>
        subjects.length === 0
          ? "no object has problems; to explain one, name it: celadon explain … KIND/NAME\n"
          : subjects
              .map((subject) =>
                explainText(subject, { paint, sites, verbose: args.on("verbose"), notes: !args.on("quiet") }),
              )
              .join("\n"),
      table: {
        columns: ["OBJECT", "VERDICT", "MESSAGE"],
        rows: subjects.map(({ outcome }) => [
          subjectText(requestSubject(outcome.request)),
          outcome.allowed ? "allowed" : "denied",
          outcome.status?.message ?? "",
        ]),
      },
      exit: rejected.length > 0 || isMistakeIn(written, ineffective) ? EXIT.failed : EXIT.ok,
    },
    args,
    io,
  );
}

/** Other commands read files without a flag; here, what stands alone names objects. */
async function refuseFiles(args: ArgsOf<typeof OPTIONS>, io: Io): Promise<void> {
  for (const name of args.positionals) {
    if ((await io.files.kind(name)) !== "file") continue;
    const files = [...args.list("filename"), ...args.positionals].map((path) => `-f ${path}`).join(" ");
    throw new UsageError(`"${name}" is a file, and objects are named as KIND/NAME`, `celadon explain ${files}`);
  }
}

function policiesOf(args: ArgsOf<typeof OPTIONS>, simulated: SimulatedCluster): ReadonlySet<string> | undefined {
  const names = args.list("policy");
  for (const name of names) {
    const known = [...simulated.policies.policies(), ...simulated.mutatingPolicies.policies()].map(
      (policy) => policy.name,
    );
    if (known.includes(name)) continue;
    const guess = nearestName(name, known);
    throw new UsageError(
      `no policy "${name}" in force in the inputs${guess === undefined ? "" : `; did you mean "${guess}"?`}`,
      guess === undefined && known.length > 0
        ? `policies in force: ${known.slice(0, SHOWN_POLICIES).join(", ")}`
        : undefined,
    );
  }
  return names.length === 0 ? undefined : new Set(names);
}

/** `Pod/web`, `Pod/shop/web`, `deploy/web`, or `web` where that is clear. */
function named(asked: readonly ReviewSubject[], names: readonly string[]): ReviewSubject[] {
  return names.flatMap((name) => {
    const parts = name.split("/");
    const found = asked.filter(({ manifest: { object } }) => {
      const full = [gvkOf(object), namespaceOf(object), nameOf(object)] as const;
      const [first = "", second = "", third] = parts;
      if (third !== undefined) return sameKind(full[0], first) && full[1] === second && full[2] === third;
      return second === "" ? full[2] === first : sameKind(full[0], first) && full[2] === second;
    });
    if (found.length === 0) {
      const guess = meant(asked, parts.at(-1)!);
      throw new UsageError(
        `no object "${name}" in the inputs${guess === undefined ? "" : `; did you mean ${guess}?`}`,
        "name it as KIND/NAME or KIND/NAMESPACE/NAME",
      );
    }
    return found;
  });
}

/** Objects of that name whatever their kind, as with short names of kinds; else the one that is spelled most like it. */
function meant(asked: readonly ReviewSubject[], name: string): string | undefined {
  const names = new Map<string, string[]>();
  for (const { manifest } of asked) {
    const found = nameOf(manifest.object);
    names.set(found, [...(names.get(found) ?? []), `${manifest.object.kind}/${found}`]);
  }
  const found = names.get(name) ?? names.get(nearestName(name, [...names.keys()]) ?? "");
  return found && [...new Set(found)].slice(0, 3).join(" or ");
}

/** By kind, plural or short name, with or without a group: `Deployment`, `deployments.apps`, `deploy`. */
const sameKind = ({ group, kind }: GroupVersionKind, asked: string): boolean => {
  const [lower = "", ...groups] = asked.toLowerCase().split(".");
  if (groups.length > 0 && groups.join(".") !== group) return false;
  if (kind.toLowerCase() === lower || `${kind.toLowerCase()}s` === lower) return true;
  return servedResources().some(
    (servedResource) =>
      servedResource.kind === kind && (servedResource.plural === lower || servedResource.shortNames.includes(lower)),
  );
};

/** Objects with problems; if there are none, those that are not set-up. */
async function interesting(asked: readonly ReviewSubject[], simulated: SimulatedCluster): Promise<ReviewSubject[]> {
  const found: ReviewSubject[] = [];
  for (const item of asked) {
    const { problems, certificate } = await ask(simulated, item);
    if (problems.length > 0 || certificate !== undefined) found.push(item);
  }
  const chosen = found.length > 0 ? found : asked.filter(({ manifest }) => !isSetUp(manifest.object));
  return chosen.slice(0, SHOWN_UNNAMED);
}
