// The calls a step caused, in their recorded form: the number of calls of each endpoint, and parts of their requests.

import { fieldAt, isObject } from "../json.ts";
import { normalise } from "../normalise.ts";
import type { RecordedResult, Scenario } from "../scenario.ts";
import type { Endpoints } from "./webhooks.ts";

export function recordedCalls(
  scenario: Scenario,
  endpoints: Endpoints,
): Pick<RecordedResult, "webhooks" | "webhookRequests"> {
  const fields = new Map<string, readonly string[]>();
  for (const step of scenario.steps)
    if (step.kind === "webhook") fields.set(step.webhook.name, step.webhook.record ?? []);
  const calls = endpoints.take();
  if (fields.size === 0) return {};
  const counts = [...fields.keys()]
    .sort()
    .map((name) => [name, calls.filter((call) => call.name === name).length] as const);
  const requests = calls.flatMap(({ name, review }) => {
    const paths = fields.get(name) ?? [];
    if (paths.length === 0) return [];
    const shown = paths.map(
      (path) => [path, normalise(fieldAt(review, path), [], path.slice(path.lastIndexOf(".") + 1))] as const,
    );
    return [{ name, fields: Object.fromEntries(shown) }];
  });
  return {
    webhooks: Object.fromEntries(counts),
    ...(requests.length > 0 && { webhookRequests: requests }),
  } as Pick<RecordedResult, "webhooks" | "webhookRequests">;
}

/** The differences between calls, apart from those that were not recorded. */
export function compareCalls(
  want: RecordedResult,
  got: Pick<RecordedResult, "webhooks" | "webhookRequests">,
): string[] {
  const differences: string[] = [];
  if (isObject(want.webhooks) && JSON.stringify(want.webhooks) !== JSON.stringify(got.webhooks)) {
    differences.push(`webhooks: want ${JSON.stringify(want.webhooks)}, got ${JSON.stringify(got.webhooks)}`);
  }
  const [wanted, given] = [want.webhookRequests ?? [], got.webhookRequests ?? []].map((list) =>
    list.map(stable).sort().join("\n"),
  );
  if (wanted !== given) differences.push(`webhookRequests: want ${wanted}, got ${given}`);
  return differences;
}

function stable(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(stable).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? "null";
  return `{${Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${stable(value[key])}`)
    .join(",")}}`;
}
