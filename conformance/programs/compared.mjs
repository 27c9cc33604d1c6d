// Clients whose answers are compared: a script prints a line `### NAME` before each of its checks, and the text that follows must be what the
// script prints with Kubernetes' own programs. Their answers are recorded, so that they need not run again.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { run, Skipped } from "./processes.mjs";

const FOLDER = fileURLToPath(new URL("recorded/", import.meta.url));

/**
 * A program of the campaign. `prepare` gets the script ready, and returns its program, arguments and environment; `differences` are checks whose
 * answers differ for a reason.
 */
export function compared({ name, version, differences = {}, prepare }) {
  return {
    name,
    version,
    async prepare(work, sides) {
      const script = await prepare(work, sides);
      const file = `${FOLDER}${name}.json`;
      return async (side) => {
        const first = await once(script, side);
        if (side.name === "here") return { ...first, tests: outcomes(first, recorded(file, version)) };
        if (first.code !== 0)
          throw new Skipped(`its script fails on Kubernetes: ${first.output.trim().split("\n").at(-1)}`);
        // Answers that are never the same twice cannot be compared.
        const second = await once(script, side);
        const stable = [...first.answers].filter(
          ([check, text]) => second.answers.get(check) === text && differences[check] === undefined,
        );
        const fleeting = [...first.answers.keys()].filter((check) => !stable.some(([known]) => known === check));
        mkdirSync(FOLDER, { recursive: true });
        const kept = { version, answers: Object.fromEntries(stable) };
        writeFileSync(file, `${JSON.stringify(kept, undefined, 1)}\n`);
        const tests = new Map([
          ...stable.map(([check]) => [check, "passed"]),
          ...fleeting.map((check) => [check, "skipped"]),
        ]);
        return { ...first, tests };
      };
    },
  };
}

async function once({ program, args, env, cwd }, side) {
  const server = await side.start();
  try {
    const result = await run(program, args, {
      cwd,
      env: { ...process.env, ...env, KUBECONFIG: server.kubeconfig, NO_COLOR: "1" },
    });
    side.keep(program.split("/").at(-1), result.output);
    return { ...result, memoryMiB: 0, cpuSeconds: 0, answers: answersOf(result.stdout) };
  } finally {
    await server.close();
  }
}

function answersOf(output) {
  const answers = new Map();
  for (const part of output.split(/^### /m).slice(1)) {
    const end = part.indexOf("\n");
    const name = part.slice(0, end);
    let n = 1;
    while (answers.has(n === 1 ? name : `${name} #${n}`)) n++;
    answers.set(n === 1 ? name : `${name} #${n}`, part.slice(end + 1).trimEnd());
  }
  return answers;
}

function recorded(file, version) {
  if (!existsSync(file)) throw new Skipped("no answers are recorded; run it with --real");
  const { version: known, answers } = JSON.parse(readFileSync(file, "utf8"));
  if (known !== version) throw new Skipped(`answers are recorded for ${known}; run it with --real`);
  return new Map(Object.entries(answers));
}

function outcomes({ answers, code }, wanted) {
  const tests = new Map([...wanted].map(([check, text]) => [check, answers.get(check) === text ? "passed" : "failed"]));
  if (code !== 0) tests.set("the script ends without an error", "failed");
  return tests;
}
