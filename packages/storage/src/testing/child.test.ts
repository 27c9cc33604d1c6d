import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { boundToParent } from "./child.ts";

const [program, args] = boundToParent("sleep", ["120"]);

test.skipIf(program === "sleep")(
  "a program ends with its parent, also when that is killed (Linux with setpriv)",
  async () => {
    const start = `const { spawn } = require("node:child_process");
    console.log(spawn(...${JSON.stringify([program, args])}, { stdio: "ignore" }).pid);
    setInterval(() => {}, 1000);`;
    const parent = spawn(process.execPath, ["-e", start], { stdio: ["ignore", "pipe", "inherit"] });
    const pid = Number(await new Promise((resolve) => parent.stdout.once("data", resolve)));
    expect(isRunning(pid)).toBe(true);
    parent.kill("SIGKILL");
    while (isRunning(pid)) await new Promise((resolve) => setTimeout(resolve, 10));
  },
);

/** The parent of an ended process may leave it as a zombie. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}
