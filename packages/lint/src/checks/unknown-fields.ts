// Unknown fields of a kind, with a similar known one; and fields that only a proposal has.

import { GATES, type GateName, gatedFields } from "@celadon/admission/proposals";
import { valueAt } from "@celadon/base";
import type { KubeObject } from "@celadon/kube";
import type { FieldPath } from "@celadon/kube/errors";
import { type AcceptedSetUp, knownSchema, meantField, unknownFieldHelp } from "@celadon/simulator";
import type { Manifest } from "@celadon/simulator/manifests";
import { type LintProblem, problem } from "../problem.ts";

export function unknownFieldProblems(manifest: Manifest, accepted: AcceptedSetUp): LintProblem[] {
  const { object } = manifest;
  const gated = gatedFieldsOf(object, accepted);
  const proposedPaths = new Set(gated.map(({ path }) => path.toString()));
  const unknown = accepted.unknownFields
    .filter((path) => !proposedPaths.has(path.toString()))
    .map((path) => {
      const schema = knownSchema(object);
      const meant = meantField(schema, path.steps);
      const holder = valueAt(object, path.steps.slice(0, -1));
      // Beside the field itself the misspelt one is something else.
      const suggestion = meant !== undefined && !Object.hasOwn(Object(holder), meant) ? meant : undefined;
      return problem("unknown_field", manifest, path.steps, `unknown field "${path}"`, {
        key: true,
        help: unknownFieldHelp(schema, path.steps),
        ...(suggestion !== undefined && { suggestion }),
      });
    });
  const proposed = gated.map(({ path, gate }) => {
    const message = `clusters do not have the field "${path}"; it was only proposed (${GATES[gate]})`;
    const help = `remove it, or use it only with Celadon and the feature gate ${gate}`;
    return problem("proposed_field", manifest, path.steps, message, { key: true, help });
  });
  return [...unknown, ...proposed];
}

/** Searched in the written object: reading drops them. */
function gatedFieldsOf(
  object: KubeObject,
  accepted: AcceptedSetUp,
): readonly { readonly path: FieldPath; readonly gate: GateName }[] {
  const unknown = new Set(accepted.unknownFields.map(String));
  if (accepted.role !== "policy" && accepted.role !== "binding") return [];
  const { resource } = accepted;
  if (resource === undefined) return [];
  const written = { kind: resource.kind, metadata: {}, spec: object.spec ?? {} } as typeof resource;
  return gatedFields(written).filter(({ path }) => unknown.has(path.toString()));
}
