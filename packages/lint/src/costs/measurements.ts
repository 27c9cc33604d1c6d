// Costs of expressions while requests are decided: an observer for one request, and the costs of many by resource and place.

import {
  type EvaluationObserver,
  type ExpressionPlace,
  expressionList,
  expressionPath,
} from "@celadon/admission/explain";
import type { JsonPath } from "@celadon/base";
import type { CertificateRuleObserver as CertificateObserver } from "@celadon/certpolicy";
import type { ResourceVersion } from "@celadon/crd";
import type { RuleObserver } from "@celadon/crd/rules";
import type { Outcome } from "@celadon/simulator";
import { rulePath } from "@celadon/simulator/explain";
import type { Measured } from "./cost-row.ts";

/** Costs by resource and place, of expressions and of groups. `S` is how objects are named. */
export class Measurements<S> {
  readonly #costs = new Map<string, { cost: number; subject: S }[]>();

  add(key: string, cost: number, subject: S): void {
    const known = this.#costs.get(key);
    if (known === undefined) this.#costs.set(key, [{ cost, subject }]);
    else known.push({ cost, subject });
  }

  of(kind: string, name: string, path: JsonPath): Measured<S> | undefined {
    const found = this.#costs.get(keyOf(kind, name, path));
    if (found === undefined) return undefined;
    const sorted = found.toSorted((a, b) => a.cost - b.cost);
    const { cost: max, subject: worst } = sorted.at(-1)!;
    const middle = sorted.length >> 1;
    const median =
      sorted.length % 2 === 1 ? sorted[middle]!.cost : (sorted[middle - 1]!.cost + sorted[middle]!.cost) / 2;
    return { max, median, evaluations: sorted.length, worst };
  }
}

function keyOf(kind: string, name: string, path: JsonPath): string {
  return JSON.stringify([kind, name, ...path]);
}

function record<S>(measurements: Measurements<S>, watch: CostWatch, { policies, mutated }: Outcome, subject: S): void {
  for (const { key, cost } of watch.seen) measurements.add(key, cost, subject);
  for (const [key, cost] of watch.sums) measurements.add(key, cost, subject);
  recordMutations(measurements, mutated, subject);
  for (const policy of policies.verdicts.policies) {
    if (policy.outcome !== "matched") continue;
    for (const binding of policy.bindings) {
      if (binding.outcome !== "evaluated") continue;
      for (const { costs } of binding.evaluations) {
        for (const [group, cost] of Object.entries(costs)) {
          if (cost === 0) continue;
          measurements.add(keyOf("ValidatingAdmissionPolicy", policy.policy.name, ["spec", group]), cost, subject);
        }
      }
    }
  }
}

/** Every mutation has its own budget, and match conditions another. */
function recordMutations<S>(measurements: Measurements<S>, { passes }: Outcome["mutated"], subject: S): void {
  for (const { policy, conditionsCost, mutations } of passes.flatMap((pass) => pass.policies.invocations)) {
    const add = (path: JsonPath, cost: number): void => {
      if (cost > 0) measurements.add(keyOf("MutatingAdmissionPolicy", policy.name, path), cost, subject);
    };
    add(["spec", "matchConditions"], conditionsCost);
    for (const { index, cost } of mutations) add(["spec", "mutations", index], cost);
  }
}

/** Watches one request. */
export class CostWatch implements EvaluationObserver {
  readonly seen: { key: string; cost: number }[] = [];
  /** The sums of groups that are not reported elsewhere: webhooks' conditions, rules of an object. */
  readonly sums: Map<string, number> = new Map();
  #begun = 0;

  /** Adds evaluations, and the outcome's sums of groups. */
  record<S>(measurements: Measurements<S>, outcome: Outcome, subject: S): void {
    record(measurements, this, outcome, subject);
  }

  recorder(): undefined {
    return undefined;
  }

  discard(): void {
    // An evaluation that starts again has not been recorded yet.
  }

  begin(): void {
    this.#begun = this.seen.length;
  }

  restart(): void {
    this.seen.length = this.#begun;
  }

  result({ owner, kind, index }: ExpressionPlace, _: unknown, __: unknown, ___: unknown, cost: number): void {
    const { webhook } = owner;
    this.seen.push({ key: keyOf(owner.kind, owner.name, expressionPath(kind, index, webhook)), cost });
    if (webhook === undefined) return;
    this.#sum(keyOf(owner.kind, owner.name, ["webhooks", webhook.index, expressionList(kind)]), cost);
  }

  rules(version: ResourceVersion): RuleObserver {
    const { type } = version;
    const name = `${type.plural}.${type.group}`;
    const index =
      type.definition.spec.versions?.findIndex((definitionVersion) => definitionVersion.name === version.name) ?? 0;
    const whole = keyOf("CustomResourceDefinition", name, ["spec", "versions", index]);
    return {
      recorder: () => undefined,
      result: (place, _rule, _value, _error, cost) => {
        this.seen.push({ key: keyOf("CustomResourceDefinition", name, rulePath(index, place)), cost });
        this.#sum(whole, cost);
      },
    };
  }

  certificates(): CertificateObserver {
    return {
      recorder: () => undefined,
      result: ({ policy, path }, _rule, _value, _error, cost) => {
        this.seen.push({ key: keyOf("CertificateRequestPolicy", policy, [...path, "rule"]), cost });
      },
    };
  }

  #sum(key: string, cost: number): void {
    this.sums.set(key, (this.sums.get(key) ?? 0) + cost);
  }
}
