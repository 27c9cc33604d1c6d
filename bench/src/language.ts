// npm run bench -- language: the language service. A keystroke in a workspace of 500 files, in CPU time; and how good completion is over real
// expressions, cut before each of their names. Figures are kept in results/language.json.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createSchemas } from "@celadon/admission/memory";
import type { KubeObject } from "@celadon/kube";
import { readDocuments } from "@celadon/kube/read";
import {
  completeExpression,
  ExpressionText,
  localViews,
  Sites,
  usageOf,
  Workspace,
  writtenTypes,
} from "@celadon/language";
import { expressionsIn } from "@celadon/simulator/manifests";
import { workspaceFiles } from "./input/language-files.ts";
import { keep } from "./keep.ts";
import { median } from "./measure.ts";

const beside = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const CORPUS = beside("../../../shared/corpus");

const KEYSTROKES = 100;
const WARM_UP = 20;

/** Their first argument declares a name. */
const MACROS =
  /^(?:all|exists|exists_one|existsOne|map|filter|sortBy|transformList|transformMap|optMap|optFlatMap|bind)$/;

const keystrokes = await measureKeystrokes();
const completion = existsSync(CORPUS) ? measureCompletion() : undefined;
if (completion === undefined) console.log(`no corpus at ${CORPUS}: completion was not measured`);
keep("language", { keystrokes, completion });

