// A Status of the API server as problems: one for each cause it lists, placed in the object.

import { valueAt } from "@celadon/base";
import type { KubeObject, Status } from "@celadon/kube";
import { fieldPathIn } from "./field-path-in.ts";
import type { Problem, Speaker, System } from "./outcome.ts";

export function problemsOf(status: Status, system: System, object: KubeObject | null, by?: Speaker): Problem[] {
  const about = { system, level: "deny", returned: true, ...(by && { by }) } as const;
  const reason = status.reason ? { reason: status.reason } : {};
  const causes = status.details?.causes ?? [];
  if (causes.length === 0) return [{ ...about, ...reason, message: status.message ?? "" }];
  return causes.map(({ field = "", message = "" }) => {
    const path = field === "" || field === "<nil>" ? [] : fieldPathIn(field, object);
    const value = valueAt(object, path);
    return {
      ...about,
      ...reason,
      message: field === "" ? message : `${field}: ${message}`,
      path,
      ...(value !== undefined && path.length > 0 && { value }),
    };
  });
}

/** What the API server passes over and tells the client. */
export function warningProblems(texts: readonly string[], system: System): Problem[] {
  return texts.map((message) => ({ system, level: "warning", message, returned: false }));
}

/** A field that no schema knows: an error where the client asked for it, as kubectl does, or a warning. */
export function unknownFieldProblems(fields: readonly string[], object: KubeObject, refused: boolean): Problem[] {
  return fields.map((field) => ({
    system: "schema",
    level: refused ? "deny" : "warning",
    message: `unknown field "${field}"`,
    path: fieldPathIn(field, object),
    returned: refused,
  }));
}
