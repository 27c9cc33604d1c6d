// Advice that makes rules of a definition cheap enough: the fields whose size counts, and sufficient limits.

import type { JsonPath } from "@celadon/base";
import { type CostExplanation, explainCosts } from "@celadon/crd/rules";
import { type FieldPath, fieldPath } from "@celadon/kube/errors";
import type { AcceptedSetUp } from "@celadon/simulator";
import type { Manifest } from "@celadon/simulator/manifests";
import type { LintProblem } from "../problem.ts";

/** Fields named in one answer: the largest. */
const SHOWN = 3;

/** The message about a text that no field limits, such as a duration. */
const WITHOUT_LIMIT = "it includes a string without a size limit; remove that, or use message";

/** Advice for bringing the cost of an expression down. */
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
      return this.#explained.size > 0 ? { help: "first fix the rules that exceed their own limit" } : {};
    const related = noted(found).map(({ path: field, message }) => ({
      message,
      manifest: this.#manifest,
      path: field.steps,
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
    return new Map(all.map((explanation) => [JSON.stringify(explanation.path.steps), explanation]));
  }
}

/** Fields to point at: those with a suggested limit, else the largest. */
function noted({
  suggested,
  unbounded,
  bounded,
}: CostExplanation): readonly { readonly path: FieldPath; readonly message: string }[] {
  if (suggested.length > 0) {
    return suggested.slice(0, SHOWN).map(({ path, keyword, limit }) => ({
      path,
      message: `${fieldName(path.steps)} has no ${keyword}; ${limit} would fit`,
    }));
  }
  return [...unbounded, ...bounded].slice(0, SHOWN).map(({ path, keyword, largest }) => {
    const name = fieldName(path.steps);
    const message =
      largest === undefined
        ? `${name} contributes to the cost; ${keyword} alone is not enough`
        : `${keyword}: ${largest} on ${name} would fit`;
    return { path, message };
  });
}

function helpText({ suggested, unbounded, bounded, together }: CostExplanation): string | undefined {
  if (suggested.length > 0) {
    const limits = suggested.map(({ keyword, limit, path }) => `${keyword}: ${limit} on ${fieldName(path.steps)}`);
    return `set ${limits.join(", ")}`;
  }
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
