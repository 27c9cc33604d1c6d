// Records the users of a directory while its file is replaced by a shorter one. LMDB's table of readers lies in a file that belongs to the
// old one, so for that moment processes see each other by small files. A process that opens writes one and then looks for the
// replacement's, one that replaces writes one and then looks for the others'. At least one of two simultaneous ones sees the other.

import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StoreError } from "../error.ts";

const REPLACING = "replacing-";
const PRESENT = "present-";
const PAUSE = 10;
/** Milliseconds a replacement may take: a close, a rename, an open. */
const LONGEST = 30_000;

let marks = 0;

/** Uses the contents of a directory; they are not replaced meanwhile. */
export async function whilePresent<T>(directory: string, use: () => Promise<T>): Promise<T> {
  const end = Date.now() + LONGEST;
  for (;;) {
    const remove = leave(directory, PRESENT);
    const [replacing] = marksIn(directory, REPLACING);
    if (replacing === undefined) return use().finally(remove);
    remove();
    if (Date.now() > end) {
      throw new StoreError("in_use", `the store in ${directory} is being shortened by process ${replacing}; try again`);
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}

/** Replaces the contents of a directory, unless they are used: then the answer is undefined. */
export async function whileAbsent<T>(directory: string, replace: () => Promise<T>): Promise<T | undefined> {
  const remove = leave(directory, REPLACING);
  try {
    return marksIn(directory, PRESENT).length > 0 ? undefined : await replace();
  } finally {
    remove();
  }
}

/** In a directory that cannot be written, nothing is replaced either. */
function leave(directory: string, kind: string): () => void {
  const mark = join(directory, `${kind}${process.pid}-${marks++}`);
  try {
    writeFileSync(mark, lifeOf(process.pid));
  } catch {
    return () => undefined;
  }
  return () => rmSync(mark, { force: true });
}

/** The processes that have marks. Marks of ended processes are removed. */
function marksIn(directory: string, kind: string): number[] {
  return names(directory).flatMap((name) => {
    if (!name.startsWith(kind)) return [];
    const pid = Number.parseInt(name.slice(kind.length), 10);
    const mark = join(directory, name);
    if (isRunning(pid) && isLife(pid, textOf(mark))) return [pid];
    rmSync(mark, { force: true });
    return [];
  });
}

function names(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function isRunning(pid: number): boolean {
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/**
 * Whether a mark was left by the process that has this id now. Ids come again after a restart, and in a container always: without this, a
 * process killed while it replaced the file would keep its successor out for good. A mark without a text was not finished.
 */
function isLife(pid: number, text: string): boolean {
  return text === "" || text === lifeOf(pid);
}

/**
 * Distinguishes a process from others with its id: the start of the system, and of the process in it. Empty where
 * Linux does not provide it.
 */
function lifeOf(pid: number): string {
  const boot = textOf("/proc/sys/kernel/random/boot_id").trim();
  // The name of the program, in parentheses, may contain anything.
  const start = textOf(`/proc/${pid}/stat`).split(")").at(-1)?.trim().split(" ")[START_FIELD] ?? "";
  return boot === "" || start === "" ? "" : `${boot} ${start}`;
}

/** Its place behind the program's name. */
const START_FIELD = 19;

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
