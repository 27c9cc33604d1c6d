// The place of a server's objects on disk: the data directory, and the store in it.

import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { Args, Option } from "../program/command.ts";
import type { Io } from "../program/io.ts";

export const DATA_DIR = {
  name: "data-dir",
  value: "DIR",
  help: "data directory of the server",
  fallback: "~/.local/share/celadon",
  choices: "files",
} as const satisfies Option;

export function dataDirectory(args: Args<"data-dir">, io: Io): string {
  const given = args.text("data-dir");
  if (given !== undefined) return resolve(io.cwd, given);
  return join(io.env.XDG_DATA_HOME || join(homedir(), ".local/share"), "celadon");
}

/** The directory of the store in a data directory. */
export function storeIn(directory: string): string {
  return join(directory, "store");
}
