// `celadon explain`: why an object gets what it gets.

import { nearestName } from "@celadon/base";
import { nameOf, namespaceOf } from "@celadon/kube";
import { servedResources } from "@celadon/kube/types";
import { isSetUp, World } from "@celadon/simulator";
import { ask, blameFor } from "../check/check-all.ts";
import { MADE, madeManifests } from "../check/made.ts";
import { ASKING, type Asked, askingOf, subjectsOf } from "../check/subjects.ts";
import type { Args, Command, Option } from "../command.ts";
import { EXIT, type ExitCode, UsageError } from "../exit.ts";
import { explainJson } from "../explain/explain-json.ts";
import { explainText } from "../explain/explain-text.ts";
import { type ExplainedSubject, explainSubject } from "../explain/explained.ts";
import { Sites } from "../explain/sites.ts";
import { loadInputs, loadPairs, OLD } from "../inputs.ts";
import type { Io } from "../io.ts";
import { FILES, KUBE_VERSION } from "../options.ts";
import { requestSubject, subjectText } from "../outcome/names.ts";
import { resultsOf } from "../outcome/outcome-results.ts";
import { reviewedOf } from "../outcome/reviewed.ts";
import type { Result } from "../output/answer.ts";
import { writeAnswer } from "../output/write.ts";
import { parseKubeVersion } from "../sources/kube-version.ts";

// biome-ignore format: one option per line
const OPTIONS: readonly Option[] = [
  FILES,
  ...OLD,
  { name: "policy",   value: "NAME", repeatable: true, help: "only these policies" },
  ...MADE,
  { name: "verbose",  short: "v", help: "show the parts of true expressions as well" },
  KUBE_VERSION,
  ...ASKING,
];

export const command: Command = {
  name: "explain",
  summary: "show why an object is denied, allowed, or not looked at",
  usage: "-f PATH… [KIND/NAME…] [flags]",
  about: `For each object that is named, or each that something is said against: which clause of which expression decided, the values
it saw, the element of the list, the line in your file, and what was not evaluated. For policies that do not apply: which rule,
selector, condition or permission refused.`,
  options: OPTIONS,
  examples: [
    { what: "why a pod is denied", line: "celadon explain -f policies/ -f pod.yaml" },
    {
      what: "why a policy does not apply to it",
      line: "celadon explain -f policies/ -f pod.yaml Pod/web --policy no-latest",
    },
    { what: "for a program", line: "celadon explain -f . Deployment/shop/web -o json" },
  ],
  run: explain,
};

/** More would not be read. */
const SHOWN_UNNAMED = 20;

async function explain(args: Args, io: Io): Promise<ExitCode> {
  const asking = askingOf(args);
  const inputs = await loadInputs(args.list("filename"), "explain", args, io);
  const pairs = await loadPairs(inputs.manifests, args.list("filename"), "explain", args, io);
  const made = madeManifests(inputs.manifests, args, io);
  const world = World.of([...inputs.manifests, ...made], { kubeVersion: parseKubeVersion(args.text("kube-version")) });
  const { asked } = subjectsOf(inputs, pairs, asking, world);
  const only = policiesOf(args, world);
  const wanted = args.positionals.length > 0 ? named(asked, args.positionals) : await interesting(asked, world);
  const subjects: ExplainedSubject[] = [];
  for (const one of wanted) subjects.push(await explainSubject(world, one, pairs?.oldOf(one.manifest), only));
  const sites = new Sites(world);
  const results: Result[] = [];
  for (const { manifest, outcome } of subjects) {
    results.push(...resultsOf(reviewedOf(manifest, outcome, await blameFor(world, outcome))));
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
          ? "nothing is said against any object; name one to see why: celadon explain … KIND/NAME\n"
          : subjects.map((one) => explainText(one, { paint, sites, verbose: args.on("verbose") })).join("\n"),
      table: {
        columns: ["OBJECT", "VERDICT", "MESSAGE"],
        rows: subjects.map(({ outcome }) => [
          subjectText(requestSubject(outcome.request)),
          outcome.allowed ? "allowed" : "denied",
          outcome.status?.message ?? "",
        ]),
      },
      exit: EXIT.ok,
    },
    args,
    io,
  );
}

function policiesOf(args: Args, world: World): ReadonlySet<string> | undefined {
  const names = args.list("policy");
  for (const name of names) {
    if (world.policies.policy(name) !== undefined) continue;
    const guess = nearestName(
      name,
      Array.from(world.policies.policies(), (one) => one.name),
    );
    throw new UsageError(
      `no policy "${name}" in force among the inputs${guess === undefined ? "" : `; did you mean "${guess}"?`}`,
    );
  }
  return names.length === 0 ? undefined : new Set(names);
}

/** `Pod/web`, `Pod/shop/web`, `deploy/web`, or `web` where that is clear. */
function named(asked: readonly Asked[], names: readonly string[]): Asked[] {
  return names.flatMap((name) => {
    const parts = name.split("/");
    const found = asked.filter(({ manifest: { object } }) => {
      const full = [String(object.kind), namespaceOf(object), nameOf(object)] as const;
      const [first = "", second = "", third] = parts;
      if (third !== undefined) return sameKind(full[0], first) && full[1] === second && full[2] === third;
      return second === "" ? full[2] === first : sameKind(full[0], first) && full[2] === second;
    });
    if (found.length === 0) {
      const guess = meant(asked, parts.at(-1)!);
      throw new UsageError(
        `no object "${name}" among the inputs${guess === undefined ? "" : `; did you mean ${guess}?`}`,
        "name it as KIND/NAME or KIND/NAMESPACE/NAME",
      );
    }
    return found;
  });
}

/** Objects of that name whatever their kind, as with short names of kinds; else the one that is spelled most like it. */
function meant(asked: readonly Asked[], name: string): string | undefined {
  const names = new Map<string, string[]>();
  for (const { manifest } of asked) {
    const found = nameOf(manifest.object);
    names.set(found, [...(names.get(found) ?? []), `${manifest.object.kind}/${found}`]);
  }
  const found = names.get(name) ?? names.get(nearestName(name, [...names.keys()]) ?? "");
  return found && [...new Set(found)].slice(0, 3).join(" or ");
}

/** By kind, plural or short name: `Deployment`, `deployments`, `deploy`. */
const sameKind = (kind: string, asked: string): boolean => {
  const lower = asked.toLowerCase();
  if (kind.toLowerCase() === lower || `${kind.toLowerCase()}s` === lower) return true;
  return servedResources().some((one) => one.kind === kind && (one.plural === lower || one.shortNames.includes(lower)));
};

/** Objects that something is said against; where there are none, those that are no set-up. */
async function interesting(asked: readonly Asked[], world: World): Promise<Asked[]> {
  const found: Asked[] = [];
  for (const one of asked) {
    const { problems, certificate } = await ask(world, one);
    if (problems.length > 0 || certificate !== undefined) found.push(one);
  }
  const chosen = found.length > 0 ? found : asked.filter(({ manifest }) => !isSetUp(manifest.object));
  return chosen.slice(0, SHOWN_UNNAMED);
}
