// What would make rules of a definition cheap enough: the fields whose size counts, and the limits that would do.

import type { JsonPath } from "@celadon/base";
import { type CostExplanation, explainCosts, type UnboundedField } from "@celadon/crd";
import { fieldPath } from "@celadon/kube";
import type { AcceptedSetUp, Manifest } from "@celadon/simulator";
import type { LintProblem } from "./problem.ts";

/** Fields named in one answer: those that count most. */
const SHOWN = 3;

/** Of a message with a text that no field limits, such as that of a duration. */
const WITHOUT_LIMIT = "it shows a text that cannot be limited: leave that out, or use message";

export class CostHelp {
  readonly #manifest: Manifest;
  readonly #accepted: AcceptedSetUp;
  /** By the expression's path, as JSON. */
  #explained: ReadonlyMap<string, CostExplanation> | undefined;

  constructor(manifest: Manifest, accepted: AcceptedSetUp) {
    this.#manifest = manifest;
    this.#accepted = accepted;
  }

  /** For an expression, or for a schema as a whole, by its path in the definition. */
  of(path: JsonPath): Pick<LintProblem, "help" | "related"> {
    this.#explained ??= this.#explain();
    const found = this.#explained.get(JSON.stringify(path));
    // The sum is over its limit too when one rule is.
    if (found === undefined)
      return this.#explained.size > 0 ? { help: "limit the rules that exceed their own budget first" } : {};
    const fields = [...found.unbounded, ...found.bounded];
    const related = fields.slice(0, SHOWN).map((one) => ({
      message: boundText(one),
      manifest: this.#manifest,
      path: one.path.steps,
    }));
    const help = helpText(found) ?? (path.at(-1) === "messageExpression" ? WITHOUT_LIMIT : undefined);
    return { related, ...(help !== undefined && { help }) };
  }

  #explain(): ReadonlyMap<string, CostExplanation> {
    if (this.#accepted.role !== "definition") return new Map();
    const versions = this.#accepted.resource?.spec.versions ?? [];
    const all = versions.flatMap(({ schema }, i) => {
      const path = fieldPath("spec", "versions").index(i).child("schema", "openAPIV3Schema");
      return schema?.openAPIV3Schema ? explainCosts(schema.openAPIV3Schema, path) : [];
    });
    return new Map(all.map((one) => [JSON.stringify(one.path.steps), one]));
  }
}

function boundText({ path, keyword, largest }: UnboundedField): string {
  const name = fieldName(path.steps);
  if (largest === undefined) return `${name} counts too: ${keyword} alone is not enough`;
  return `${keyword}: ${largest} on ${name} would fit`;
}

function helpText({ unbounded, bounded, together }: CostExplanation): string | undefined {
  const alone = [...unbounded, ...bounded].find(({ largest }) => largest !== undefined);
  if (alone !== undefined) return `set ${alone.keyword}: ${alone.largest} or less on ${fieldName(alone.path.steps)}`;
  if (together === undefined || unbounded.length === 0) return undefined;
  const each = unbounded.map(({ keyword, path }) => `${keyword} on ${fieldName(path.steps)}`).join(", ");
  return `set all of these to ${together} or less: ${each}`;
}

/** `spec.list[*]` for the schema of a field, by its path in the definition: how its users write it. */
export function fieldName(schemaPath: JsonPath): string {
  const inside = schemaPath.slice(schemaPath.indexOf("openAPIV3Schema") + 1);
  let name = "";
  for (let i = 0; i < inside.length; i++) {
    const step = inside[i];
    if (step === "properties") name += `${name === "" ? "" : "."}${inside[++i]}`;
    else if (step === "items") name += "[*]";
    else if (step === "additionalProperties") name += "{*}";
  }
  return name === "" ? "self" : name;
}
