// `celadon check`: what every object of the inputs would get from a cluster made of them.

import { nameOf } from "@celadon/kube";
import { placeOf, roleOf, World } from "@celadon/simulator";
import { checkAll } from "../check/check-all.ts";
import { checkAnswer } from "../check/check-answer.ts";
import { givenTwice } from "../check/given-twice.ts";
import { MADE, madeManifests } from "../check/made.ts";
import { ASKING, askingOf, subjectsOf } from "../check/subjects.ts";
import type { Args, Command, Option } from "../command.ts";
import type { ExitCode } from "../exit.ts";
import { loadInputs, loadPairs, OLD, pathsOf, tellNotes } from "../inputs.ts";
import type { Io } from "../io.ts";
import { FILES, KUBE_VERSION, UNKNOWN_KINDS, WARN_EXIT_CODE } from "../options.ts";
import { writeAnswer } from "../output/write.ts";
import { parseKubeVersion } from "../sources/kube-version.ts";

// biome-ignore format: one option per line
const OPTIONS: readonly Option[] = [
  FILES,
  ...OLD,
  ...MADE,
  { name: "field-validation", value: "HOW", help: "fields that no schema knows: Strict refuses, Warn warns, Ignore says nothing", choices: ["Strict", "Warn", "Ignore"], strict: true, fallback: "Strict" },
  UNKNOWN_KINDS,
  { name: "no-defaults",      help: "leave out the defaults an API server fills in" },
  { name: "only-problems",    help: "leave out objects that nothing is said against" },
  KUBE_VERSION,
  ...ASKING,
  WARN_EXIT_CODE,
];

export const command: Command = {
  name: "check",
  summary: "decide what every object would get from a cluster made of the inputs",
  usage: "[-f] PATH… [flags]",
  about: `Reads policies, bindings, params, CustomResourceDefinitions, webhook configurations, certificate policies, namespaces, RBAC
and objects, and sorts them by kind itself. Every object is then created in a cluster made of all of them, or updated where --old
has it, and everything that is said against it is shown: by schemas, CRD rules, policies, webhooks and certificate policies. Of
several refusals the one an API server would return is marked. A policy that matched nothing is said to have matched nothing.`,
  options: OPTIONS,
  positionals: "files",
  examples: [
    { what: "a directory of policies and one of manifests", line: "celadon check -f policies/ -f manifests/" },
    { what: "files that the shell names", line: "celadon check policies/*.yaml deploy.yaml" },
    { what: "the output of Helm or kustomize", line: "helm template . | celadon check -f policies/ -f -" },
    { what: "a change against what is deployed", line: "celadon check -f policies/ -f new/ --old deployed.yaml" },
    { what: "a pull request against its base", line: "celadon check -f policies/ -f manifests/ --old-git origin/main" },
    { what: "as somebody else", line: "celadon check -f policies/ -f pod.yaml --as ann --as-group developers" },
    { what: "for CI", line: "celadon check -f . -o github -o junit=report.xml -o sarif=report.sarif" },
  ],
  run: check,
};

async function check(args: Args, io: Io): Promise<ExitCode> {
  const asking = askingOf(args);
  const inputs = await loadInputs(pathsOf(args), "check", args, io);
  const pairs = await loadPairs(inputs.manifests, pathsOf(args), "check", args, io);
  const made = madeManifests(inputs.manifests, args, io);
  const world = World.of([...inputs.manifests, ...made], {
    kubeVersion: parseKubeVersion(args.text("kube-version")),
    serverDefaults: !args.on("no-defaults"),
    fieldValidation: (args.text("field-validation") ?? "Strict") as "Strict" | "Warn" | "Ignore",
    unknownKinds: (args.text("unknown-kinds") ?? "warn") as "error" | "warn" | "ignore",
  });
  const { asked, notes } = subjectsOf(inputs, pairs, asking, world);
  tellNotes([...notes, ...givenTwice(inputs.manifests)], args, io);
  const checked = await checkAll(world, asked, { signal: io.signal });
  const policies = new Map(
    inputs.manifests.flatMap((one) => (roleOf(one.object) === "policy" ? [[nameOf(one.object), one] as const] : [])),
  );
  const answer = checkAnswer(checked, {
    onlyProblems: args.on("only-problems"),
    placeOfPolicy: (name) => {
      const manifest = policies.get(name);
      return manifest && placeOf(manifest, ["metadata", "name"]);
    },
  });
  return writeAnswer(answer, args, io);
}
