// @celadon/merge beside the Go libraries it follows, over random cases. Not part of the tests.
//
//   d=$(mktemp -d) && cp main.go go.mod $d && (cd $d && go mod tidy && go build -o differ .)
//   node compare.mjs $d/differ <kubernetes>/api/openapi-spec/v3 [cases] [seed] [manage|strategic|json|merge]

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { applyQuestion } from "./ours.mjs";
import { questions } from "./questions.mjs";

const [binary, documents, count = "1000", seed = "1", only] = process.argv.slice(2);
const differ = spawn(binary, [documents], { stdio: ["pipe", "pipe", "inherit"] });
const lines = createInterface({ input: differ.stdout })[Symbol.asyncIterator]();

const tally = new Map();
let differences = 0;
for (const [number, question] of questions(Number(count), Number(seed), only).entries()) {
  let theirs = await ask(question);
  const ours = applyQuestion(question);
  let outcome = verdict(theirs, ours);
  // Go walks maps in no order: of several problems it finds another one first each time, and directives meet in another order.
  for (let again = 0; again < 60 && outcome === "different"; again++) {
    theirs = await ask(question);
    outcome = verdict(theirs, ours);
  }
  tally.set(`${question.op} ${outcome}`, (tally.get(`${question.op} ${outcome}`) ?? 0) + 1);
  if (outcome !== "different") continue;
  differences++;
  if (differences <= 20) {
    console.log(`--- case ${number}`);
    console.log(JSON.stringify(question));
    console.log("theirs", JSON.stringify(theirs));
    console.log("ours  ", JSON.stringify(ours));
  }
}
differ.stdin.end();
console.log(Object.fromEntries([...tally].sort()));
process.exitCode = differences > 0 ? 1 : 0;

async function ask(question) {
  if (!differ.stdin.write(`${JSON.stringify(question)}\n`))
    await new Promise((done) => differ.stdin.once("drain", done));
  return JSON.parse((await lines.next()).value);
}

function verdict(theirs, ours) {
  if (theirs.error?.startsWith("panic")) return "panic there";
  if (theirs.objects !== undefined) {
    let failed = false;
    for (const [i, object] of theirs.objects.entries()) {
      if (theirs.errors[i] !== "") {
        failed = true;
        if (!sameError(theirs.errors[i], ours.errors[i])) return "different";
      } else if (ours.errors[i] !== "" || canonical(object) !== canonical(ours.objects[i])) return "different";
    }
    return failed ? "same with errors" : "same";
  }
  if (theirs.error) return ours.error !== undefined && sameError(theirs.error, ours.error) ? "same error" : "different";
  return ours.error === undefined && canonical(theirs.object) === canonical(ours.object) ? "same" : "different";
}

/** Go walks maps in no order, so that another of several problems may come first, and lines may be in any order. */
function sameError(theirs, ours) {
  if (theirs === ours) return true;
  if (ours === undefined || ours === "") return false;
  const lines = (text) =>
    text
      .split("\n")
      .map((line) => line.trim())
      .sort()
      .join("\n");
  if (lines(theirs) === lines(ours)) return true;
  const partial = /field not declared in schema/;
  return partial.test(theirs) && partial.test(ours);
}

/** Members in order, without times; as pairs, so that no name means anything to JavaScript. */
function canonical(value) {
  return JSON.stringify(plain(value));
}

function plain(value) {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([key]) => key !== "time");
  return { map: members.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, item]) => [key, plain(item)]) };
}
