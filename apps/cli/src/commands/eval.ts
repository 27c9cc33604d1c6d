// `celadon eval`: evaluates an expression, or one per line of a file.

import { type Issue, toJson } from "@celadon/cel";
import { formatValue } from "@celadon/cel/values";
import { ADMINISTRATOR, type EvaluatedExpression, Evaluator } from "@celadon/simulator";
import { evaluateBatch, evaluatedJson } from "../eval/batch.ts";
import { refuseSharedStdin, variablesOf } from "../eval/variables.ts";
import { KUBE_VERSION } from "../inputs/options.ts";
import { readTextFile } from "../inputs/value-file.ts";
import type { CommandReport } from "../output/answer.ts";
import { unbroken } from "../output/visible.ts";
import { writeAnswer } from "../output/write.ts";
import { type ArgsOf, type Command, defineCommand, type Option } from "../program/command.ts";
import { EXIT, type ExitCode, UsageError } from "../program/exit.ts";
import type { Io } from "../program/io.ts";
import { displayName } from "../sources/issue.ts";
import { parseKubeVersion } from "../sources/kube-version.ts";

// biome-ignore format: one option per line
const OPTIONS = [
  { name: "object",           value: "FILE", help: "value of the variable object; - for standard input", choices: "files" },
  { name: "old-object",       value: "FILE", help: "value of the variable oldObject", choices: "files" },
  { name: "params",           value: "FILE", help: "value of the variable params", choices: "files" },
  { name: "request",          value: "FILE", help: "value of the variable request; by default built from the object", choices: "files" },
  { name: "namespace-object", value: "FILE", help: "value of the variable namespaceObject", choices: "files" },
  { name: "var",              value: "NAME=JSON", repeatable: true, help: "any other variable, such as self for a CRD rule" },
  { name: "rbac",             value: "PATH", repeatable: true, help: "roles and role bindings; declares the variable authorizer", choices: "files" },
  { name: "as",               value: "USER", help: "user to impersonate, for request and authorizer", fallback: ADMINISTRATOR.username ?? "" },
  { name: "as-group",         value: "GROUP", repeatable: true, help: "group to impersonate" },
  { name: "batch",            value: "FILE", help: "JSON lines {id, expr, vars}, or - for standard input; prints one JSON line for each", choices: "files" },
  KUBE_VERSION,
] as const satisfies readonly Option[];

export const command: Command = defineCommand({
  name: "eval",
  summary: "evaluate an expression: value, type and cost",
  failure: "the evaluation failed",
  usage: "EXPRESSION | - [flags] | --batch FILE",
  about: `Compiles and evaluates an expression as a ValidatingAdmissionPolicy would, with the libraries of the given Kubernetes version.
Use - to read the expression from standard input. Variables without a value are null.

With --batch, each input line is an expression with its variables, and each output line has its type, cost and value, or the error.
Values are tagged with their types.

The exit code is 1 if evaluation fails and 2 if the expression does not compile.`,
  options: OPTIONS,
  examples: [
    { what: "evaluate a sum", line: "celadon eval '1 + 2'" },
    {
      what: "evaluate a policy's expression on a manifest",
      line: "celadon eval 'object.spec.replicas <= 5' --object deploy.yaml",
    },
    {
      what: "read the object from a pipe",
      line: "kubectl get pod web -o json | celadon eval 'has(object.spec.hostNetwork)' --object -",
    },
    { what: "read the expression from a file", line: "celadon eval - --object deploy.yaml < clause.cel" },
    { what: "evaluate a CRD rule", line: `celadon eval 'self.min <= self.max' --var 'self={"min":1,"max":3}'` },
    { what: "try an older Kubernetes version", line: "celadon eval 'ip(\"::1\").isLoopback()' --kube-version 1.29" },
  ],
  run: evaluate,
});

async function evaluate(args: ArgsOf<typeof OPTIONS>, io: Io): Promise<ExitCode> {
  const version = parseKubeVersion(args.text("kube-version"));
  const batch = args.text("batch");
  const [given, ...more] = args.positionals;
  if (more.length > 0) throw new UsageError(`expected one expression: also found "${more[0]}"`, "quote it: 'a && b'");
  if (batch !== undefined) {
    if (given !== undefined) throw new UsageError("--batch cannot be used with an expression");
    const text = await readTextFile(batch, io, args);
    const { lines, broken, failed } = evaluateBatch(text, batch, version, (line) => io.out.write(line), io.signal);
    if (lines === 0)
      throw new UsageError(`${displayName(batch)} has no lines`, '--batch reads JSON lines such as {"expr": "1 + 2"}');
    if (failed > 0) return EXIT.internal;
    return broken > 0 ? EXIT.usage : EXIT.ok;
  }
  if (given === undefined)
    throw new UsageError("no expression", "try celadon eval '1 + 2', or celadon eval - to read it from standard input");
  refuseSharedStdin(args, given);
  const expression = given === "-" ? (await readTextFile("-", io, args)).trimEnd() : given;
  const variables = await variablesOf(args, io);
  const extra = args.list("var").map((text) => text.slice(0, Math.max(text.indexOf("="), 0)));
  const evaluator = new Evaluator(version, { authorizer: args.list("rbac").length > 0 }, extra);
  const evaluated = evaluator.evaluate(expression, variables, io.signal);
  const help = "issues" in evaluated ? await helpOf(expression, evaluated.issues, evaluator.names) : undefined;
  return writeAnswer(answerOf(expression, evaluated, help), args, io);
}

/** Finds the advice that `lint` would give. */
async function helpOf(text: string, issues: readonly Issue[], names: readonly string[]): Promise<string | undefined> {
  const { expressionHelp, Vocabulary } = await import("@celadon/lint");
  const vocabulary = new Vocabulary();
  const found = issues.flatMap((issue) => expressionHelp({ issue, text, names }, vocabulary) ?? []);
  return found[0];
}

function answerOf(expression: string, evaluated: EvaluatedExpression, help: string | undefined): CommandReport {
  const failed = "compileError" in evaluated || "error" in evaluated;
  const message = "compileError" in evaluated ? evaluated.compileError : "error" in evaluated ? evaluated.error : "";
  const value = "value" in evaluated ? { value: toJson(evaluated.value) } : {};
  return {
    results: [
      { group: "eval", name: expression, level: failed ? "error" : "pass", rule: "eval", message, system: "eval" },
    ],
    document: {
      apiVersion: "celadon.dev/v1",
      kind: "Evaluation",
      expression,
      ...evaluatedJson(evaluated),
      ...(help !== undefined && { help }),
      ...("value" in evaluated && { tagged: evaluatedJson(evaluated).value }),
      ...value,
    },
    text: (paint) => {
      if ("compileError" in evaluated) {
        return `${paint.red(evaluated.compileError)}\n${help === undefined ? "" : `  help: ${help}\n`}`;
      }
      const about = paint.dim(`type: ${evaluated.type}, cost: ${evaluated.cost}`);
      const result =
        "error" in evaluated ? paint.red(`error: ${unbroken(evaluated.error)}`) : formatValue(evaluated.value);
      return `${result}\n${about}\n`;
    },
    table: {
      columns: ["VALUE", "TYPE", "COST"],
      rows: [
        "compileError" in evaluated
          ? [message, "", ""]
          : ["error" in evaluated ? message : formatValue(evaluated.value), evaluated.type, String(evaluated.cost)],
      ],
    },
    exit: "compileError" in evaluated ? EXIT.usage : "error" in evaluated ? EXIT.failed : EXIT.ok,
  };
}
