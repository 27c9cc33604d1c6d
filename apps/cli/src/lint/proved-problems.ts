// The prover's additions to lint: it settles suspected problems of single expressions, and finds validations that contradict or repeat each
// other. Bounded by paths, not by time, so that the same inputs give the same report; unsettled problems stay unchanged.

import { expressionPath } from "@celadon/admission/explain";
import type { ValidatingAdmissionPolicy } from "@celadon/admission/policy";
import { compilePolicy } from "@celadon/admission/steps";
import { gvkOf } from "@celadon/kube";
import { isBuiltinGroup } from "@celadon/kube/types";
import { isWanted, type LintCode, type LintProblem, lintProblem, type Wanted } from "@celadon/lint";
import { type Counterexample, PolicyProver, type ProofAnswer, type Question } from "@celadon/prove";
import type { SimulatedCluster } from "@celadon/simulator";
import type { Manifest } from "@celadon/simulator/manifests";

/** These settle most validations in some milliseconds; `celadon prove` follows many more. */
const LIMITS = { paths: 100, time: 2000 };
/** Policies with more validations are generated, and asking each about all others would be quadratic. */
const MOST_VALIDATIONS = 20;

/** Suspicions about an expression that cannot fail are none. */
const SUSPECTED: ReadonlySet<LintCode> = new Set([
  "unguarded_field",
  "unguarded_key",
  "object_read_on_delete",
  "old_object_read_on_create",
]);

/** Questions beyond the suspected problems. */
export interface ProofOptions {
  readonly wanted: Wanted;
  /** Ask of every validation whether it can fail, always holds, never holds, or repeats the others. */
  readonly everything: boolean;
  readonly pause: () => Promise<void>;
}

/** The number of policies that are checked; more are a library, for which `celadon prove` may take its time. */
const MOST_POLICIES = 100;

/** The problems without those that are disproved, and with those that are proved. */
export async function withProofs(
  problems: readonly LintProblem[],
  simulated: SimulatedCluster,
  { wanted, everything, pause }: ProofOptions,
): Promise<readonly LintProblem[]> {
  const byManifest = new Map<Manifest, LintProblem[]>();
  for (const problem of problems) {
    const list = byManifest.get(problem.manifest);
    if (list === undefined) byManifest.set(problem.manifest, [problem]);
    else list.push(problem);
  }
  const disproved = new Set<LintProblem>();
  const proved: LintProblem[] = [];
  const accepted = simulated
    .manifests("policy")
    .filter(({ object }) => simulated.accepted(object)?.status === undefined);
  for (const manifest of everything ? accepted : accepted.slice(0, MOST_POLICIES)) {
    const resource = simulated.inForce(manifest.object);
    const own = byManifest.get(manifest) ?? [];
    // A policy that is wrong in itself is corrected first.
    if (resource === undefined || own.some(({ level }) => level === "error")) continue;
    const asked = new AskedPolicy(resource as ValidatingAdmissionPolicy, manifest, simulated, pause);
    for await (const found of asked.problems(own, everything)) {
      if ("disproved" in found) disproved.add(found.disproved);
      else if (isWanted(found, wanted)) proved.push(found);
    }
  }
  const kept = problems.filter((problem) => !disproved.has(problem));
  if (proved.length === 0) return kept;
  // Beside the other problems of their policy.
  const place = new Map([...byManifest.keys()].map((manifest, i) => [manifest, i]));
  const last = place.size;
  return [...kept, ...proved].sort((a, b) => (place.get(a.manifest) ?? last) - (place.get(b.manifest) ?? last));
}

class AskedPolicy {
  readonly #manifest: Manifest;
  readonly #prover: PolicyProver;
  readonly #count: number;
  readonly #pause: () => Promise<void>;
  readonly #simulated: SimulatedCluster;

  constructor(
    resource: ValidatingAdmissionPolicy,
    manifest: Manifest,
    simulated: SimulatedCluster,
    pause: () => Promise<void>,
  ) {
    const policy = compilePolicy(resource);
    this.#manifest = manifest;
    this.#count = policy.validations.length;
    this.#prover = new PolicyProver(policy, simulated, { limits: LIMITS });
    this.#pause = pause;
    this.#simulated = simulated;
  }

