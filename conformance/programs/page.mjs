// The table of docs/reference/programs.md, from the kept outcomes; a test compares it.

import { readFileSync, writeFileSync } from "node:fs";
import { programs } from "./programs.mjs";
import { readResults } from "./results.mjs";

const PAGE = new URL("../../docs/reference/programs.md", import.meta.url);
const START = "<!-- outcomes: written by npm run programs -->";
const END = "<!-- end of outcomes -->";

export const readPage = () => readFileSync(PAGE, "utf8");

export function writePage() {
  writeFileSync(PAGE, withOutcomes(readPage(), readResults()));
}

export function withOutcomes(page, results) {
  const from = page.indexOf(START) + START.length;
  return `${page.slice(0, from)}\n${table(results)}\n${page.slice(page.indexOf(END))}`;
}

/** In the order of the campaign. */
function table(results) {
  const rows = programs.flatMap(({ name, what }) => {
    const kept = results.find((result) => result.name === name);
    return kept === undefined ? [] : [row(what, kept)];
  });
  return [
    "| program | version | here | Kubernetes | processor time | memory |",
    "| --- | --- | ---: | ---: | ---: | ---: |",
    ...rows,
  ].join("\n");
}

function row(what, { version, here, there }) {
  const cells = [what, version, count(here), count(there), both(here, there, seconds), both(here, there, memory)];
  return `| ${cells.join(" | ")} |`;
}

/** Passed of all that ran. */
function count(outcome) {
  if (outcome === undefined) return "";
  const all = outcome.passed + outcome.failed.length;
  return outcome.passed === all ? `all ${all}` : `${outcome.passed} of ${all}`;
}

function both(here, there, text) {
  const texts = [here, there].flatMap((outcome) => (outcome === undefined ? [] : [text(outcome)]));
  return texts.every((each) => each === "") ? "" : texts.join(" / ");
}

const seconds = ({ cpuSeconds }) => (cpuSeconds > 0 ? `${Math.round(cpuSeconds)} s` : "");
const memory = ({ memoryMiB }) => (memoryMiB > 0 ? `${memoryMiB} MiB` : "");
