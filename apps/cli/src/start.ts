// One run of the command in a process, from arguments to exit. An early end by Ctrl-C or a closed pipe is handled here, and nothing leaves
// before the written output has gone out.

import { nodeIo, type Signals } from "./io-node.ts";
import { EXIT, type ExitCode } from "./program/exit.ts";
import { resetFlags } from "./program/v8.ts";
import { internalError, run } from "./run.ts";

const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;

/** The time that a command may take to stop before it is stopped, unless it ends in order. */
const GRACE_MS = 200;

/** `keepCode` is called once the code of the command is compiled: when a server answers, or at the end of any other. */
export async function start(
  process: NodeJS.Process,
  argv: readonly string[],
  keepCode: () => void = () => {},
): Promise<void> {
  let stoppedBy: ExitCode | undefined;
  let closed = false;
  const ended = (): ExitCode | undefined => stoppedBy ?? (closed ? 0 : undefined);

  const signals = holdSignals(
    process,
    (code) => {
      if (stoppedBy !== undefined) leave(code); // asked twice: at once
      stoppedBy = code;
      stop();
      stopWriting();
      setTimeout(() => isOrderly() || leave(code), GRACE_MS);
    },
    () => {
      // The work for which the signal waited is done.
      if (stoppedBy !== undefined) leave(stoppedBy);
    },
  );
  const { io, stop, stopWriting, cleanUp, isOrderly } = nodeIo(process, signals, keepCode);
  const leave = (code: ExitCode): never => {
    cleanUp();
    return process.exit(code);
  };
  const fail = (error: unknown): ExitCode => ended() ?? internalError(error, io);

  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") {
      io.err.write(`celadon: cannot write to standard output: ${error.message}\n`);
      leave(EXIT.usage);
    }
    // The reader has closed the pipe. Stops silently, as Unix tools do; the exit code is still the command's.
    closed = true;
    stop();
  });
  process.stderr.on("error", () => {});
  process.on("uncaughtException", (error) => leave(fail(error)));

  const code = await run(argv, io).catch(fail);
  await Promise.all([drained(process.stdout), drained(process.stderr)]);
  if (ended() === undefined && (code === EXIT.ok || code === EXIT.failed)) {
    resetFlags();
    keepCode();
  }
  leave(stoppedBy ?? code);
}

/**
 * Without a listener the system ends the process at once; with one, it waits for the end of the current expression. So there is a listener
 * only while it is in use.
 */
function holdSignals(process: NodeJS.Process, stopped: (code: ExitCode) => void, released: () => void): Signals {
  const listeners = Object.entries(SIGNALS).map(([name, code]) => [name, () => stopped(code)] as const);
  let held = 0;
  return {
    hold: () => {
      if (held++ === 0) for (const [name, listener] of listeners) process.on(name, listener);
    },
    release: () => {
      if (--held > 0) return;
      for (const [name, listener] of listeners) process.off(name, listener);
      released();
    },
  };
}

/** Resolves when everything written so far is out, or cannot get out. */
function drained(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed || !stream.writable) resolve();
    else stream.write("", () => resolve());
  });
}
