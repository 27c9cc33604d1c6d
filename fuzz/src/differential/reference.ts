// The reference implementation, called through a program that reads `{"id","expr","vars"}` lines and answers one line each, at once. An
// expression that it does not survive, or not in time, counts as a panic, and the rest is sent again.

import { spawn } from "node:child_process";
import type { Answer } from "./answers.ts";
import type { Case } from "./cases.ts";

/** Seconds without an answer after which the program is ended; what takes longer runs out of memory sooner or later. */
const PATIENCE = 20;

export async function askReference(program: string, cases: readonly Case[]): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  while (answers.length < cases.length) {
    answers.push(...(await askOnce(program, cases.slice(answers.length))));
    if (answers.length < cases.length) answers.push({ panic: "the reference did not survive" });
  }
  return answers;
}

/** Returns the answers that the program gave before it ended. */
function askOnce(program: string, cases: readonly Case[]): Promise<readonly Answer[]> {
  const child = spawn(program, ["-stream"], { stdio: ["pipe", "pipe", "ignore"] });
  const answers: Answer[] = [];
  let rest = "";
  let last = Date.now();
  const watchdog = setInterval(() => {
    if (Date.now() - last > PATIENCE * 1000) child.kill("SIGKILL");
  }, 1000);
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    last = Date.now();
    const lines = (rest + text).split("\n");
    rest = lines.pop() as string;
    for (const line of lines) answers.push(JSON.parse(line) as Answer);
  });
  child.stdin.on("error", () => undefined); // it ended before it had read everything, which its answers show
  child.stdin.end(cases.map(lineOf).join(""));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", () => {
      clearInterval(watchdog);
      resolve(answers);
    });
  });
}

function lineOf({ expr, vars }: Case): string {
  return `{"id":"","expr":${JSON.stringify(expr)},"vars":${vars.replaceAll("\n", " ")}}\n`;
}
