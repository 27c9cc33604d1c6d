// Runs all checks on all resources of the inputs, in the order of the files.

import { createSchemas, type Schemas } from "@celadon/admission/memory";
import { pushAll } from "@celadon/base";
import type { KubeObject } from "@celadon/kube";
import { CURRENT, type Minor } from "@celadon/kube-cel";
import { type AcceptedSetUp, SimulatedCluster } from "@celadon/simulator";
import type { Manifest } from "@celadon/simulator/manifests";
import { type AcceptedManifest, acceptedManifests, policyFamilies } from "./checks/accepted-manifests.ts";
import { certificateProblems } from "./checks/certificate-problems.ts";
import { definitionProblems } from "./checks/definition-problems.ts";
import { differsProblems } from "./checks/differs-in-minor.ts";
import { duplicateProblems } from "./checks/duplicates.ts";
import { findingProblems, type KnownFindings, webhookProblems } from "./checks/finding-problems.ts";
import { misspeltKind } from "./checks/misspelt-kinds.ts";
import { readsNothingProblems } from "./checks/reads-nothing.ts";
import { ruleNodes, schemaNodes } from "./checks/schema-nodes.ts";
import { servedProblems } from "./checks/served-in.ts";
import { NO_PARAM_KIND, serverProblems } from "./checks/server-problems.ts";
import { typeProblems } from "./checks/type-problems.ts";
import { unknownFieldProblems } from "./checks/unknown-fields.ts";
import { unmatchedSelectorProblems } from "./checks/unmatched-selectors.ts";
import { Vocabulary } from "./help/vocabulary.ts";
import { annotationProblems } from "./ignore.ts";
import type { LintCode } from "./lint-code.ts";
import { type LintProblem, problem, problemPlace } from "./problem.ts";

/** The result of linting. */
export interface Linted {
  /** The checked resources: policies, bindings, webhook configurations, definitions, certificate policies. */
  readonly resources: readonly Manifest[];
  readonly problems: readonly LintProblem[];
}

/** For which minors to lint, and when to pause. */
export interface LintOptions {
  /** The minors it must work with; the current one when absent. */
  readonly minors?: readonly Minor[];
  /** Called between resources: lets a host do something else, or end it by throwing. */
  readonly pause?: () => Promise<void>;
}

/** Finds problems of policies, bindings, webhooks and CRDs, alone and together. */
export function lint(manifests: readonly Manifest[], { minors, pause }: LintOptions = {}): Promise<Linted> {
  return new Linter(minors).lint(manifests, SimulatedCluster.of(manifests), pause);
}

/** Lints repeatedly, as somebody types: results of a manifest are kept while nothing that it depends on changes. */
export class Linter {
  readonly #minors: readonly Minor[];
  readonly #vocabulary = new Vocabulary();
  readonly #own = new WeakMap<Manifest, readonly LintProblem[]>();
  readonly #typed = new WeakMap<Manifest, Typed>();
  readonly #findings: KnownFindings = { ofPolicies: new WeakMap() };
  #definitions: readonly KubeObject[] = [];
  #schemas: Schemas | undefined;

  constructor(minors: readonly Minor[] = [CURRENT]) {
    this.#minors = minors;
  }

