// The admission chain of the packages for writes of the in-memory cluster. The first denial ends it.

import { admitRequest, type Finish } from "@celadon/admission/chain";
import type { KubeObject, Status } from "@celadon/kube";
import type { Write } from "./handler.ts";
import type { JsonObject } from "./json.ts";
import { requestOf } from "./policies.ts";

/** Notes that are collected on the way, whatever the outcome. */
export interface Notes {
  readonly warnings: string[];
  readonly auditAnnotations: Record<string, string>;
}

/** The object between mutation and validation: what the server sets, and what is wrong with it. */
export interface FinishedWrite {
  readonly object: JsonObject;
  readonly name?: string;
  readonly status?: Status | undefined;
}

export type FinishWrite = (object: JsonObject) => FinishedWrite | Promise<FinishedWrite>;

export async function admit(write: Write, notes: Notes, finish?: FinishWrite): Promise<JsonObject | Status> {
  const finishing: Finish = async (object) => {
    if (object === null || finish === undefined) return { object };
    // A warning of a kind belongs to the write.
    const { object: finished, name, status } = await finish(object as JsonObject);
    return { object: finished as KubeObject, ...(name !== undefined && { name }), ...(status && { status }) };
  };
  const report = await admitRequest(requestOf(write), write.cluster.chain(write), finishing);
  for (const warning of report.warnings) if (!notes.warnings.includes(warning)) notes.warnings.push(warning);
  for (const [key, value] of Object.entries(report.auditAnnotations)) notes.auditAnnotations[key] ??= value;
  return report.status ?? ((report.object ?? {}) as JsonObject);
}
