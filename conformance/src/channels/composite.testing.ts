// Runs a composite action as GitHub's runner does: expressions are replaced, steps run in bash or are recorded, outputs pass on.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { folder, program } from "./workplace.testing.ts";

interface Step {
  readonly id?: string;
  readonly if?: string;
  readonly shell?: string;
  readonly run?: string;
  readonly uses?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, string>>;
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default?: string }>>;
  readonly outputs: Readonly<Record<string, { readonly description: string; readonly value: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

export interface ActionRun {
  readonly code: number;
  readonly log: string;
  readonly summary: string;
  readonly outputs: Readonly<Record<string, string>>;
  /** The other actions that ran, with their inputs. */
  readonly used: readonly { readonly uses: string; readonly with: Readonly<Record<string, string>> }[];
}

export const readAction = (file: string): Action => parse(readFileSync(file, "utf8")) as Action;

export async function runAction(
  directory: string,
  given: Readonly<Record<string, string>>,
  runner: { readonly cwd: string; readonly env: Readonly<Record<string, string>>; readonly github: object },
): Promise<ActionRun> {
  const action = readAction(join(directory, "action.yml"));
  const temporary = folder({ output: "", summary: "" });
  const [outputFile, summaryFile] = [join(temporary, "output"), join(temporary, "summary")];
  const steps: Record<string, { outputs: Record<string, string> }> = {};
  const inputs: Record<string, string> = {};
  const context = { github: runner.github, inputs, steps };
  for (const [name, { default: fallback = "" }] of Object.entries(action.inputs))
    inputs[name] = given[name] ?? replaced(fallback, context);
  const used: { uses: string; with: Record<string, string> }[] = [];
  let [code, log] = [0, ""];
  for (const step of action.runs.steps) {
    if (code !== 0 || (step.if !== undefined && !holds(step.if, context))) continue;
    if (step.uses !== undefined) {
      used.push({ uses: step.uses, with: allReplaced(step.with, context) });
      continue;
    }
    if (step.shell !== "bash" || step.run === undefined) throw new Error("a step without shell or script");
    writeFileSync(outputFile, "");
    const env = {
      ...runner.env,
      GITHUB_ACTION_PATH: directory,
      GITHUB_OUTPUT: outputFile,
      GITHUB_STEP_SUMMARY: summaryFile,
      GITHUB_WORKSPACE: runner.cwd,
      RUNNER_TEMP: temporary,
      ...allReplaced(step.env, context),
    };
    const script = replaced(step.run, context);
    const ran = await program("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", script], {
      cwd: runner.cwd,
      env,
    });
    log += ran.stdout + ran.stderr;
    code = ran.code ?? 1;
    const lines = readFileSync(outputFile, "utf8").split("\n").filter(Boolean);
    if (step.id !== undefined)
      steps[step.id] = { outputs: Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2))) };
  }
  const outputs = Object.entries(action.outputs).map(([name, { value }]) => [name, replaced(value, context)]);
  return { code, log, summary: readFileSync(summaryFile, "utf8"), outputs: Object.fromEntries(outputs), used };
}

const allReplaced = (texts: Readonly<Record<string, string>> = {}, context: object): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, replaced(text, context)]));

const replaced = (text: string, context: object): string =>
  text.replaceAll(/\$\{\{ ([\w.-]+) \}\}/g, (_, path: string) => contextValue(path, context));

/** A missing value is empty, as in GitHub's expressions. */
function contextValue(path: string, context: object): string {
  const value = path
    .split(".")
    .reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], context);
  return value === undefined ? "" : String(value);
}

/** Comparisons with a text, joined by `&&`: all that the action uses. */
function holds(condition: string, context: object): boolean {
  return condition.split(" && ").every((part) => {
    const [, path, operator, text] = /^([\w.-]+) (==|!=) '(.*)'$/.exec(part) ?? [];
    if (path === undefined) throw new Error(`cannot read the condition ${part}`);
    return (contextValue(path, context) === text) === (operator === "==");
  });
}
