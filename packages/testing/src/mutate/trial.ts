// Suites made ready to be run against mutants: their simulated clusters, the results of each case without a change, and so the cases that
// can detect a change of a resource. Mutants share everything with the suite's own simulated clusters that they do not change.

import { memberOf } from "@celadon/base";
import { nameOf } from "@celadon/kube";
import { appliedOf, mutatingApplied, type Outcome } from "@celadon/simulator";
import { type Manifest, roleOf } from "@celadon/simulator/manifests";
import { type CaseRun, runCase } from "../suite/run-suite.ts";
import { SimulatedClusters } from "../suite/simulated-clusters.ts";
import type { Case, Suite } from "../suite/suite.ts";
import { applyEdit } from "./edit.ts";
import { mutatedIn, type PlannedMutant, resourceKey } from "./plan.ts";

/** The fate of a change, and the case that decided it. */
export type Fate =
  | { readonly outcome: "killed"; readonly suite: string; readonly case: string }
  | { readonly outcome: "survived" }
  /** The API server would not take it. */
  | { readonly outcome: "refused" };

interface Signal {
  readonly aborted: boolean;
}

export class SuiteTrial {
  readonly suite: Suite;
  readonly clusters: SimulatedClusters;
  readonly #resources: ReadonlyMap<string, Manifest>;
  readonly #outcomes: readonly (Outcome | undefined)[];
  readonly #concerned = new Map<string, readonly Case[]>();

  private constructor(suite: Suite, clusters: SimulatedClusters, outcomes: readonly (Outcome | undefined)[]) {
    this.suite = suite;
    this.clusters = clusters;
    this.#outcomes = outcomes;
    this.#resources = new Map(mutatedIn(suite).map((manifest) => [resourceKey(manifest, suite), manifest]));
  }

  /** Cases that do not pass as things are can tell nothing, and are left out. `only` chooses among the cases. */
  static async of(all: Suite, only: (testCase: Case) => boolean = () => true): Promise<SuiteTrial> {
    // A proof about each mutant would take too long.
    const suite = { ...all, cases: all.cases.filter(({ proof }) => proof === undefined) };
    const clusters = new SimulatedClusters(suite);
    const outcomes: (Outcome | undefined)[] = [];
    for (const testCase of suite.cases) {
      const run: CaseRun | undefined = only(testCase) ? await runCase(testCase, clusters.of(testCase)) : undefined;
      outcomes.push(run?.result === "pass" ? run.outcome : undefined);
    }
    return new SuiteTrial(suite, clusters, outcomes);
  }

  resource(key: string): Manifest | undefined {
    return this.#resources.get(key);
  }

  /** Simulated clusters in which the change was made; undefined when the API server refuses it, or the suite has not the resource. */
  changed({ key, edit }: PlannedMutant): SimulatedClusters | undefined {
    const manifest = this.#resources.get(key);
    if (manifest === undefined) return undefined;
    const { base } = this.clusters;
    const object = applyEdit(manifest.object, edit);
    if (object !== undefined && base.inForce(object) === undefined) return undefined;
    const changed = object && { ...manifest, object };
    const inBase = this.suite.resources.includes(manifest);
    const simulated = !inBase ? base : base.with(changed ? { put: [changed] } : { remove: [manifest.object] });
    const replace = (manifests: readonly Manifest[]): readonly Manifest[] =>
      manifests.flatMap((item) => (item !== manifest ? [item] : (changed ?? [])));
    return new SimulatedClusters(this.suite, replace, simulated);
  }

  /** The cases that may notice a change of a resource, the likeliest first. */
  casesFor({ key, edit }: PlannedMutant): readonly Case[] {
    const inside = isInside(edit.path);
    const name = `${inside}${key}`;
    let cases = this.#concerned.get(name);
    if (cases === undefined) this.#concerned.set(name, (cases = this.#casesFor(this.#resources.get(key), inside)));
    return cases;
  }

  #casesFor(manifest: Manifest | undefined, inside: boolean): readonly Case[] {
    if (manifest === undefined) return [];
    const likely: Case[] = [];
    const others: Case[] = [];
    for (const [i, testCase] of this.suite.cases.entries()) {
      const outcome = this.#outcomes[i];
      if (outcome === undefined || !this.clusters.of(testCase).manifests(roleOf(manifest.object)).includes(manifest))
        continue;
      const concern = concernOf(manifest, outcome, inside);
      if (concern === "likely") likely.push(testCase);
      else if (concern === "possible") others.push(testCase);
    }
    return [...likely, ...others];
  }

  /** Undefined when no case of the suite notices. */
  async fate(mutant: PlannedMutant, signal?: Signal): Promise<Fate | undefined> {
    const clusters = this.changed(mutant);
    if (clusters === undefined) return this.resource(mutant.key) ? { outcome: "refused" } : undefined;
    for (const testCase of this.casesFor(mutant)) {
      const { result } = await runCase(testCase, clusters.of(testCase), signal ? { signal } : {});
      if (result !== "pass") return { outcome: "killed", suite: this.suite.name, case: testCase.name };
    }
    return undefined;
  }
}

/** A part of a policy that is only evaluated after the policy matched. */
function isInside([, list]: readonly (string | number)[]): boolean {
  return list === "validations" || list === "mutations" || list === "variables" || list === "auditAnnotations";
}

function concernOf({ object }: Manifest, outcome: Outcome, inside: boolean): "likely" | "possible" | "none" {
  const { policies, mutated, request, certificate } = outcome;
  switch (roleOf(object)) {
    case "policy":
    case "binding": {
      const spec = object.spec as { policyName?: unknown } | undefined;
      const name = roleOf(object) === "policy" ? nameOf(object) : spec?.policyName;
      const own = policies.verdicts.policies.find(({ policy }) => policy.name === name);
      if (own !== undefined && appliedOf(own).applied) return "likely";
      return inside && roleOf(object) === "policy" ? "none" : "possible";
    }
    case "mutatingPolicy":
    case "mutatingBinding": {
      const isPolicy = roleOf(object) === "mutatingPolicy";
      const name = isPolicy ? nameOf(object) : String(memberOf(object.spec, "policyName"));
      const applied = mutatingApplied(mutated).get(name)?.applied === true;
      return applied ? "likely" : inside && isPolicy ? "none" : "possible";
    }
    case "definition": {
      const { group, names } = object.spec as { group?: unknown; names?: { kind?: unknown } };
      return request.kind.group === group && request.kind.kind === names?.kind ? "likely" : "none";
    }
    case "certificatePolicy":
      return certificate === undefined ? "none" : "likely";
    default:
      return "possible";
  }
}
