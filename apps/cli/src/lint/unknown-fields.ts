// Fields that a kind does not have, with the one that was probably meant; and those that only a proposal has.

import { GATES, type GateName, gatedFields } from "@celadon/admission/proposals";
import { POLICY_DEFINITION } from "@celadon/certpolicy";
import { gvkOf, type KubeObject, readCustomResource, type Schema } from "@celadon/kube";
import { builtinSchema } from "@celadon/kube/builtin";
import { fieldPathIn, type Manifest } from "@celadon/simulator";
import { nearest } from "../args/nearest.ts";
import type { Judged } from "./judge.ts";
import { type LintProblem, type Path, problem } from "./problem.ts";

export function unknownFieldProblems(manifest: Manifest, judged: Judged): LintProblem[] {
  const { object } = manifest;
  const gated = new Map(gatedFieldsOf(object, judged).map(({ field, gate }) => [field, gate]));
  const unknown = judged.unknownFields
    .filter((field) => !gated.has(field))
    .map((field) => {
      const path = fieldPathIn(field, object);
      return problem("unknown_field", manifest, path, `there is no field "${field}"`, {
        key: true,
        help: fieldHelp(object, judged, path),
      });
    });
  const proposed = [...gated].map(([field, gate]) => {
    const message = `a cluster does not know "${field}": it belongs to a proposal (${GATES[gate]})`;
    const help = `remove it, or use it with Celadon alone and its gate ${gate}`;
    return problem("proposed_field", manifest, fieldPathIn(field, object), message, { key: true, help });
  });
  return [...unknown, ...proposed];
}

/** Looked for in what was written: what was read has them no more. */
function gatedFieldsOf(object: KubeObject, judged: Judged): readonly { field: string; gate: GateName }[] {
  const unknown = new Set(judged.unknownFields);
  if (judged.role !== "policy" && judged.role !== "binding") return [];
  const { resource } = judged;
  if (resource === undefined) return [];
  const written = { kind: resource.kind, metadata: {}, spec: object.spec ?? {} } as unknown as typeof resource;
  return gatedFields(written).filter(({ field }) => unknown.has(field));
}

function fieldHelp(object: KubeObject, judged: Judged, path: Path): string | undefined {
  const name = String(path.at(-1) ?? "");
  const holder = schemaAt(schemaOf(object, judged), path.slice(0, -1));
  const names = [...(holder?.properties?.keys() ?? [])];
  const same = names.find((one) => one.toLowerCase() === name.toLowerCase());
  const guess = same ?? nearest(name, names);
  if (guess !== undefined) return `did you mean "${guess}"?`;
  const above = schemaAt(schemaOf(object, judged), path.slice(0, -2))?.properties?.has(name) === true;
  return above ? `it belongs one level up, beside "${String(path.at(-2))}"` : undefined;
}

function schemaOf(object: KubeObject, { role }: Judged): Schema | undefined {
  if (role === "certificatePolicy") {
    const read = readCustomResource(POLICY_DEFINITION);
    return "versions" in read ? read.versions[0]?.schema : undefined;
  }
  return builtinSchema({ ...gvkOf(object), version: "v1" });
}

/** The schema of a field, by its path in an object. */
export function schemaAt(schema: Schema | undefined, path: Path): Schema | undefined {
  let found = schema;
  for (const step of path) {
    if (found === undefined) return undefined;
    const { additionalProperties } = found;
    found =
      typeof step === "number"
        ? found.items
        : (found.properties?.get(step) ??
          (typeof additionalProperties === "object" ? additionalProperties : undefined));
  }
  return found;
}
