// One input asked of the rules of a custom resource.

import { type CelError, isError, type Recorder, type Value } from "@celadon/cel";
import {
  type CompiledRule,
  type JsonObject,
  prepareCreate,
  prepareUpdate,
  type ResourceVersion,
  type RulePlace,
  ValueValidator,
} from "@celadon/crd";
import { failureOf, overBudget, type Tried } from "./failure.ts";
import type { FuzzedExpression } from "./finding.ts";
import type { Input } from "./inputs.ts";

const OUT_OF_BUDGET = "running out of cost budget";

/** Objects as the server would have them before rules run; undefined where the schema refuses one. */
export class Decoder {
  readonly #version: ResourceVersion;
  readonly #values: ValueValidator;

  constructor(version: ResourceVersion) {
    this.#version = version;
    this.#values = new ValueValidator(version.schema ?? {});
  }

  created(object: unknown): JsonObject | undefined {
    const decoded = this.#decode(object);
    return decoded && this.#fine(prepareCreate(this.#version, decoded));
  }

  stored(object: unknown): JsonObject | undefined {
    const decoded = this.#decode(object);
    return decoded && this.#fine(decoded);
  }

  updated(object: unknown, old: JsonObject): JsonObject | undefined {
    const decoded = this.#decode(object);
    return decoded && this.#fine(prepareUpdate(this.#version, decoded, old));
  }

  #decode(object: unknown): JsonObject | undefined {
    const decoded = this.#version.decode(object as JsonObject);
    return "unknown" in decoded ? decoded.object : undefined;
  }

  #fine(object: JsonObject): JsonObject | undefined {
    return this.#values.validate(object).length === 0 ? object : undefined;
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
  const now = old === undefined ? decoder.created(object) : decoder.updated(object, old);
  if (now === undefined) return undefined;
  const { errors } =
    old === undefined ? version.validateCreate(now, { observer }) : version.validateUpdate(now, old, { observer });
  const found = seen.flatMap(({ place, rule, value, cost }) => {
    const program = place.kind === "rule" ? rule.program : rule.message;
    if (!isError(value) || program === undefined || value.code === "interrupted") return [];
    return [failureOf(described(version, place, rule), program, value, cost)];
  });
  const budget = errors.find(({ detail }) => detail.includes(OUT_OF_BUDGET));
  const last = seen.at(-1);
  if (budget !== undefined && last !== undefined)
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
