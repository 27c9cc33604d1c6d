// The admission chain: mutating plugins, the kind's own validation, validating plugins. The first refusal ends it.

import type { Status } from "@celadon/kube";
import { isStatus } from "./cluster.ts";
import type { AdmissionAnswer, Write } from "./handler.ts";
import type { JsonObject } from "./json.ts";

/** What is collected on the way, whatever the outcome. */
export interface Notes {
  readonly warnings: string[];
  readonly auditAnnotations: Record<string, string>;
}

export async function admit(
  write: Write,
  notes: Notes,
  validate: (object: JsonObject) => Status | undefined | Promise<Status | undefined> = () => undefined,
): Promise<JsonObject | Status> {
  let { object } = write;
  for (const plugin of write.cluster.plugins) {
    const answer = await plugin.mutate?.({ ...write, ...(object && { object }) });
    if (answer === undefined) continue;
    note(notes, answer);
    if (isStatus(answer.status)) return answer.status;
    object = answer.object ?? object;
  }
  const invalid = object && (await validate(object));
  if (invalid !== undefined) return invalid;
  for (const plugin of write.cluster.plugins) {
    const answer = await plugin.validate?.({ ...write, ...(object && { object }) });
    if (answer === undefined) continue;
    note(notes, answer);
    if (isStatus(answer.status)) return answer.status;
  }
  return object ?? {};
}

// A warning is sent once, an annotation keeps the first value it got.
function note(notes: Notes, answer: AdmissionAnswer): void {
  for (const warning of answer.warnings ?? []) if (!notes.warnings.includes(warning)) notes.warnings.push(warning);
  for (const [key, value] of Object.entries(answer.auditAnnotations ?? {})) notes.auditAnnotations[key] ??= value;
}
