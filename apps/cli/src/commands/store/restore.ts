// `celadon store restore`: restores a backup into a data directory that has no objects.

import { resolve } from "node:path";
import { say } from "../../output/say.ts";
import { countText } from "../../output/size.ts";
import { type ArgsOf, type Command, defineCommand, type Option } from "../../program/command.ts";
import { EXIT, type ExitCode, UsageError } from "../../program/exit.ts";
import type { Io } from "../../program/io.ts";
import { onStore } from "../../store/failure.ts";
import { DATA_DIR, dataDirectory, storeIn } from "../../store/place.ts";

/** More than a server writes between two backups; etcd's documentation advises the same number. */
const BUMP = 1_000_000_000;

// biome-ignore format: one option per line
const OPTIONS = [
  { ...DATA_DIR, help: "data directory to restore into" },
  { name: "bump-revision", value: "N", help: "add this to the revision, so that clients that saw newer objects list again; 0 keeps the revision", fallback: String(BUMP) },
] as const satisfies readonly Option[];

export const command: Command = defineCommand({
  name: "store restore",
  summary: "restore a backup into an empty data directory",
  failure: "the backup could not be read or the store not be written",
  usage: "FILE [flags]",
  about: `Restores a file that \`celadon store backup\` wrote, after checking it. A data directory that has objects is never overwritten: move
its \`store\` directory away, or restore into another directory. Other files there, such as keys and certificates, are kept.

Resource versions continue from the backup's revision plus --bump-revision, so that no resource version is used twice. Watches from
older versions get 410 Gone, and clients list again.

Exit codes: 0 success, 1 the backup is damaged or the directory cannot be written, 2 the file is not a backup or the directory has
objects.`,
  options: OPTIONS,
  plain: true,
  positionals: "files",
  examples: [
    { what: "restore into a new data directory", line: "celadon store restore monday.backup --data-dir ./restored" },
    { what: "run a server on the restored data", line: "celadon up --data-dir ./restored" },
  ],
  run: restore,
});

function restore(args: ArgsOf<typeof OPTIONS>, io: Io): Promise<ExitCode> {
  const [file, ...more] = args.positionals;
  if (file === undefined) throw new UsageError("no backup to restore", "name one: celadon store restore FILE");
  if (more.length > 0) throw new UsageError(`one backup at a time: found "${more[0]}" after "${file}"`);
  const raiseRevision = args.number("bump-revision", { min: 0, max: 1_000_000_000_000 }) ?? BUMP;
  const directory = storeIn(dataDirectory(args, io));
  const hints = {
    exists: "move it away, or restore into another --data-dir",
    absent: "name a file that `celadon store backup` wrote",
    foreign: "name a file that `celadon store backup` wrote",
    corrupt: "restore another backup; `celadon store check FILE` lists the damage",
  };
  return onStore(io, hints, async () => {
    const { restoreLmdb } = await import("@celadon/storage/lmdb");
    const { revision, keys } = await restoreLmdb(resolve(io.cwd, file), directory, { raiseRevision });
    say(io, `${directory}: ${countText(keys, "object")} restored; revisions continue from ${revision}`);
    return EXIT.ok;
  });
}
