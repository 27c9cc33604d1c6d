// npm run bench -- prove [--quick] [--keep]: every question about the validations of the corpus' policies: how many are decided within a
// second, how long they take, and the memory at the end. Nothing without the corpus.

import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type AskedQuestion, askAll } from "@celadon/prove";
import { SimulatedCluster } from "@celadon/simulator";
import { type Manifest, readManifests } from "@celadon/simulator/manifests";
import { keep, load } from "./keep.ts";

const { values } = parseArgs({
  options: { quick: { type: "boolean", default: false }, keep: { type: "boolean", default: false } },
});
const corpus = process.env.CELADON_CORPUS ?? fileURLToPath(new URL("../../../shared/corpus", import.meta.url));
const policies = `${corpus}/policies`;
if (!existsSync(policies)) {
  console.log(`prove: no corpus at ${corpus}`);
  process.exit(0);
}

const KINDS: ReadonlySet<unknown> = new Set([
  "ValidatingAdmissionPolicy",
  "ValidatingAdmissionPolicyBinding",
  "CustomResourceDefinition",
]);

function directories(directory: string): string[] {
  return readdirSync(directory).flatMap((name) => {
    const path = `${directory}/${name}`;
    return statSync(path).isDirectory() ? [path, ...directories(path)] : [];
  });
}

function manifestsOf(directory: string): Manifest[] {
  return readdirSync(directory)
    .filter((name) => /\.ya?ml$/.test(name))
    .flatMap((name) => [...readManifests(readFileSync(`${directory}/${name}`, "utf8"), name).manifests])
    .filter(({ object }) => KINDS.has(object.kind));
}

/** Many policies are there in several copies. */
const groups = new Map<string, readonly Manifest[]>();
for (const directory of directories(policies)) {
  const manifests = manifestsOf(directory);
  const own = manifests.filter(({ object }) => object.kind === "ValidatingAdmissionPolicy");
  if (own.length > 0) groups.set(JSON.stringify(own.map(({ object }) => object.spec)), manifests);
}

const QUESTIONS: ReadonlySet<string> = new Set(["never-errors", "always", "never", "redundant"]);
const asked: AskedQuestion[] = [];
const times: number[] = [];
const chosen = values.quick ? [...groups.values()].slice(0, 30) : [...groups.values()];
for (const manifests of chosen) {
  let start = performance.now();
  for await (const item of askAll(SimulatedCluster.of(manifests))) {
    if (QUESTIONS.has(item.question)) {
      times.push(performance.now() - start);
      asked.push(item);
    }
    start = performance.now();
  }
}
times.sort((a, b) => a - b);
const at = (part: number): number => Math.round((times[Math.floor(part * (times.length - 1))] ?? 0) * 10) / 10;
const count = (question: string, is: string): number =>
  asked.filter(({ question: name, answer }) => name === question && answer.is === is).length;
const answers = Object.fromEntries(
  [...QUESTIONS].map((question) => [
    question,
    {
      proved: count(question, "proved"),
      counterexample: count(question, "counterexample"),
      unknown: count(question, "unknown"),
    },
  ]),
);
const decided = asked.filter(({ answer }) => answer.is !== "unknown").length;
const figures = {
  load: load(),
  policies: chosen.length,
  questions: asked.length,
  decided: Math.round((1000 * decided) / asked.length) / 10,
  answers,
  milliseconds: { median: at(0.5), p75: at(0.75), p90: at(0.9), p99: at(0.99), most: at(1) },
  megabytes: Math.round(process.memoryUsage().rss / 2 ** 20),
};
console.log(JSON.stringify(figures, undefined, 2));
if (values.keep) keep("prove", figures);
