// The command's start in the bundle: its code as an earlier run has compiled it. It is a file for `require`, which Node loads sooner than modules.

import { loadCompiled } from "./program/compiled-code.ts";
import { collectSeldom, optimiseLater } from "./program/v8.ts";

/** `word` is the command, by which compiled code is kept. */
export function startCompiled(
  file: URL,
  word: string,
  process: NodeJS.Process,
  argv: readonly string[],
): Promise<void> {
  optimiseLater();
  if (word === "up") collectSeldom();
  const { exports, keep } = loadCompiled<typeof import("./start.ts")>(file, word, process.env);
  return exports.start(process, argv, keep);
}
