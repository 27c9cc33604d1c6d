// Programs for tests that end when the test's process does, however that ends.

import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

/** Finds a program on the path, or in the usual places; undefined when it is not installed. */
export function findProgram(name: string): string | undefined {
  const folders = (process.env.PATH ?? "").split(":").filter((folder) => folder !== "");
  return [...folders, "/usr/bin", "/usr/local/bin"]
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
}

/**
 * The command line of a program that the system kills when its parent ends. Linux does that on request, which `setpriv` of util-linux
 * makes before it becomes the program; elsewhere the program is only ended by `startChild`.
 */
export function boundToParent(program: string, args: readonly string[]): [program: string, args: string[]] {
  const setpriv = process.platform === "linux" ? findProgram("setpriv") : undefined;
  return setpriv === undefined ? [program, [...args]] : [setpriv, ["--pdeathsig", "KILL", program, ...args]];
}

const running = new Set<ChildProcess>();

/** Starts a program that is killed when this process ends. Ctrl-C on a terminal reaches only this process. */
export function startChild(program: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  const child = spawn(...boundToParent(program, args), { ...options, detached: true });
  if (running.size === 0) process.on("exit", endAll);
  running.add(child);
  child.once("exit", () => {
    running.delete(child);
    if (running.size === 0) process.off("exit", endAll);
  });
  return child;
}

function endAll(): void {
  for (const child of running) child.kill("SIGKILL");
}
