// Files with a border: nothing outside of some directories can be read, by any path or link, and nothing is written anywhere.

import { posix } from "node:path";
import type { Entry, Files } from "./io.ts";

/** Files outside do not exist for searches; reading them fails. The directories are absolute and free of links. */
export function filesBelow(files: Files, directories: readonly string[]): Files {
  const isWithin = async (path: string): Promise<boolean> => {
    const real = await files.real(path);
    return directories.some((directory) => real === directory || real.startsWith(posix.join(directory, "/")));
  };
  const checked = async (path: string): Promise<string> => {
    if (await isWithin(path)) return path;
    throw Object.assign(new Error("outside of the directories that may be read"), { code: "EOUTSIDE" });
  };
  return {
    read: async (path): Promise<Uint8Array> => files.read(await checked(path)),
    list: async (path): Promise<readonly Entry[]> => files.list(await checked(path)),
    kind: async (path): Promise<Entry["kind"] | undefined> => ((await isWithin(path)) ? files.kind(path) : undefined),
    identity: async (path): Promise<string> => files.identity(await checked(path)),
    real: (path) => files.real(path),
    write: async (texts) => {
      const [file = ""] = texts.keys();
      throw Object.assign(new Error("nothing may be written"), { code: "EOUTSIDE", file });
    },
    watch: () => {},
  };
}
