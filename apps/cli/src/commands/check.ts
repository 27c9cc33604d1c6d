// `celadon check`: how an API server would answer each object of the inputs.

import { gvkOf, type KubeObject, nameOf } from "@celadon/kube";
import { isSetUp, type Manifest, placeOf } from "@celadon/simulator/manifests";
import { checkAll } from "../check/check-all.ts";
import { checkAnswer } from "../check/check-answer.ts";
import { unknownKindsByFile } from "../check/unknown-kinds.ts";
import { isPassing, OLD, pathsOf, printNotes } from "../inputs/inputs.ts";
import { BUILT, FILES, KUBE_VERSION_OR_CLUSTER, READING, WARN_EXIT_CODE } from "../inputs/options.ts";
import { withUnread } from "../inputs/unread.ts";
import { WEBHOOK_ANSWERS } from "../inputs/webhook-answers.ts";
import { FEATURE_GATES } from "../live-cluster/gates.ts";
import { FROM_CLUSTER } from "../live-cluster/options.ts";
import type { ReviewedObject } from "../outcome/reviewed.ts";
import { subjectText } from "../output/subject-text.ts";
import { writeAnswer } from "../output/write.ts";
import { PLAYGROUND, playgroundUrl } from "../playground/address.ts";
import type { Failed } from "../playground/links.ts";
import { type ArgsOf, type Command, defineCommand, type Option } from "../program/command.ts";
import type { ExitCode } from "../program/exit.ts";
import type { Io } from "../program/io.ts";
import { CHANGED_ONLY, changedOnly } from "../review/changed-only.ts";
import { DERIVED_SET_UP } from "../review/derived-set-up.ts";
import { EXISTING } from "../review/existing.ts";
import { givenTwice } from "../review/given-twice.ts";
import { loadReview } from "../review/load-review.ts";
import { paramsIn } from "../review/param-refs.ts";
import { SERVER_FLAGS, serverOptionsOf } from "../review/server-flags.ts";
import { ASKING } from "../review/subjects.ts";
import { SUPPRESSIONS, saveBaseline, siftOf } from "../suppressions/flags.ts";
import { withSuppressed } from "../suppressions/suppressed-report.ts";

// biome-ignore format: one option per line
const OPTIONS = [
  FILES,
  ...BUILT,
  ...READING,
  ...OLD,
  CHANGED_ONLY,
  EXISTING,
  ...FROM_CLUSTER,
  FEATURE_GATES,
  ...DERIVED_SET_UP,
  WEBHOOK_ANSWERS,
  ...SERVER_FLAGS,
  { name: "only-problems",    help: "show only objects with problems" },
  KUBE_VERSION_OR_CLUSTER,
  PLAYGROUND,
  ...ASKING,
  ...SUPPRESSIONS,
  WARN_EXIT_CODE,
] as const satisfies readonly Option[];

export const command: Command = defineCommand({
  name: "check",
  summary: "check objects against policies, CRDs and webhooks as an API server would",
  failure: "an object was denied, or a policy of the inputs can never take effect",
  usage: "[-f] PATH… [flags]",
  about: `Reads policies, bindings, params, CustomResourceDefinitions, webhook configurations, certificate policies, namespaces, RBAC
and objects, in any order. Then sends each object to a simulated API server that has all of them: as a create, or as an update if
--old has the object. Reports every denial and warning, with its reason: schemas, CRD rules, policies, webhooks and certificate policies.
If there are several reasons, the one an API server would return is marked. Policies that matched nothing are listed.

The exit code is 1 if an object is denied, or if a mistake in a policy or binding of the inputs keeps the policy from ever matching: a
resource that does not exist, selectors that contradict each other, a misspelt policy name. It is 2 if a file cannot be read; everything
else is checked all the same. Charts, patches and other things that lie in directories beside manifests are skipped, with a note.`,
  options: OPTIONS,
  positionals: "files",
  examples: [
    { what: "check manifests against a directory of policies", line: "celadon check -f policies/ -f manifests/" },
    {
      what: "name files without -f, for example through shell globs",
      line: "celadon check policies/*.yaml deploy.yaml",
    },
    { what: "check what a kustomization builds", line: "celadon check -f policies/ -k overlays/prod" },
    {
      what: "check what Helm makes of a chart",
      line: "celadon check -f policies/ --helm charts/web --helm-values prod.yaml",
    },
    { what: "check the output of another program", line: "jsonnet app.jsonnet | celadon check -f policies/ -f -" },
    { what: "check updates of deployed objects", line: "celadon check -f policies/ -f new/ --old deployed.yaml" },
    {
      what: "check a pull request against its base",
      line: "celadon check -f policies/ -f manifests/ --old-git origin/main",
    },
    { what: "check only what a pull request changes", line: "celadon check -f . --changed-only origin/main" },
    { what: "check against the policies of a cluster", line: "celadon check -f manifests/ --context staging" },
    {
      what: "check whether a user may write a policy",
      line: "celadon check -f policy.yaml --existing cluster/ --as ann",
    },
    { what: "check as another user", line: "celadon check -f policies/ -f pod.yaml --as ann --as-group developers" },
    { what: "write reports for CI", line: "celadon check -f . -o github -o junit=report.xml -o sarif=report.sarif" },
  ],
  run: check,
});