/** CPU milliseconds of what `work` does, all threads of the process. */
async function cpu(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

async function measureKeystrokes(): Promise<Record<string, unknown>> {
  const workspace = new Workspace();
  for (const [uri, text] of workspaceFiles()) workspace.set(uri, text);
  const uri = "policy-7.yaml";
  const answers: Record<string, number[]> = {
    "answer to a keystroke": [],
    "whole workspace linted": [],
    "verdicts again": [],
    "all of these": [],
  };
  await workspace.diagnostics(uri);
  await workspace.verdicts();
  for (let i = 0; i < KEYSTROKES; i++) {
    const { text } = workspace.file(uri)!;
    const at = text.lastIndexOf("object.spec.", text.indexOf(" <=")) + "object.spec.".length;
    const letter = "replicas"[i % 8]!;
    const end = i % 8 === 0 ? text.indexOf(" <=", at) : at + (i % 8);
    const start = i % 8 === 0 ? at : end;
    const spent = await cpu(async () => {
      workspace.edit(uri, [{ range: { start, end }, text: letter }]);
      const found = workspace.completion(uri, start + 1);
      if (!found.items.some(({ label }) => label === "replicas")) throw new Error("replicas is not offered");
      workspace.hover(uri, start);
      workspace.signature(uri, start);
      workspace.tokens(uri);
      await workspace.quickDiagnostics(uri);
    });
    const linted = await cpu(() => workspace.diagnostics(uri));
    const reviewed = await cpu(() => workspace.verdicts());
    answers["answer to a keystroke"]!.push(spent);
    answers["whole workspace linted"]!.push(linted);
    answers["verdicts again"]!.push(reviewed);
    answers["all of these"]!.push(spent + linted + reviewed);
  }
  console.log(
    `node ${process.version}; 500 files, 100 policies on 400 objects; CPU of ${KEYSTROKES - WARM_UP} keystrokes: median, 95 of 100, largest\n`,
  );
  const kept: Record<string, { readonly median: number; readonly p95: number; readonly largest: number }> = {};
  for (const [name, times] of Object.entries(answers)) {
    // The first ones warm the engine's compiler up.
    const counted = times.slice(WARM_UP).sort((a, b) => a - b);
    const figures = [median(counted), counted[Math.floor(counted.length * 0.95)]!, counted.at(-1)!];
    const [middle, p95, largest] = figures.map((ms) => Number(ms.toFixed(1))) as [number, number, number];
    const goal = name === "all of these" ? ` (goal: 50${largest <= 50 ? "" : ", missed"})` : "";
    console.log(
      `${name.padEnd(26)} ${[middle, p95, largest].map((ms) => `${ms.toFixed(1).padStart(7)} ms`).join("")}${goal}`,
    );
    kept[name] = { median: middle, p95, largest };
  }
  return kept;
}

interface Counted {
  names: number;
  offered: number;
  firstFive: number;
  /** Members of values without schema: labels, params without a definition. */
  unknown: number;
}

function measureCompletion(): Record<string, Counted> {
  const kinds = new Map<string, string>(
    (JSON.parse(readFileSync(join(CORPUS, "expressions.json"), "utf8")) as { expression: string; kind: string }[]).map(
      ({ expression, kind }) => [expression, kind],
    ),
  );
  const counts: Record<string, Counted> = {};
  for (const { object, sites } of corpusObjects()) {
    for (const { path, text } of expressionsIn(object)) {
      const kind = kinds.get(text);
      const site = kind === undefined ? undefined : sites.at(object, path);
      if (kind === undefined || site === undefined) continue;
      kinds.delete(text);
      counts[kind] ??= { names: 0, offered: 0, firstFive: 0, unknown: 0 };
      for (const [whole, token] of namesToComplete(text)) {
        const before = text.slice(0, token.start);
        const usage = usageOf(object, path, before, "");
        const { items } = completeExpression({ site, text: before, offset: before.length, usage });
        const at = items.findIndex(({ label }) => label === whole.textOf(token));
        count(counts[kind], at, at !== -1 || isKnown(site, before));
      }
    }
  }
  console.log("\nnames of real expressions, cut before each\n");
  const all = { names: 0, offered: 0, firstFive: 0, unknown: 0 };
  for (const [kind, counted] of Object.entries(counts)) {
    row(kind, counted);
    for (const key of ["names", "offered", "firstFive", "unknown"] as const) all[key] += counted[key];
  }
  row("all", all);
  return { ...counts, all };
}

function count(into: Counted, at: number, known: boolean): void {
  if (!known) {
    into.unknown++;
    return;
  }
  into.names++;
  if (at !== -1) into.offered++;
  if (at !== -1 && at < 5) into.firstFive++;
}

function row(name: string, { names, offered, firstFive, unknown }: Counted): void {
  const share = (part: number): string => `${((part / Math.max(1, names)) * 100).toFixed(1)} %`.padStart(8);
  console.log(
    `${name.padEnd(22)} ${String(names).padStart(6)} names, offered ${share(offered)} (goal 95), among five ${share(firstFive)} (goal 80); ${unknown} without a schema`,
  );
}

function* corpusObjects(): Generator<{ object: KubeObject; sites: Sites }> {
  for (const group of ["policies", "crds"]) {
    for (const source of readdirSync(join(CORPUS, group))) {
      for (const name of readdirSync(join(CORPUS, group, source))) {
        const folder = join(CORPUS, group, source, name);
        const objects = read(join(folder, group === "policies" ? "policy.yaml" : "crd.yaml"));
        const sites = new Sites(createSchemas({ definitions: read(join(folder, "crds.yaml")) }));
        for (const object of objects) yield { object, sites };
      }
    }
  }
}

function read(path: string): KubeObject[] {
  return existsSync(path)
    ? readDocuments(readFileSync(path, "utf8")).documents.map(({ value }) => value as KubeObject)
    : [];
}

/** Every name except those that a macro declares: nobody can predict the name of an element. */
function* namesToComplete(text: string): Generator<readonly [ExpressionText, ExpressionText["tokens"][number]]> {
  const whole = new ExpressionText(text);
  for (const [i, token] of whole.tokens.entries()) {
    if (token.is !== "name") continue;
    const open = whole.open(token.start).at(-1);
    const isFirst = open?.args.length === 1 || (open?.args.length === 2 && open.name.startsWith("transform"));
    const isDeclared =
      open?.receiver !== undefined &&
      MACROS.test(open.name) &&
      isFirst &&
      whole.is(i + 1, ",") &&
      (whole.is(i - 1, "(") || whole.is(i - 1, ","));
    if (!isDeclared) yield [whole, token];
  }
}

/** Whether the operand of a member has a known type; for names everything is known. */
function isKnown(site: NonNullable<ReturnType<Sites["at"]>>, before: string): boolean {
  const written = new ExpressionText(before);
  const last = written.before(before.length);
  const dot = written.is(last, "?") ? last - 1 : last;
  if (!written.is(dot, ".") || dot === 0) return true;
  const operand = before.slice(written.tokens[written.operandStart(dot - 1)]!.start, written.tokens[dot - 1]!.end);
  const views = localViews(site.views, written, before.length);
  return views.some(({ env }) =>
    writtenTypes(operand, env).some(({ kind }) => !["dyn", "any", "error"].includes(kind)),
  );
}
