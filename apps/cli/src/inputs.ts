// What a verb reads, with everything wrong about it said on stderr. Bad input ends the verb with code 2 before anything is decided:
// a verdict on half of the inputs is no verdict.

import type { Args } from "./command.ts";
import { UsageError } from "./exit.ts";
import type { Io } from "./io.ts";
import { type Loaded, loadManifests, type SourceIssue, type SourceNote, sourceIssueText } from "./sources/index.ts";

/** Verbs that read without `-f` get the hint. */
export async function loadInputs(paths: readonly string[], verb: string, args: Args, io: Io): Promise<Loaded> {
  if (paths.length === 0) {
    throw new UsageError("nothing to read", `name files or directories: celadon ${verb} -f policies/ -f deploy.yaml`);
  }
  const loaded = await loadManifests(paths, { command: `celadon ${verb} -f -` }, io);
  if (!args.on("quiet")) showNotes(loaded.notes, io);
  if (loaded.issues.length > 0) throw badInput(loaded.issues, io);
  return loaded;
}

export function showNotes(notes: readonly SourceNote[], io: Io): void {
  for (const { file, message, hint } of notes) {
    io.err.write(`note: ${file}: ${message}${hint === undefined ? "" : `\n  ${hint}`}\n`);
  }
}

export function badInput(issues: readonly SourceIssue[], io: Io): UsageError {
  for (const issue of issues) io.err.write(issueText(issue));
  const count = issues.length === 1 ? "one input" : `${issues.length} inputs`;
  return new UsageError(`${count} cannot be used`);
}

function issueText(issue: SourceIssue): string {
  const lines = [sourceIssueText(issue)];
  const { lineText, column = 1, hint } = issue;
  if (lineText !== undefined) lines.push(`  | ${lineText}`, `  | ${" ".repeat(Math.max(column - 1, 0))}^`);
  if (hint !== undefined) lines.push(`  ${hint}`);
  return `${lines.join("\n")}\n`;
}
