// The resources that processes of this machine have used, as Linux counts them.

import { readdirSync, readFileSync } from "node:fs";

/** Milliseconds of CPU, user and system together, of all threads: finer than the hundredths of a second that are counted by process. */
export function cpuOf(pids: readonly number[]): number {
  return sum(pids, (pid) => {
    const threads = readdirSync(`/proc/${pid}/task`).map(Number);
    return sum(threads, (thread) => nanosecondsOf(pid, thread)) / 1e6;
  });
}

function nanosecondsOf(pid: number, thread: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]);
  } catch {
    return 0; // the thread has ended
  }
}

/** Resident megabytes (MiB). */
export function residentOf(pids: readonly number[]): number {
  return sum(pids, (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) / 1024);
}

function sum(ids: readonly number[], of: (id: number) => number): number {
  return ids.reduce((total, id) => total + of(id), 0);
}
