// What expressions cost on the objects of the inputs: every one is asked about as `check` does, and every evaluation is watched.

import { type EvaluationObserver, type ExpressionPlace, expressionList, expressionPath } from "@celadon/admission";
import type { JsonPath } from "@celadon/base";
import type { RuleObserver as CertificateObserver } from "@celadon/certpolicy";
import type { ResourceVersion, RuleObserver } from "@celadon/crd";
import { type Outcome, rulePath, type World } from "@celadon/simulator";
import { ask } from "../check/check-all.ts";
import type { Asked } from "../check/subjects.ts";
import { requestSubject } from "../outcome/names.ts";
import type { Subject } from "../output/answer.ts";
import type { Measured } from "./row.ts";

/** Costs by resource and place; `totalKey` for groups. */
export class Measurements {
  readonly #costs = new Map<string, { cost: number; subject: Subject }[]>();

  add(key: string, cost: number, subject: Subject): void {
    const known = this.#costs.get(key);
    if (known === undefined) this.#costs.set(key, [{ cost, subject }]);
    else known.push({ cost, subject });
  }

  of(kind: string, name: string, path: JsonPath): Measured | undefined {
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

export function keyOf(kind: string, name: string, path: JsonPath): string {
  return JSON.stringify([kind, name, ...path]);
}

export interface MeasureOptions {
  readonly signal: AbortSignal;
  onProgress?(done: number, all: number): void;
}

const PAUSE_EVERY = 64;

export async function measure(
  world: World,
  asked: readonly Asked[],
  { signal, onProgress }: MeasureOptions,
): Promise<Measurements> {
  const measurements = new Measurements();
  for (const [i, one] of asked.entries()) {
    const watch = new CostWatch();
    const outcome = await ask(world, one, {
      observer: watch,
      ruleObserver: (version) => watch.rules(version),
      certificateObserver: watch.certificates(),
    });
    record(measurements, watch, outcome);
    if (i % PAUSE_EVERY === PAUSE_EVERY - 1) {
      onProgress?.(i + 1, asked.length);
      await new Promise((resolve) => setImmediate(resolve));
      signal.throwIfAborted();
    }
  }
  return measurements;
}

function record(measurements: Measurements, watch: CostWatch, { request, policies }: Outcome): void {
  const subject = requestSubject(request);
  for (const { key, cost } of watch.seen) measurements.add(key, cost, subject);
  for (const [key, cost] of watch.sums) measurements.add(key, cost, subject);
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

/** Watches one request. */
class CostWatch implements EvaluationObserver {
  readonly seen: { key: string; cost: number }[] = [];
  /** Of groups whose sum nobody else tells: webhooks' conditions, rules of an object. */
  readonly sums = new Map<string, number>();
  #begun = 0;

  recorder(): undefined {
    return undefined;
  }

  discard(): void {
    // What is begun again has not been told yet.
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
    const index = type.definition.spec.versions?.findIndex((one) => one.name === version.name) ?? 0;
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
