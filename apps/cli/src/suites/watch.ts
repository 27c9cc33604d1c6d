// Runs the suites again whenever a file that they read changes, until stopped.

import type { Io } from "../program/io.ts";

/** Editors write a file in several steps. */
const SETTLE_MS = 80;

export interface Watching {
  /** Returns the paths to watch. */
  run(): Promise<readonly string[]>;
  /** Whether a change of this path matters: reports written below a watched directory do not. */
  matters(path: string): boolean;
}

/** Resolves when the output is closed. Ctrl-C is left to the system, which ends even a run that never would. */
export async function watching({ run, matters }: Watching, io: Io): Promise<void> {
  while (!io.signal.aborted) {
    if (io.out.isTerminal) io.out.control("\u001b[2J\u001b[3J\u001b[H");
    const paths = await run();
    if (io.signal.aborted) return;
    io.err.write(`watching ${paths.length} ${paths.length === 1 ? "path" : "paths"}; press Ctrl-C to stop\n`);
    await change(paths, matters, io);
  }
}

/** Resolves at the first change, or when the signal aborts. */
function change(paths: readonly string[], matters: Watching["matters"], io: Io): Promise<void> {
  return new Promise((resolve) => {
    const controller = new AbortController();
    const end = (): void => {
      io.signal.removeEventListener("abort", end);
      controller.abort();
      resolve();
    };
    io.signal.addEventListener("abort", end);
    if (io.signal.aborted) return end();
    let settling = false;
    io.files.watch(
      paths,
      (path) => {
        if (settling || !matters(path)) return;
        settling = true;
        setTimeout(end, SETTLE_MS);
      },
      controller.signal,
    );
  });
}
