// `celadon store backup`: a consistent copy of a server's objects, even while it runs.

import { resolve } from "node:path";
import { say } from "../../output/say.ts";
import { countText, sizeText } from "../../output/size.ts";
import { type ArgsOf, type Command, defineCommand, type Option } from "../../program/command.ts";
import { EXIT, type ExitCode, UsageError } from "../../program/exit.ts";
import type { Io } from "../../program/io.ts";
import { onStore } from "../../store/failure.ts";
import { DATA_DIR, dataDirectory, storeIn } from "../../store/place.ts";

const OPTIONS = [DATA_DIR] as const satisfies readonly Option[];

export const command: Command = defineCommand({
  name: "store backup",
  summary: "back up a server's objects to a file, even while it runs",
  failure: "the store could not be read or the backup not be written",
  usage: "FILE [flags]",
  about: `Copies the objects that \`celadon up\` keeps in its data directory. The copy has the state of one revision, whatever is written
meanwhile. It is compacted, and verified before the file gets its name. An existing file is never overwritten.

The backup has all objects, including secrets; only its owner can read the file. It does not include the keys and certificates of the
server (pki/ in the data directory). To back up objects in etcd, use \`etcdctl snapshot save\`.

Exit codes: 0 success, 1 the store is damaged or the file cannot be written, 2 there is no store or the file exists.`,
  options: OPTIONS,
  plain: true,
  positionals: "files",
  examples: [
    { what: "back up the default data directory", line: "celadon store backup celadon-$(date +%F).backup" },
    { what: "back up another data directory", line: "celadon store backup --data-dir /var/lib/celadon /backup/monday" },
  ],
  run: backup,
});

function backup(args: ArgsOf<typeof OPTIONS>, io: Io): Promise<ExitCode> {
  const [file, ...more] = args.positionals;
  if (file === undefined) throw new UsageError("no file to write", "name one: celadon store backup FILE");
  if (more.length > 0) throw new UsageError(`one file at a time: found "${more[0]}" after "${file}"`);
  const store = storeIn(dataDirectory(args, io));
  const hints = {
    exists: "name a file that does not exist",
    absent: "set --data-dir to the data directory of a server",
    corrupt: "`celadon store check` lists the damage; restore an older backup",
  };
  return onStore(io, hints, async () => {
    const { backupLmdb } = await import("@celadon/storage/lmdb");
    const { revision, keys, bytes } = await backupLmdb(store, resolve(io.cwd, file));
    say(io, `${file}: ${countText(keys, "object")} at revision ${revision}, ${sizeText(bytes)}`);
    return EXIT.ok;
  });
}
