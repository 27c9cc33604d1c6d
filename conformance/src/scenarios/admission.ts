// The admission chain of the packages for writes of the in-memory cluster. The first denial ends it.

import { admit as admitByPolicies, headerTexts } from "@celadon/admission";
import { type Chain, mutateRequest, webhookHostsOf } from "@celadon/admission/chain";
import { dispatchValidating } from "@celadon/admission/webhook";
import type { KubeObject } from "@celadon/kube";
import type { Status } from "@celadon/kube/status";
import type { Write } from "./handler.ts";
import type { JsonObject } from "./json.ts";
import { requestOf } from "./policies/policies.ts";

/** Notes that are collected on the way, for every outcome. */
export interface Notes {
  readonly warnings: string[];
  readonly auditAnnotations: Record<string, string>;
}

/** The object between mutation and validation: fields set by the server, and errors. */
export interface FinishedWrite {
  readonly object: JsonObject;
  readonly name?: string;
  readonly status?: Status | undefined;
}

export type FinishWrite = (object: JsonObject) => FinishedWrite | Promise<FinishedWrite>;

interface Heard {
  readonly status?: Status | undefined;
  readonly warnings?: readonly string[];
  readonly auditAnnotations?: Readonly<Record<string, string>>;
}

export async function admit(write: Write, notes: Notes, finish?: FinishWrite): Promise<JsonObject | Status> {
  const { heard, object } = await admitInOrder(write, write.cluster.chain(write), finish);
  for (const warning of headerTexts(heard.flatMap(({ warnings = [] }) => warnings))) {
    if (!notes.warnings.includes(warning)) notes.warnings.push(warning);
  }
  for (const { auditAnnotations = {} } of heard) {
    for (const [key, value] of Object.entries(auditAnnotations)) notes.auditAnnotations[key] ??= value;
  }
  return heard.at(-1)?.status ?? ((object ?? {}) as JsonObject);
}

/** The findings of the stages before the first refusal, and the object after them. */
async function admitInOrder(
  write: Write,
  chain: Chain,
  finish: FinishWrite | undefined,
): Promise<{ readonly heard: readonly Heard[]; readonly object: KubeObject | null }> {
  const request = requestOf(write);
  const { hosts, policies, webhooks } = chain;
  const mutated = await mutateRequest(request, chain);
  const { object } = mutated;
  if (mutated.status !== undefined) return { heard: [mutated], object };
  // A warning of a kind belongs to the write.
  const finished = object !== null && finish !== undefined ? await finish(object as JsonObject) : { object };
  const { status, name = request.name ?? "" } = finished as Partial<FinishedWrite>;
  const seen = { ...request, name, object: finished.object as KubeObject | null };
  if (status !== undefined) return { heard: [mutated, { status }], object: seen.object };
  const report = await admitByPolicies(seen, policies, hosts);
  if (report.status !== undefined) return { heard: [mutated, report], object: seen.object };
  const called = await dispatchValidating(seen, webhooks.validating, webhookHostsOf(hosts), {});
  return { heard: [mutated, report, called], object: seen.object };
}
