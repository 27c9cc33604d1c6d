// npm run bench -- expressions [--quick] [expressions.json]
// Compiling distinct expressions of real policies from text to program: the first time in a process, and again when warm, by
// stage, and the heap that the programs keep. The file is a list of { expression }; by default the corpus beside the project.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { DYN } from "@celadon/cel";
import { compileExpression, kubeEnv } from "@celadon/kube-cel";
import { AUTHORIZER, RESOURCE_CHECK } from "@celadon/kube-cel/library";
import { cpuMs, FULL, median, nanosPerCall, QUICK } from "./measure.ts";

const { values, positionals } = parseArgs({
  options: { quick: { type: "boolean", default: false } },
  allowPositionals: true,
});
const effort = values.quick ? QUICK : FULL;
const corpus = process.env.CELADON_CORPUS ?? fileURLToPath(new URL("../../../shared/corpus", import.meta.url));
const file = positionals[0] ?? join(corpus, "expressions.json");
if (!existsSync(file)) {
  console.error(`no expressions at ${file}: name a file, or a corpus with CELADON_CORPUS`);
  process.exit(1);
}

/** Names that schemas and other expressions would declare are dynamic here. */
const names = "object oldObject params variables self oldSelf request namespaceObject anyObject".split(" ");
const env = kubeEnv({
  mode: "newExpressions",
  variables: {
    ...Object.fromEntries(names.map((name) => [name, DYN])),
    authorizer: AUTHORIZER,
    "authorizer.requestResource": RESOURCE_CHECK,
  },
});

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
const heap = (): number => {
  collect();
  return process.memoryUsage().heapUsed;
};

const read = JSON.parse(readFileSync(file, "utf8")) as readonly { readonly expression: string }[];
const texts = [...new Set(read.map(({ expression }) => expression))].slice(0, 1000);

const before = heap();
const kept: unknown[] = [];
const first = cpuMs(() => kept.push(...texts.map((text) => compileExpression(env, text))));
const bytes = heap() - before;
const accepted = texts.filter((text) => compileExpression(env, text).ok);
console.log(`node ${process.version}; CPU time, garbage collection included`);
console.log(`${texts.length} distinct expressions, ${texts.length - accepted.length} of them refused\n`);

const parsed = accepted.flatMap((text) => env.parse(text).ast ?? []);
const checked = parsed.map((ast) => env.check(ast));
row("all, the first time", first, "ms");
row("heap that they keep", bytes / kept.length, "bytes/expression");
row(
  "parse",
  micros(accepted, (text) => env.parse(text)),
  "µs/expression",
);
row(
  "check",
  micros(parsed, (ast) => env.check(ast)),
  "µs/expression",
);
row(
  "plan",
  micros(checked, (item) => env.plan(item)),
  "µs/expression",
);
row(
  "text to program, warm",
  micros(accepted, (text) => compileExpression(env, text)),
  "µs/expression",
);

function micros<T>(inputs: readonly T[], work: (input: T) => unknown): number {
  const rounds = (n: number): unknown => {
    let last: unknown;
    for (let i = 0; i < n; i++) for (const input of inputs) last = work(input);
    return last;
  };
  return median(nanosPerCall(rounds, inputs.length, effort)) / 1000;
}

function row(title: string, value: number, unit: string): void {
  console.log(`${title.padEnd(24)} ${value.toFixed(1).padStart(9)} ${unit}`);
}
