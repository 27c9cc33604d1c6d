// The work in the playground: texts, and the request to make of them. Links and stored work hold it as JSON, which may come from anybody.

import { isRecord, own } from "@celadon/base";

/** The modes of the playground. */
export const WORK_MODES = ["validating", "mutating", "crd", "conditions", "certificates", "cel"] as const;

/** A mode of the playground: see `WORK_MODES`. */
export type WorkMode = (typeof WORK_MODES)[number];

/** The texts of a playground. */
export const WORK_TEXTS = ["policy", "object", "oldObject", "tests"] as const;

/** A text of a playground: the policies (in `cel`, the expression), the object, the old object, a test suite. */
export type WorkText = (typeof WORK_TEXTS)[number];

/** A request: user, operation and object. The simulator's defaults apply to absent fields. */
export interface WorkRequest {
  readonly operation?: "CREATE" | "UPDATE" | "DELETE" | "CONNECT";
  readonly user?: string;
  readonly groups?: readonly string[];
  readonly namespace?: string;
  readonly subresource?: string;
  readonly dryRun?: boolean;
}

/** All that a playground holds. */
export interface Work extends Readonly<Record<WorkText, string>> {
  readonly mode: WorkMode;
  readonly request: WorkRequest;
  /** The Kubernetes minor to decide as; the current one when absent. */
  readonly kubeVersion?: string;
}

const OPERATIONS = ["CREATE", "UPDATE", "DELETE", "CONNECT"] as const;

/** Work from JSON of unknown origin: members of the wrong shape are left out. Undefined where it is no work at all. */
export function readWork(value: unknown): Work | undefined {
  if (!isRecord(value)) return undefined;
  const mode = WORK_MODES.find((workMode) => workMode === own(value, "mode"));
  if (mode === undefined) return undefined;
  const text = (name: WorkText): string => asText(own(value, name)) ?? "";
  const kubeVersion = asText(own(value, "kubeVersion"));
  return {
    mode,
    policy: text("policy"),
    object: text("object"),
    oldObject: text("oldObject"),
    tests: text("tests"),
    request: readRequest(own(value, "request")),
    ...(kubeVersion !== undefined && /^1\.\d{1,3}$/.test(kubeVersion) && { kubeVersion }),
  };
}

function readRequest(value: unknown): WorkRequest {
  if (!isRecord(value)) return {};
  const operation = OPERATIONS.find((text) => text === own(value, "operation"));
  const given = own(value, "groups");
  const groups = Array.isArray(given) ? given.filter((item) => typeof item === "string") : [];
  const named = (name: string): Readonly<Record<string, string>> => {
    const found = asText(own(value, name));
    return found === undefined || found === "" ? {} : { [name]: found };
  };
  return {
    ...(operation && { operation }),
    ...named("user"),
    ...(groups.length > 0 && { groups }),
    ...named("namespace"),
    ...named("subresource"),
    ...(own(value, "dryRun") === true && { dryRun: true }),
  };
}

const asText = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
