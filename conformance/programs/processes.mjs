// Programs that are run to their end, with the time they take and the memory and processor time of the processes they start.

import { spawn } from "node:child_process";
import { accessSync, constants, readdirSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";

/** The machine lacks something, or a program cannot be had: no failure. */
export class Skipped extends Error {}

/** The path of an installed program, or the end of a trial that needs it. */
export function installed(name) {
  for (const directory of (process.env.PATH ?? "").split(delimiter)) {
    const path = join(directory, name);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // Looked for in the next directory.
    }
  }
  throw new Skipped(`${name} is not installed`);
}

const SAMPLE_MS = 250;
const PAGE = 4096;
/** USER_HZ of every Linux. */
const TICK_MS = 10;

/**
 * Runs a program to its end, or until the time is over. Returns its output, exit code and seconds, and on Linux the peak memory and the
 * processor time of the processes below it.
 */
export async function run(program, args, { cwd, env, seconds = 1800 } = {}) {
  const began = performance.now();
  const child = spawn(program, args, {
    cwd,
    env: env ?? process.env,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let output = "";
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (text) => (stdout += text));
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text));
  const usage = { memory: 0, seen: new Map() };
  const sampling = setInterval(() => sample(child.pid, usage), SAMPLE_MS);
  const ended = new Promise((resolve) => {
    child.once("error", (error) => {
      output += `${error.message}\n`;
      resolve(null);
    });
    child.once("close", resolve);
  });
  const late = setTimeout(() => endGroup(child), seconds * 1000);
  const interrupt = () => endGroup(child);
  process.once("exit", interrupt);
  const code = await ended;
  clearTimeout(late);
  clearInterval(sampling);
  process.off("exit", interrupt);
  endGroup(child);
  endLeft(usage.seen);
  const ticks = [...usage.seen.values()].reduce((sum, { ticks: count }) => sum + count, 0);
  return {
    code,
    output,
    stdout,
    seconds: (performance.now() - began) / 1000,
    memoryMiB: usage.memory / 2 ** 20,
    cpuSeconds: (ticks * TICK_MS) / 1000,
  };
}

export function endGroup({ pid }) {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}

/** Ends servers that a suite left behind in groups of their own. A process with the same number may be another one by now. */
function endLeft(seen) {
  for (const [pid, { started }] of seen) {
    if (readStat(pid)?.started !== started) continue;
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended.
    }
  }
}

/** Adds the memory and time that the descendants of a process use now. */
function sample(root, usage) {
  const processes = new Map();
  for (const name of readProcesses()) {
    const stat = readStat(name);
    if (stat !== undefined) processes.set(Number(name), stat);
  }
  let memory = 0;
  for (const [pid, stat] of processes) {
    if (pid === root || !isBelow(pid, root, processes)) continue;
    memory += stat.rss;
    usage.seen.set(pid, stat);
  }
  usage.memory = Math.max(usage.memory, memory);
}

function readProcesses() {
  try {
    return readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

function readStat(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name of the program, in parentheses, may contain anything.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const ticks = Number(fields[11]) + Number(fields[12]);
    return { parent: Number(fields[1]), ticks, started: fields[19], rss: Number(fields[21]) * PAGE };
  } catch {
    return undefined;
  }
}

function isBelow(pid, root, processes) {
  for (let at = processes.get(pid)?.parent; at !== undefined && at > 1; at = processes.get(at)?.parent)
    if (at === root) return true;
  return false;
}
