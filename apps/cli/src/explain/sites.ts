// Places in the user's files for parts of an explanation: data of the object, the old one or params, and expressions of policies and
// definitions.

import type { DataPath } from "@celadon/cel/explain";
import { nameOf } from "@celadon/kube";
import {
  type Outcome,
  onlyParams,
  type PolicyName,
  type ProblemSource,
  type SimulatedCluster,
} from "@celadon/simulator";
import { type ExplainedPolicyKind, rulePath } from "@celadon/simulator/explain";
import { type Manifest, placeOf } from "@celadon/simulator/manifests";
import type { ShownPlace } from "../output/answer.ts";
import { placeText } from "../output/place-text.ts";
import { speakerPlace } from "../review/expression-places.ts";

/** The manifests behind the variables of expressions: `object`, `oldObject`, `params`. */
export type DataRoots = Readonly<Record<string, Manifest | undefined>>;

export class Sites {
  readonly #policies: Readonly<Record<ExplainedPolicyKind, ReadonlyMap<string, Manifest>>>;
  readonly #definitions: ReadonlyMap<string, Manifest>;
  readonly #certificatePolicies: ReadonlyMap<string, Manifest>;

  readonly #simulated: SimulatedCluster;

  constructor(simulated: SimulatedCluster) {
    this.#simulated = simulated;
    const named = (role: "policy" | "mutatingPolicy" | "definition" | "certificatePolicy"): Map<string, Manifest> =>
      new Map(simulated.manifests(role).map((manifest) => [nameOf(manifest.object), manifest]));
    this.#policies = {
      ValidatingAdmissionPolicy: named("policy"),
      MutatingAdmissionPolicy: named("mutatingPolicy"),
    };
    this.#definitions = named("definition");
    this.#certificatePolicies = named("certificatePolicy");
  }

  /** Undefined for data that no file holds: the request, defaults, computed values. */
  data({ root, path }: DataPath, roots: DataRoots): string | undefined {
    const origin = roots[root]?.origin;
    const found = path.length === 0 ? undefined : origin?.positionOf(path);
    return found && placeText(found);
  }

  /** The file of a params object, when a policy was evaluated with one alone. */
  params(name: PolicyName, outcome: Outcome): Manifest | undefined {
    return onlyParams(this.#simulated, name, outcome);
  }

  policy({ kind, policy }: PolicyName): ShownPlace | undefined {
    const manifest = this.#policies[kind].get(policy);
    return manifest && placeOf(manifest, ["metadata", "name"]);
  }

  speaker(by: ProblemSource): ShownPlace | undefined {
    return speakerPlace(this.#simulated, by);
  }

  certificatePolicy(name: string): ShownPlace | undefined {
    const manifest = this.#certificatePolicies.get(name);
    return manifest && placeOf(manifest, ["metadata", "name"]);
  }

  certificateRule(policy: string, path: readonly (string | number)[]): ShownPlace | undefined {
    return this.#inExpression(this.#certificatePolicies.get(policy), path, 0);
  }

  /** The site of one character of an expression, also inside a block scalar. */
  expression({ kind, policy }: PolicyName, path: readonly (string | number)[], offset = 0): ShownPlace | undefined {
    return this.#inExpression(this.#policies[kind].get(policy), path, offset);
  }

  rule(definition: string, version: string, place: Parameters<typeof rulePath>[1], offset = 0): ShownPlace | undefined {
    const manifest = this.#definitions.get(definition);
    const spec = manifest?.object.spec as { versions?: readonly { name?: string }[] } | undefined;
    const index = spec?.versions?.findIndex(({ name }) => name === version) ?? -1;
    return this.#inExpression(manifest, rulePath(Math.max(index, 0), place), offset);
  }

  #inExpression(
    manifest: Manifest | undefined,
    path: readonly (string | number)[],
    offset: number,
  ): ShownPlace | undefined {
    if (manifest === undefined) return undefined;
    return manifest.origin?.positionIn(path, offset) ?? placeOf(manifest, path);
  }
}
