// `celadon store check`: checks a store or backups for damage, even while a server runs.

import { resolve } from "node:path";
import { writeAnswer } from "../../output/write.ts";
import { type ArgsOf, type Command, defineCommand, type Option } from "../../program/command.ts";
import type { ExitCode } from "../../program/exit.ts";
import type { Io } from "../../program/io.ts";
import { type CheckedStore, checkAnswer } from "../../store/check-answer.ts";
import { onStore } from "../../store/failure.ts";
import { DATA_DIR, dataDirectory, storeIn } from "../../store/place.ts";

const OPTIONS = [DATA_DIR] as const satisfies readonly Option[];

export const command: Command = defineCommand({
  name: "store check",
  summary: "check a server's store, or backups, for damage",
  failure: "the store is damaged, or could not be checked",
  usage: "[FILE…] [flags]",
  about: `Reads every page and every version of every object, and verifies checksums, references and counts. Without FILE, checks the store in
the data directory, as of the revision at the start; a server may be running. With FILE, checks backups. Nothing is changed.

Exit codes: 0 no damage, 1 damage, 2 there is no store, or a file is not a backup.`,
  options: OPTIONS,
  positionals: "files",
  examples: [
    { what: "check the default data directory", line: "celadon store check" },
    { what: "check all backups", line: "celadon store check /backup/*.backup" },
    { what: "print JSON", line: "celadon store check --data-dir /var/lib/celadon -o json" },
  ],
  run: check,
});

function check(args: ArgsOf<typeof OPTIONS>, io: Io): Promise<ExitCode> {
  const hints = {
    absent: "set --data-dir to the data directory of a server; give backups without a flag",
    foreign: "name files that `celadon store backup` wrote",
  };
  return onStore(io, hints, async () => {
    const { checkLmdb } = await import("@celadon/storage/lmdb");
    const stores: CheckedStore[] = [];
    for (const path of args.positionals) {
      stores.push({ path, ...(await checkLmdb(resolve(io.cwd, path), { file: true })) });
    }
    if (stores.length === 0) {
      const path = storeIn(dataDirectory(args, io));
      stores.push({ path, ...(await checkLmdb(path)) });
    }
    return writeAnswer(checkAnswer(stores), args, io);
  });
}
