// The flags of commands whose findings can be suppressed.

import type { ArgsOf, Option } from "../program/command.ts";
import type { Io } from "../program/io.ts";
import type { Loaded } from "../sources/index.ts";
import { readBaseline, writeBaseline } from "./baseline.ts";
import { Sift, type SiftOptions } from "./sift.ts";

export const SUPPRESSIONS = [
  {
    name: "baseline",
    value: "FILE",
    help: "suppress the findings in this file; one that is no longer found is reported",
    choices: "files",
  },
  { name: "write-baseline", help: "write the findings of this run to the baseline, by default celadon-baseline.json" },
] as const satisfies readonly Option[];

const DEFAULT_FILE = "celadon-baseline.json";

/** Undefined if nothing in the inputs or flags suppresses anything. */
export async function siftOf(
  command: SiftOptions["command"],
  { suppressions, files }: Pick<Loaded, "suppressions" | "files">,
  args: ArgsOf<typeof SUPPRESSIONS>,
  io: Io,
  more: Pick<SiftOptions, "isReported" | "isPartial"> = {},
): Promise<Sift | undefined> {
  const isWritten = args.on("write-baseline");
  const file = args.text("baseline") ?? (isWritten ? DEFAULT_FILE : undefined);
  if (file === undefined && suppressions.length === 0) return undefined;
  const isThere = file !== undefined && (await io.files.kind(file)) !== undefined;
  const entries = file !== undefined && (isThere || !isWritten) ? await readBaseline(file, io, args) : [];
  return new Sift({
    command,
    comments: suppressions,
    files: new Set(files),
    ...(file !== undefined && { baseline: { file, entries, isWritten } }),
    ...more,
  });
}

/** Writes the findings of a run where the flags ask for it. */
export async function saveBaseline(sift: Sift | undefined, args: ArgsOf<typeof SUPPRESSIONS>, io: Io): Promise<void> {
  if (sift === undefined || !args.on("write-baseline")) return;
  const file = args.text("baseline") ?? DEFAULT_FILE;
  const entries = sift.entries();
  await writeBaseline(file, entries, io);
  const count = entries.reduce((sum, entry) => sum + entry.count, 0);
  if (!args.on("quiet")) io.err.write(`wrote ${count} ${count === 1 ? "finding" : "findings"} to ${file}\n`);
}