async function check(args: ArgsOf<typeof OPTIONS>, io: Io): Promise<ExitCode> {
  const paths = pathsOf(args);
  // A link has all that may matter to the object, and a comparison with a revision needs every object.
  const isKept = args.text("playground") !== undefined || args.text("changed-only") !== undefined;
  const keep = isKept ? {} : { passes: isPassing };
  const unknownKinds = unknownKindsByFile(args);
  const server = { ...serverOptionsOf(args), ...(unknownKinds && { unknownKinds: "warn" as const }) };
  const review = await loadReview("check", paths, args, io, server, keep);
  const { inputs, pairs, notes, unread } = review;
  const isParams = paramsIn(review.simulated);
  const decides = (object: KubeObject): boolean => isSetUp(object) || isParams(object);
  const isChanged = await changedOnly(inputs.manifests, paths, "check", args, io, decides);
  printNotes([...notes, ...givenTwice(inputs.stream)], args, io);
  const playground = playgroundUrl(args);
  const sift = await siftOf("check", inputs, args, io, { isPartial: isChanged !== undefined });
  const checked = await checkAll(review, { signal: io.signal, unknownKinds, sift, isChanged });
  const policies = new Map(
    inputs.manifests.map((manifest) => [`${gvkOf(manifest.object).kind}/${nameOf(manifest.object)}`, manifest]),
  );
  const report = checkAnswer(checked, {
    onlyProblems: args.on("only-problems"),
    notes: !args.on("quiet"),
    placeOfPolicy: ({ kind, policy }) => {
      const manifest = policies.get(`${kind}/${policy}`);
      return manifest && placeOf(manifest, ["metadata", "name"]);
    },
  });
  const answer = withSuppressed(report, sift);
  await saveBaseline(sift, args, io);
  if (playground === undefined) return writeAnswer(withUnread(answer, unread), args, io);
  const { withLinks } = await import("../playground/links.ts");
  const failed = [...checked.reviewed].filter(({ allowed }) => !allowed);
  const linked = await withLinks(
    answer,
    playground,
    failed.map((reviewed) => failure(reviewed, inputs.manifests, pairs?.oldOf(reviewed.manifest)?.object, args)),
  );
  return writeAnswer(withUnread(linked, unread), args, io);
}

/** Adds the parts of a request with which the playground makes it again. */
function failure(
  { manifest, subject, problems }: ReviewedObject,
  manifests: readonly Manifest[],
  oldObject: KubeObject | undefined,
  args: ArgsOf<typeof OPTIONS>,
): Failed {
  const policies = new Set(problems.flatMap(({ by }) => by?.name ?? []));
  const [user, groups, namespace, kubeVersion] = [
    args.text("as"),
    args.list("as-group"),
    args.text("namespace"),
    args.text("kube-version"),
  ];
  const request = { ...(user && { user }), ...(groups.length > 0 && { groups }), ...(namespace && { namespace }) };
  const objects = manifests.map(({ object }) => object);
  const asked = { manifests: objects, object: manifest.object, oldObject, request, policies, kubeVersion };
  return { name: subjectText(subject), asked };
}