  async *problems(
    own: readonly LintProblem[],
    everything: boolean,
  ): AsyncIterable<LintProblem | { readonly disproved: LintProblem }> {
    let [allowsAll, deniesAll] = [false, false];
    for (let index = 0; index < this.#count; index++) {
      const path = expressionPath("validation", index).join();
      const here = own.filter((problem) => problem.path.join() === path);
      const suspected = here.filter(({ code }) => SUSPECTED.has(code));
      if (suspected.length === 0 && !everything) continue;
      const fails = await this.#ask("never-errors", index);
      if (isProved(fails)) for (const disproved of suspected) yield { disproved };
      if (!everything) continue;
      if (fails.is === "counterexample" && here.length === 0 && this.#isKnown(fails.counterexample)) {
        yield this.#failing(index, fails);
      }
      if (here.length > 0) continue;
      const holds = isProved(await this.#ask("always", index));
      if (holds) yield this.#problem("validation_denies_nothing", index);
      const denies = !holds && isProved(await this.#ask("never", index));
      if (denies) yield this.#problem("validation_denies_everything", index);
      allowsAll ||= holds;
      deniesAll ||= denies;
    }
    if (deniesAll || this.#count < 2 || this.#count > MOST_VALIDATIONS) return;
    const isClean = !own.some(({ level, path }) => level !== "note" && path.includes("validations"));
    yield* this.#together(everything && isClean && !allowsAll);
  }

  /** Problems of all validations at once. A warning about one of them hides no contradiction between others. */
  async *#together(asksRedundant: boolean): AsyncIterable<LintProblem> {
    await this.#pause();
    if (isProved(await this.#answer(() => this.#prover.contradicts())) && !(await this.#deniesAlone())) {
      const message = "no request passes all validations: together they deny everything that the policy matches";
      yield lintProblem("validations_contradict", this.#manifest, ["spec", "validations"], message);
      return;
    }
    if (!asksRedundant) return;
    for (let index = 0; index < this.#count; index++) {
      await this.#pause();
      if (!isProved(await this.#answer(() => this.#prover.isImplied(index)))) continue;
      yield this.#problem("redundant_validation", index);
      return;
    }
  }

  /** A validation that denies everything, as `false` does, contradicts nothing: it is meant. */
  async #deniesAlone(): Promise<boolean> {
    for (let index = 0; index < this.#count; index++) if (isProved(await this.#ask("never", index))) return true;
    return false;
  }

  /** Without a schema anything may be missing, which proves nothing. */
  #isKnown({ object, oldObject }: Counterexample): boolean {
    const shown = object ?? oldObject;
    if (!shown) return false;
    const { group, kind } = gvkOf(shown);
    return isBuiltinGroup(group) || this.#simulated.typeOf(group, kind) !== undefined;
  }

  async #ask(question: Question, index: number): Promise<ProofAnswer> {
    await this.#pause();
    return this.#answer(() => this.#prover.ask(question, index));
  }

  /** A binding of an odd shape, which the API server rejects, may have no answer. */
  async #answer(ask: () => Promise<ProofAnswer>): Promise<ProofAnswer> {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      return { is: "unknown", because: [error.message] };
    }
  }

  #failing(index: number, answer: ProofAnswer & { readonly is: "counterexample" }): LintProblem {
    const { counterexample } = answer;
    const kind = (counterexample.object ?? counterexample.oldObject)?.kind ?? "object";
    const message = `evaluation fails for some requests: ${counterexample.operation} of a ${kind}`;
    const help = "`celadon prove` shows such a request";
    return lintProblem("evaluation_fails", this.#manifest, expressionPath("validation", index), message, { help });
  }

  #problem(code: keyof typeof SAYS, index: number): LintProblem {
    return lintProblem(code, this.#manifest, expressionPath("validation", index), SAYS[code]);
  }
}

const SAYS = {
  validation_denies_nothing: "every request that the policy matches passes the validation, so it denies nothing",
  validation_denies_everything: "no request passes the validation, so the policy denies everything that it matches",
  redundant_validation: "the other validations deny everything that this one denies",
} as const;

/** An expression that no request reaches is a problem of the rules. */
function isProved(answer: ProofAnswer): boolean {
  return answer.is === "proved" && answer.reachesNothing !== true;
}
