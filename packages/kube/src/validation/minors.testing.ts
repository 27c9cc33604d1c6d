// Recorded answers of older and newer servers where they differ from the recordings of the one that everything else is compared with.

import { readFileSync } from "node:fs";
import type { Minor } from "../versions.ts";
import {
  type Answer,
  difference,
  folder,
  masked,
  type PackedRow,
  type Row,
  recordedRows,
  unpacked,
} from "./replay.testing.ts";

/** The minors with recordings of their own. */
export const RECORDED_MINORS: readonly Minor[] = ["1.30", "1.32", "1.33", "1.34", "1.35", "1.37"];

/** The different answer of a server of a version, beside the request. */
interface MinorRow extends PackedRow {
  readonly file: string;
}

/** The recorded requests that a server of a version answers otherwise than the one of the other recordings, by file. */
export function minorRows(minor: string): Row[] {
  const answers = readFileSync(new URL(`minors/${minor}.jsonl`, folder), "utf8")
    .trim()
    .split("\n");
  const requests = new Map<string, Map<string, Row>>();
  return answers.map((line) => {
    const { file, ...answer } = JSON.parse(line) as MinorRow;
    let rows = requests.get(file);
    if (rows === undefined) requests.set(file, (rows = new Map(recordedRows(file).map((row) => [row.id, row]))));
    const { code, reason, message, causes, warnings, ...request } = rows.get(answer.id)!;
    // The old object of an update was only created there.
    return { ...request, oldHasNoStatus: request.oldBase !== undefined, ...unpacked(answer) };
  });
}

/** Messages that are as long were cut when they were recorded. */
const CUT = 600;
/** A name, a time or an identifier may have been cut, too. */
const UNSURE = 60;

/** The first difference by name; answers that were recorded without reason and causes are compared by code, message and warnings. */
export function minorDifference(row: Row, answer: Answer): string | undefined {
  if (row.causes !== undefined || row.reason !== undefined) return difference(withoutNew(row), withoutNew(answer));
  const { code, message = "", warnings } = answer;
  const recorded = row.message ?? "";
  const isCut = recorded.length >= CUT;
  const [theirs, ours] = [maskedNew(isCut ? recorded.slice(0, -UNSURE) : recorded), maskedNew(message)];
  if (!row.unordered && (isCut ? !ours.startsWith(theirs) : ours !== theirs)) return "message";
  return difference({ ...row, message: "" }, { code, message: "", warnings });
}

const NEW_ID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const NEW_NAME = /(?<="(Bad|1a)-)[a-z0-9]{5}(?=")/g;

/** The names and identifiers of a server are new each time. */
function maskedNew(text: string): string {
  return masked(text.replace(NEW_ID, "<uid>").replace(NEW_NAME, "<generated>"));
}

function withoutNew<T extends Answer>(answer: T): T {
  const causes = answer.causes?.map((cause) => ({ ...cause, message: maskedNew(cause.message ?? "") }));
  return { ...answer, message: maskedNew(answer.message ?? ""), ...(causes && { causes }) };
}