  /** The simulated cluster is made of the manifests. `pause` is called between manifests that are checked anew. */
  async lint(
    manifests: readonly Manifest[],
    simulated: SimulatedCluster,
    pause?: () => Promise<void>,
  ): Promise<Linted> {
    const accepted = acceptedManifests(manifests, simulated);
    const schemas = this.#schemasOf(simulated);
    const misspelt = manifests.flatMap((manifest) => misspeltKind(manifest) ?? []);
    const problems = misspelt.map((found) => found.problem);
    for (const manifest of accepted) pushAll(problems, await this.#problemsOf(manifest, simulated, schemas, pause));
    // An expression that does not compile may use the variable that seems unused, and a list may seem to be a map.
    const broken = new Set(problems.flatMap(({ code, manifest }) => (MAY_USE.has(code) ? [manifest] : [])));
    const isMistyped = ({ manifest, path }: LintProblem): boolean =>
      problems.some(
        (other) => MISTAKEN.has(other.code) && other.manifest === manifest && other.path.join() === path.join(),
      );
    const withoutParamKind = new Set(
      problems.flatMap(({ cause, manifest }) => (cause === NO_PARAM_KIND ? [manifest] : [])),
    );
    const isCertain = (found: LintProblem): boolean =>
      !(found.code === "unused_param_ref" && found.related?.some(({ manifest }) => withoutParamKind.has(manifest))) &&
      !(found.code === "unused_variable" && broken.has(found.manifest)) &&
      !(UNGUARDED.has(found.code) && isMistyped(found));
    for (const family of policyFamilies(accepted)) {
      const found = await findingProblems(family, simulated, misspelt, this.#findings);
      pushAll(problems, found.filter(isCertain));
    }
    for (const [manifest, setUp] of accepted) {
      if (setUp.role !== "webhooks" || setUp.resource === undefined || setUp.status !== undefined) continue;
      pushAll(problems, webhookProblems(manifest, setUp.resource, simulated).filter(isCertain));
    }
    pushAll(problems, unmatchedSelectorProblems(accepted, simulated));
    const certificates = accepted.flatMap(([manifest, { role }]) => (role === "certificatePolicy" ? [manifest] : []));
    pushAll(problems, await certificateProblems(certificates, simulated));
    const looked = new Set([
      ...accepted.map(([manifest]) => manifest),
      ...misspelt.map(({ problem: { manifest } }) => manifest),
    ]);
    const resources = manifests.filter((manifest) => looked.has(manifest));
    return { resources, problems: byCause(inOrder(problems, resources)) };
  }

  /** Problems of some manifests alone, without how others use them. */
  async own(manifests: readonly Manifest[], simulated: SimulatedCluster): Promise<readonly LintProblem[]> {
    const schemas = this.#schemasOf(simulated);
    const problems: LintProblem[] = [];
    for (const manifest of acceptedManifests(manifests, simulated))
      pushAll(problems, await this.#problemsOf(manifest, simulated, schemas));
    return problems;
  }

  async #problemsOf(
    accepted: AcceptedManifest,
    simulated: SimulatedCluster,
    schemas: Schemas,
    pause?: () => Promise<void>,
  ): Promise<LintProblem[]> {
    const [manifest, answer] = accepted;
    let own = this.#own.get(manifest);
    if (own === undefined) {
      await pause?.();
      own = resourceProblems(manifest, answer, this.#minors, this.#vocabulary);
      this.#own.set(manifest, own);
    }
    let typed = this.#typed.get(manifest);
    if (typed?.schemas !== schemas) {
      const found =
        (answer.role === "policy" || answer.role === "mutatingPolicy") && answer.resource !== undefined
          ? await typeProblems(manifest, answer.resource, schemas, this.#vocabulary, simulated)
          : [];
      const alone = [
        ...readsNothingProblems(manifest, this.#vocabulary),
        ...duplicateProblems(manifest, this.#vocabulary),
      ];
      typed = { schemas, problems: [...found, ...alone] };
      this.#typed.set(manifest, typed);
    }
    // An expression that the API server rejects has no other problems.
    const broken = new Set(own.filter(({ code }) => REJECTED.has(code)).map(({ path }) => path.join()));
    return [...own, ...typed.problems.filter(({ path }) => !broken.has(path.join()))];
  }

  /** The same object for the same definitions. */
  #schemasOf(simulated: SimulatedCluster): Schemas {
    const definitions = simulated.manifests("definition").flatMap(({ object }): KubeObject[] => {
      const accepted = simulated.accepted(object);
      return accepted !== undefined && accepted.status === undefined ? [object] : [];
    });
    const known = this.#definitions;
    const same = definitions.length === known.length && definitions.every((definition, i) => definition === known[i]);
    if (this.#schemas === undefined || !same) {
      this.#definitions = definitions;
      this.#schemas = createSchemas({ definitions });
    }
    return this.#schemas;
  }
}

const UNGUARDED: ReadonlySet<LintCode> = new Set(["unguarded_key", "unguarded_field"]);

/** With these, an expression reads something else than its author meant. */
const MISTAKEN: ReadonlySet<LintCode> = new Set(["type_mismatch", "compile_error"]);

const MAY_USE: ReadonlySet<LintCode> = new Set(["compile_error", "unknown_field"]);

const REJECTED: ReadonlySet<LintCode> = new Set(["compile_error", "invalid_field"]);

interface Typed {
  readonly schemas: Schemas;
  readonly problems: readonly LintProblem[];
}

function resourceProblems(
  manifest: Manifest,
  accepted: AcceptedSetUp,
  minors: readonly Minor[],
  vocabulary: Vocabulary,
): LintProblem[] {
  const rules = ruleNodes(schemaNodes(manifest.object)).map(({ rulePath }) => rulePath);
  const isDefinition = accepted.role === "definition";
  return [
    ...servedProblems(manifest, accepted, minors, isDefinition ? rules : []),
    ...serverProblems(manifest, accepted, minors, vocabulary),
    ...differsProblems(manifest, minors, vocabulary),
    ...unknownFieldProblems(manifest, accepted),
    ...(isDefinition ? definitionProblems(manifest) : serverWarnings(manifest, accepted)),
    ...annotationProblems(manifest),
  ];
}

/** Warnings about definitions concern formats, and are placed there. */
function serverWarnings(manifest: Manifest, { warnings }: AcceptedSetUp): LintProblem[] {
  return warnings.map(({ text, path }) => problem("server_warning", manifest, path?.steps ?? [], text));
}

/** Merges problems with the same cause into the first, with the places of the others. */
function byCause(problems: readonly LintProblem[]): LintProblem[] {
  const groups = new Map<unknown, LintProblem[]>();
  const ids = new Map(problems.map(({ manifest }) => [manifest, 0]));
  for (const [i, manifest] of [...ids.keys()].entries()) ids.set(manifest, i);
  for (const lintProblem of problems) {
    const { cause, manifest } = lintProblem;
    const key = cause === undefined ? lintProblem : `${ids.get(manifest)} ${cause}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [lintProblem]);
    else group.push(lintProblem);
  }
  return [...groups.values()].map(([first, ...others]) => {
    if (others.length === 0) return first!;
    const places = others.map(({ manifest, path, offset }) => ({
      message: "also here",
      manifest,
      path,
      ...(offset !== undefined && { offset }),
    }));
    return { ...first!, related: [...(first!.related ?? []), ...places] };
  });
}

/** By resource, and in it by place. Problems repeated by an alias are reported once. */
function inOrder(problems: readonly LintProblem[], resources: readonly Manifest[]): LintProblem[] {
  const order = new Map(resources.map((manifest, i) => [manifest, i]));
  const keyed = problems.map((lintProblem) => ({
    lintProblem,
    at: problemPlace(lintProblem),
    resource: order.get(lintProblem.manifest) ?? 0,
  }));
  keyed.sort(
    (a, b) =>
      a.resource - b.resource || (a.at?.line ?? 0) - (b.at?.line ?? 0) || (a.at?.column ?? 0) - (b.at?.column ?? 0),
  );
  const said = new Set<string>();
  return keyed.flatMap(({ lintProblem, at, resource }) => {
    const key = JSON.stringify([resource, at, lintProblem.code, lintProblem.message]);
    if (at !== undefined && said.has(key)) return [];
    said.add(key);
    return [lintProblem];
  });
}
