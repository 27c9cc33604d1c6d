// All resources of the inputs through every check, in the order they stand in the files.

import { createSchemas } from "@celadon/admission/memory";
import type { KubeObject } from "@celadon/kube";
import { CURRENT, type Minor } from "@celadon/kube-cel";
import { type AcceptedSetUp, type Manifest, World } from "@celadon/simulator";
import { certificateProblems } from "./certificate-problems.ts";
import { definitionProblems } from "./definition-problems.ts";
import { findingProblems } from "./finding-problems.ts";
import { annotationProblems } from "./ignore.ts";
import { type LintProblem, problem, problemPlace } from "./problem.ts";
import { readsNothingProblems } from "./reads-nothing.ts";
import { ruleNodes, schemaNodes } from "./schema-nodes.ts";
import { servedProblems } from "./served-in.ts";
import { serverProblems } from "./server-problems.ts";
import { typeProblems } from "./type-problems.ts";
import { unknownFieldProblems } from "./unknown-fields.ts";
import { Vocabulary } from "./vocabulary.ts";

export interface Linted {
  /** What was looked at: policies, bindings, webhook configurations, definitions, certificate policies. */
  readonly resources: readonly Manifest[];
  readonly problems: readonly LintProblem[];
}

type JudgedManifest = readonly [Manifest, AcceptedSetUp];

export interface LintOptions {
  /** The minors it must work with; the current one when absent. */
  readonly minors?: readonly Minor[];
  /** Called between resources: lets a host do something else, or end it by throwing. */
  readonly pause?: () => Promise<void>;
}

export async function lint(
  manifests: readonly Manifest[],
  { minors = [CURRENT], pause }: LintOptions = {},
): Promise<Linted> {
  const world = World.of(manifests);
  const judged = manifests.flatMap((manifest): JudgedManifest[] => {
    const accepted = world.accepted(manifest.object);
    return accepted === undefined ? [] : [[manifest, accepted]];
  });
  const vocabulary = new Vocabulary();
  const definitions = judged.flatMap(([{ object }, { role, status }]): KubeObject[] =>
    role === "definition" && status === undefined ? [object] : [],
  );
  const schemas = createSchemas({ definitions });
  const problems: LintProblem[] = [];
  for (const [manifest, answer] of judged) {
    await pause?.();
    const own = resourceProblems(manifest, answer, minors, vocabulary);
    const typed =
      answer.role === "policy" && answer.resource !== undefined
        ? await typeProblems(manifest, answer.resource, schemas)
        : [];
    // Of an expression that does not compile, that is all there is to say.
    const broken = new Set(own.filter(({ code }) => code === "compile_error").map(({ path }) => path.join()));
    const more = [...typed, ...readsNothingProblems(manifest, vocabulary)].filter(
      ({ path }) => !broken.has(path.join()),
    );
    problems.push(...own, ...more);
  }
  problems.push(...(await findingProblems(policiesOf(judged), world)));
  const certificates = judged.flatMap(([manifest, { role }]) => (role === "certificatePolicy" ? [manifest] : []));
  problems.push(...(await certificateProblems(certificates, world)));
  const resources = judged.map(([manifest]) => manifest);
  return { resources, problems: inOrder(problems, resources) };
}

function resourceProblems(
  manifest: Manifest,
  judged: AcceptedSetUp,
  minors: readonly Minor[],
  vocabulary: Vocabulary,
): LintProblem[] {
  const rules = ruleNodes(schemaNodes(manifest.object)).map(({ rulePath }) => rulePath);
  const isDefinition = judged.role === "definition";
  return [
    ...servedProblems(manifest, judged, minors, isDefinition ? rules : []),
    ...serverProblems(manifest, judged, minors, vocabulary),
    ...unknownFieldProblems(manifest, judged),
    ...(isDefinition ? definitionProblems(manifest) : serverWarnings(manifest, judged)),
    ...annotationProblems(manifest),
  ];
}

/** Those of definitions are about formats, and are placed there. */
function serverWarnings(manifest: Manifest, { warnings }: AcceptedSetUp): LintProblem[] {
  return warnings.map((text) => problem("server_warning", manifest, ["metadata", "name"], text));
}

function policiesOf(judged: readonly JudgedManifest[]): Parameters<typeof findingProblems>[0] {
  return {
    policies: judged.flatMap(([manifest, one]) => (one.role === "policy" ? [[manifest, one] as const] : [])),
    bindings: judged.flatMap(([manifest, one]) => (one.role === "binding" ? [[manifest, one] as const] : [])),
  };
}

/** By resource, and in it by place. What an alias repeats is said once. */
function inOrder(problems: readonly LintProblem[], resources: readonly Manifest[]): LintProblem[] {
  const order = new Map(resources.map((manifest, i) => [manifest, i]));
  const keyed = problems.map((one) => ({ one, at: problemPlace(one), resource: order.get(one.manifest) ?? 0 }));
  keyed.sort(
    (a, b) =>
      a.resource - b.resource || (a.at?.line ?? 0) - (b.at?.line ?? 0) || (a.at?.column ?? 0) - (b.at?.column ?? 0),
  );
  const said = new Set<string>();
  return keyed.flatMap(({ one, at, resource }) => {
    const key = JSON.stringify([resource, at, one.code, one.message]);
    if (at !== undefined && said.has(key)) return [];
    said.add(key);
    return [one];
  });
}
