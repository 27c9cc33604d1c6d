// Evaluates the rules of a custom resource for one input.

import type { JsonObject } from "@celadon/base";
import { type CelError, isError, type Recorder, type Value } from "@celadon/cel";
import { type ResourceVersion, ValueValidator } from "@celadon/crd";
import type { CompiledRule, RuleObserver, RulePlace } from "@celadon/crd/rules";
import { decodeWrite, type FinishedWrite, finishWrite } from "@celadon/crd/write";
import { failureOf, overBudget, type Tried } from "./failure.ts";
import type { FuzzedExpression } from "./finding.ts";
import type { Input } from "./inputs.ts";

/** Objects as the server would have them when rules have run; undefined where the schema refuses one. */
export class Decoder {
  readonly #version: ResourceVersion;
  readonly #values: ValueValidator;

  constructor(version: ResourceVersion) {
    this.#version = version;
    this.#values = new ValueValidator(version.schema ?? {});
  }

  /** A stored object. */
  stored(object: unknown): JsonObject | undefined {
    const decoded = decodeWrite({ version: this.#version }, object).object;
    return decoded && this.#values.validate(decoded).length === 0 ? decoded : undefined;
  }

  written(object: unknown, old: JsonObject | undefined, observer?: RuleObserver): FinishedWrite | undefined {
    const write = { version: this.#version, old };
    const decoded = decodeWrite(write, object).object;
    const finished = decoded && finishWrite(write, decoded, observer && { observer });
    return finished && this.#values.validate(finished.object).length === 0 ? finished : undefined;
  }
}

/** Undefined for objects that the schema refuses. */
export function ruleFailures(
  version: ResourceVersion,
  decoder: Decoder,
  { operation, object, oldObject }: Input,
): Tried | undefined {
  if (operation === "DELETE") return { failures: [], cost: 0 };
  const seen: { place: RulePlace; rule: CompiledRule; value: Value | CelError | undefined; cost: number }[] = [];
  const observer = {
    recorder: (): Recorder | undefined => undefined,
    result: (
      place: RulePlace,
      rule: CompiledRule,
      value: Value | CelError | undefined,
      _: string | undefined,
      cost: number,
    ): void => {
      seen.push({ place, rule, value, cost });
    },
  };
  const old = operation === "UPDATE" ? decoder.stored(oldObject) : undefined;
  if (operation === "UPDATE" && old === undefined) return undefined;
  const written = decoder.written(object, old, observer);
  if (written === undefined) return undefined;
  const found = seen.flatMap(({ place, rule, value, cost }) => {
    const program = place.kind === "rule" ? rule.program : rule.message;
    if (!isError(value) || program === undefined || value.code === "interrupted") return [];
    return [failureOf(described(version, place, rule), program, value, cost)];
  });
  const budget = written.errors.find(({ rule }) => rule?.outcome === "budget");
  const last = seen.at(-1);
  // One that alone costs more than it may is a separate failure.
  const alone = isError(last?.value) && last.value.code === "cost_limit";
  if (budget !== undefined && last !== undefined && !alone)
    found.push(overBudget(described(version, last.place, last.rule), last.cost, budget.detail));
  return { failures: found, cost: seen.reduce((sum, { cost }) => sum + cost, 0) };
}

function described(
  { name: version }: ResourceVersion,
  { kind, index, schemaPath }: RulePlace,
  { rule }: CompiledRule,
): FuzzedExpression {
  return { kind, index, text: kind === "rule" ? rule.rule : (rule.messageExpression ?? ""), version, schemaPath };
}
