// Findings of all systems as problems of an outcome: with the path in the object, and the resource and expression they come from. No
// message is parsed.

import { valueAt } from "@celadon/base";
import type { ResourceVersion } from "@celadon/crd";
import { type KubeObject, unknownFieldText } from "@celadon/kube";
import { type FieldError, type FieldPath, fieldErrorText, type Warning } from "@celadon/kube/errors";
import type { Schema } from "@celadon/kube/schemas";
import type { Status } from "@celadon/kube/status";
import { rulePath } from "../manifest/rule-path.ts";
import type { Problem, ProblemSource, System } from "./outcome.ts";
import { unknownFieldHelp } from "./unknown-field-help.ts";

/** A Status by itself: the whole object is meant, or the field that is named. */
export function statusProblem(status: Status, system: System, by?: ProblemSource, at?: FieldPath): Problem {
  const { message = "", reason } = status;
  const path = at === undefined || at.steps.length === 0 ? {} : { path: at.steps };
  return { system, level: "deny", message, ...path, ...(by && { by }), ...(reason && { reason }), returned: true };
}

/** One problem for each field error, with the validated object. */
export function errorProblems(
  errors: readonly FieldError[],
  object: KubeObject | null,
  by?: ProblemSource,
  system: System = "validation",
): Problem[] {
  return errors.map((fieldError) => {
    const path = fieldError.path.steps;
    const value = path.length === 0 ? undefined : valueAt(object, path);
    return {
      system,
      level: "deny",
      message: fieldErrorText(fieldError),
      path,
      ...(value !== undefined && { value }),
      ...(by && { by }),
      reason: "Invalid",
      returned: true,
      fieldError,
    };
  });
}

/** The same for a custom resource: errors of its definition's rules belong to them, metadata errors to the server. */
export function resourceProblems(
  errors: readonly FieldError[],
  object: KubeObject,
  { type, name: version }: ResourceVersion,
): Problem[] {
  const definition = { kind: "CustomResourceDefinition", name: `${type.plural}.${type.group}` };
  const index = Math.max(0, type.definition.spec.versions?.findIndex(({ name }) => name === version) ?? -1);
  return errors
    .flatMap((error) => errorProblems([error], object, ...ofWhom(error, definition)))
    .map((problem) => {
      const rule = problem.fieldError?.rule;
      if (rule === undefined) return problem;
      const path = rulePath(index, { ...rule, kind: "rule" });
      const by = { ...definition, path, expression: rule.expression, error: rule.outcome !== "false" };
      return { ...problem, system: "rules", by };
    });
}

function ofWhom({ code }: FieldError, definition: ProblemSource): [ProblemSource | undefined, System] {
  if (code === "object_metadata") return [undefined, "validation"];
  return [definition, code === "rules_not_checked" ? "rules" : "schema"];
}

/** Warnings of the API server about an object that it accepts. */
export function warningProblems(warnings: readonly Warning[], object: KubeObject | null): Problem[] {
  return warnings.map(({ text: message, path }) => {
    const steps = path?.steps ?? [];
    const value = steps.length === 0 ? undefined : valueAt(object, steps);
    const place = steps.length > 0 && { path: steps };
    return {
      system: "validation",
      level: "notice",
      message,
      ...place,
      ...(value !== undefined && { value }),
      returned: false,
    };
  });
}

/** Errors of rules that the server only warns about, because the value was not changed. */
export function ratchetedProblems(
  errors: readonly FieldError[],
  object: KubeObject,
  version: ResourceVersion,
): Problem[] {
  return resourceProblems(errors, object, version).map(({ reason: _, ...problem }) => ({
    ...problem,
    level: "notice",
    returned: false,
  }));
}

/** Unknown fields: errors if the client requests strict validation, as kubectl does, otherwise warnings. */
export function unknownFieldProblems(
  fields: readonly FieldPath[],
  refused: boolean,
  schema: Schema | undefined,
): Problem[] {
  const helpOf = (field: FieldPath): Pick<Problem, "help"> => {
    const help = unknownFieldHelp(schema, field.steps);
    return help === undefined ? {} : { help };
  };
  return fields.map((field) => ({
    system: "validation",
    level: refused ? "deny" : "notice",
    message: unknownFieldText(field),
    path: field.steps,
    key: true,
    returned: refused,
    ...helpOf(field),
  }));
}

/** The refusal of a later system is not the returned one. */
export function withoutReturned(problems: readonly Problem[]): readonly Problem[] {
  return problems.map((problem) => (problem.returned ? { ...problem, returned: false } : problem));
}
