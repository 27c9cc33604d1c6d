// What would make rules of a definition cheap enough: the fields whose size counts, and the limits that would do.

import { type CostExplanation, explainCosts, type UnboundedField } from "@celadon/crd";
import { fieldPath } from "@celadon/kube";
import { fieldPathIn, type Manifest } from "@celadon/simulator";
import type { Judged } from "./judge.ts";
import type { LintProblem } from "./problem.ts";

/** Fields named in one answer: those that count most. */
const SHOWN = 3;

/** Of a message with a text that no field limits, such as that of a duration. */
const WITHOUT_LIMIT = "it shows a text that cannot be limited: leave that out, or use message";

export class CostHelp {
  readonly #manifest: Manifest;
  readonly #judged: Judged;
  #explained: ReadonlyMap<string, CostExplanation> | undefined;

  constructor(manifest: Manifest, judged: Judged) {
    this.#manifest = manifest;
    this.#judged = judged;
  }

  /** For an expression, or for a schema as a whole, by its path as it is written. */
  of(field: string): Pick<LintProblem, "help" | "related"> {
    this.#explained ??= this.#explain();
    const found = this.#explained.get(field);
    // The sum is over its limit too when one rule is.
    if (found === undefined)
      return this.#explained.size > 0 ? { help: "limit the rules that exceed their own budget first" } : {};
    const fields = [...found.unbounded, ...found.bounded];
    const related = fields.slice(0, SHOWN).map((one) => ({
      message: boundText(one),
      manifest: this.#manifest,
      path: fieldPathIn(one.path, this.#manifest.object),
    }));
    const help = helpText(found) ?? (field.endsWith(".messageExpression") ? WITHOUT_LIMIT : undefined);
    return { related, ...(help !== undefined && { help }) };
  }

  #explain(): ReadonlyMap<string, CostExplanation> {
    if (this.#judged.role !== "definition") return new Map();
    const versions = this.#judged.resource?.spec.versions ?? [];
    const all = versions.flatMap(({ schema }, i) => {
      const path = fieldPath("spec", "versions").index(i).child("schema", "openAPIV3Schema");
      return schema?.openAPIV3Schema ? explainCosts(schema.openAPIV3Schema, path) : [];
    });
    return new Map(all.map((one) => [one.path, one]));
  }
}

export function boundText({ path, keyword, largest }: UnboundedField): string {
  const name = fieldName(path);
  if (largest === undefined) return `${name} counts too: ${keyword} alone is not enough`;
  return `${keyword}: ${largest} on ${name} would fit`;
}

export function helpText({ unbounded, bounded, together }: CostExplanation): string | undefined {
  const alone = [...unbounded, ...bounded].find(({ largest }) => largest !== undefined);
  if (alone !== undefined) return `set ${alone.keyword}: ${alone.largest} or less on ${fieldName(alone.path)}`;
  if (together === undefined || unbounded.length === 0) return undefined;
  const each = unbounded.map(({ keyword, path }) => `${keyword} on ${fieldName(path)}`).join(", ");
  return `set all of these to ${together} or less: ${each}`;
}

/** `spec.list[*]` for the schema of a field: how its users write it. */
export function fieldName(schemaPath: string): string {
  const inside = schemaPath.replace(/^.*?openAPIV3Schema/, "");
  const name = inside
    .replaceAll(/\.properties\[([^\]]*)\]/g, ".$1")
    .replaceAll(/\.items(?=$|\.)/g, "[*]")
    .replaceAll(/\.additionalProperties(?=$|\.)/g, "{*}")
    .replace(/^\./, "");
  return name === "" ? "self" : name;
}
