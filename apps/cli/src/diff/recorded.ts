// Compares recorded answers of a server or webhook with those of a simulated cluster: the check before a webhook is replaced by policies.

import type { SimulatedCluster } from "@celadon/simulator";
import { type OutcomeChange, type Side, sideOf } from "@celadon/simulator/diff";
import type { Manifest } from "@celadon/simulator/manifests";
import { reviewSubject } from "../review/ask.ts";
import type { Recorded, ReviewSubject } from "../review/subjects.ts";
import { type CompareOptions, inTurn } from "./compare-all.ts";
import { type DiffRow, rowOf } from "./row.ts";

export interface RecordedDiff {
  readonly rows: readonly DiffRow[];
  /** Requests with an answer to compare with. */
  readonly compared: number;
  readonly agreed: { readonly allowed: number; readonly denied: number };
  /** The number of objects denied by both with messages that do not contain each other. */
  readonly otherMessages: number;
  /** Responses that do not come from admission: conflicts, missing objects, missing permissions. */
  readonly leftOut: readonly { readonly manifest: Manifest; readonly why: string }[];
}

export async function compareRecorded(
  simulated: SimulatedCluster,
  asked: readonly ReviewSubject[],
  options: CompareOptions & { readonly messages: boolean },
): Promise<RecordedDiff> {
  const rows: DiffRow[] = [];
  const agreed = { allowed: 0, denied: 0 };
  const leftOut: { manifest: Manifest; why: string }[] = [];
  let [compared, otherMessages] = [0, 0];
  await inTurn(asked, options, async (item) => {
    if (!("recorded" in item) || item.recorded === undefined) return;
    const why = notAdmission(item.recorded);
    if (why !== undefined) {
      leftOut.push({ manifest: item.manifest, why });
      return;
    }
    compared++;
    const outcome = await reviewSubject(simulated, item);
    const was: Side = {
      allowed: item.recorded.allowed,
      ...(item.recorded.message !== "" && { message: item.recorded.message }),
    };
    const now = sideOf(outcome);
    const same = was.allowed === now.allowed;
    const other =
      same &&
      !now.allowed &&
      !saysTheSame(
        was.message ?? "",
        outcome.problems.map(({ message }) => message),
      );
    if (other) otherMessages++;
    if (same && !(other && options.messages)) {
      agreed[now.allowed ? "allowed" : "denied"]++;
      return;
    }
    const change: OutcomeChange = {
      kind: same ? "answer" : now.allowed ? "allowed" : "denied",
      was,
      now,
      problems: outcome.problems.map((problem) => ({ now: problem })),
      warnings: NONE,
      annotations: [],
      policies: NONE,
      webhooks: NONE,
    };
    const { manifest } = item;
    rows.push(rowOf(manifest, outcome.request, change, options.owners.ownerOf(manifest.object)));
  });
  return { rows, compared, agreed, otherMessages, leftOut };
}

const NONE = { removed: [], added: [] } as const;

/** A server puts its own words around the message of a webhook or policy. */
function saysTheSame(recorded: string, messages: readonly string[]): boolean {
  const said = recorded.trim();
  return messages.some((message) => said.includes(message.trim()) || (said !== "" && message.includes(said)));
}

/** The default codes of admission. */
const ADMISSION_CODES: ReadonlySet<number> = new Set([400, 403, 422]);
const BY_ADMISSION = /denied (?:the )?request/;
const BY_PERMISSIONS = /cannot \S+ resource /;

function notAdmission({ allowed, code, message }: Recorded): string | undefined {
  if (allowed || code === undefined || BY_ADMISSION.test(message)) return undefined;
  if (ADMISSION_CODES.has(code) && !BY_PERMISSIONS.test(message)) return undefined;
  return `code ${code} for reasons other than admission`;
}
