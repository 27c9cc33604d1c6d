// What a server or webhook once answered, beside what a world answers now: the check before a webhook is replaced by policies.

import { type Manifest, type OutcomeChange, type Side, sideOf, type World } from "@celadon/simulator";
import { ask } from "../check/check-all.ts";
import type { Asked, Recorded } from "../check/subjects.ts";
import { type CompareOptions, inTurn } from "./compare-all.ts";
import { type DiffRow, rowOf } from "./row.ts";

export interface RecordedDiff {
  readonly rows: readonly DiffRow[];
  /** Requests with an answer to compare with. */
  readonly compared: number;
  readonly agreed: { readonly allowed: number; readonly denied: number };
  /** Of those denied by both: the recorded text does not hold what is said now, nor the other way. */
  readonly otherMessages: number;
  /** Answers that are none of admission's: conflicts, missing objects, missing permissions. */
  readonly leftOut: readonly { readonly manifest: Manifest; readonly why: string }[];
}

export async function compareRecorded(
  world: World,
  asked: readonly Asked[],
  options: CompareOptions & { readonly messages: boolean },
): Promise<RecordedDiff> {
  const rows: DiffRow[] = [];
  const agreed = { allowed: 0, denied: 0 };
  const leftOut: { manifest: Manifest; why: string }[] = [];
  let [compared, otherMessages] = [0, 0];
  await inTurn(asked, options, async (one) => {
    if (!("recorded" in one) || one.recorded === undefined) return;
    const why = notAdmission(one.recorded);
    if (why !== undefined) {
      leftOut.push({ manifest: one.manifest, why });
      return;
    }
    compared++;
    const outcome = await ask(world, one);
    const was: Side = {
      allowed: one.recorded.allowed,
      ...(one.recorded.message !== "" && { message: one.recorded.message }),
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
    const { manifest } = one;
    rows.push(rowOf(manifest, outcome.request, change, options.owners.ownerOf(manifest.object)));
  });
  return { rows, compared, agreed, otherMessages, leftOut };
}

const NONE = { removed: [], added: [] } as const;

/** A server puts its own words around what a webhook or policy says. */
function saysTheSame(recorded: string, messages: readonly string[]): boolean {
  const said = recorded.trim();
  return messages.some((message) => said.includes(message.trim()) || (said !== "" && message.includes(said)));
}

/** Codes admission answers with when nobody chose another. */
const ADMISSION_CODES: ReadonlySet<number> = new Set([400, 403, 422]);
const BY_ADMISSION = /denied (?:the )?request/;
const BY_PERMISSIONS = /cannot \S+ resource /;

function notAdmission({ allowed, code, message }: Recorded): string | undefined {
  if (allowed || code === undefined || BY_ADMISSION.test(message)) return undefined;
  if (ADMISSION_CODES.has(code) && !BY_PERMISSIONS.test(message)) return undefined;
  return `code ${code} for reasons that are none of admission's`;
}
