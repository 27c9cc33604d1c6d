// Replays a scenario against a cluster and says how each step's answer differs from the recorded one.

import type { Answer, Call } from "./call.ts";
import type { ScenarioCluster } from "./cluster.ts";
import { compareResults } from "./compare.ts";
import type { User } from "./handler.ts";
import type { Json, JsonObject } from "./json.ts";
import { recordedForm } from "./normalise.ts";
import type { Ref, RequestStep, Scenario, Step } from "./scenario.ts";
import { compareCalls, recordedCalls } from "./webhooks/webhook-calls.ts";
import type { Endpoints } from "./webhooks/webhooks.ts";
import { metadataOf, withMetadata } from "./write.ts";

export interface StepResult {
  readonly id: string;
  /** Empty when the answer is the recorded one. */
  readonly differences: readonly string[];
  readonly answer: Answer;
}

/** Anything that answers calls: the in-memory cluster, or a client of a real server. */
export type Target = Pick<ScenarioCluster, "call"> & {
  /** Endpoints that webhooks are called at; without them calls are not compared. */
  readonly webhooks?: Endpoints;
};

export async function runScenario(scenario: Scenario, target: Target): Promise<StepResult[]> {
  const results: StepResult[] = [];
  for (const step of scenario.steps) {
    if (step.kind === "webhook") {
      target.webhooks?.set(step.webhook);
      continue;
    }
    const answer = await answerTo(step, target);
    const recorded = scenario.recorded.get(step.id);
    if (recorded === undefined) throw new Error(`${scenario.name} ${step.id} was not recorded`);
    const got = recordedForm(answer, step.recording, step.kind === "apply");
    const differences = compareResults(recorded.result, got, step.recording.unordered ?? false);
    if (target.webhooks) differences.push(...compareCalls(recorded.result, recordedCalls(scenario, target.webhooks)));
    results.push({ id: step.id, differences, answer });
  }
  return results;
}

function answerTo(step: Exclude<Step, { kind: "webhook" }>, target: Target): Promise<Answer> {
  switch (step.kind) {
    case "apply":
      return apply(step.manifest, target);
    case "delete":
      return target.call({ verb: "delete", ref: step.ref });
    case "read":
      return target.call({ verb: "get", ref: step.ref });
    case "request":
      return send(step.request, target);
  }
}

// Creates, or updates when it exists; as administrator.
async function apply(manifest: JsonObject, target: Target): Promise<Answer> {
  const ref = manifest as unknown as Ref;
  const current = ref.metadata?.name ? await target.call({ verb: "get", ref }) : undefined;
  if (current?.code !== 200) return target.call({ verb: "create", ref, body: manifest });
  return target.call({ verb: "update", ref, body: withVersion(manifest, current) });
}

async function send(request: RequestStep, target: Target): Promise<Answer> {
  const ref = (request.ref ?? request.manifest) as Ref;
  const user = userOf(request);
  const call: Omit<Call, "verb"> = {
    ref,
    ...(request.dryRun === undefined ? {} : { dryRun: request.dryRun }),
    ...(request.subresource === undefined ? {} : { subresource: request.subresource }),
    ...(request.query === undefined ? {} : { query: request.query }),
    ...(request.options === undefined ? {} : { options: request.options }),
    ...(request.labelSelector === undefined ? {} : { labelSelector: request.labelSelector }),
    ...(user === undefined ? {} : { user }),
  };
  switch (request.operation) {
    case "CREATE":
      return target.call({ ...call, verb: "create", body: request.manifest! });
    case "UPDATE": {
      const manifest = request.manifest!;
      if (request.keepResourceVersion) return target.call({ ...call, verb: "update", body: manifest });
      const current = await target.call({ verb: "get", ref });
      return target.call({
        ...call,
        verb: "update",
        body: current.code === 200 ? withVersion(manifest, current) : manifest,
      });
    }
    case "PATCH": {
      const body = (request.patch ?? request.manifest) as Json;
      const query = request.patchType === "apply" ? { fieldManager: "replay", ...request.query } : request.query;
      return target.call({
        ...call,
        verb: "patch",
        body,
        patchType: request.patchType ?? "merge",
        ...(query === undefined ? {} : { query }),
      });
    }
    case "DELETE":
      return target.call({ ...call, verb: "delete" });
    case "DELETECOLLECTION":
      return target.call({ ...call, verb: "deletecollection" });
    case "CONNECT":
      return target.call({ ...call, verb: "connect" });
    case "GET":
      return target.call({ ...call, verb: "get" });
  }
}

function withVersion(manifest: JsonObject, current: Answer): JsonObject {
  const { resourceVersion } = metadataOf(current.body as JsonObject);
  if (resourceVersion === undefined || metadataOf(manifest).resourceVersion !== undefined) return manifest;
  return withMetadata(manifest, { resourceVersion });
}

function userOf({ as, uid, groups, extra }: RequestStep): User | undefined {
  if (as === undefined) return undefined;
  const lists = Object.entries(extra ?? {}).map(
    ([key, value]) => [key, typeof value === "string" ? [value] : value] as const,
  );
  return {
    username: as,
    groups: impersonatedGroups(as, groups ?? []),
    ...(uid === undefined ? {} : { uid }),
    ...(lists.length === 0 ? {} : { extra: Object.fromEntries(lists) }),
  };
}

// An impersonated service account gets the groups it would have, everybody gets system:authenticated.
function impersonatedGroups(as: string, groups: readonly string[]): readonly string[] {
  const account = /^system:serviceaccount:([^:]+):[^:]+$/.exec(as);
  const own =
    account && groups.length === 0 ? ["system:serviceaccounts", `system:serviceaccounts:${account[1]}`] : groups;
  return own.includes("system:authenticated") || own.includes("system:unauthenticated")
    ? own
    : [...own, "system:authenticated"];
}
