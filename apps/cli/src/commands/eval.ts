// `celadon eval`: one expression, or a stream of them, with value, type and cost.

import { toJson } from "@celadon/cel";
import { formatValue } from "@celadon/cel/extend";
import { ADMINISTRATOR } from "@celadon/simulator";
import type { Args, Command, Option } from "../command.ts";
import { evaluateBatch, evaluatedJson } from "../eval/batch.ts";
import { type Evaluated, Evaluator } from "../eval/evaluate.ts";
import { readTextFile, refuseSharedStdin, variablesOf } from "../eval/variables.ts";
import { EXIT, type ExitCode, UsageError } from "../exit.ts";
import type { Io } from "../io.ts";
import { KUBE_VERSION } from "../options.ts";
import type { Answer } from "../output/answer.ts";
import { writeAnswer } from "../output/write.ts";
import { parseKubeVersion } from "../sources/kube-version.ts";

// biome-ignore format: one option per line
const OPTIONS: readonly Option[] = [
  { name: "object",           value: "FILE", help: "the variable object; - for standard input", choices: "files" },
  { name: "old-object",       value: "FILE", help: "the variable oldObject", choices: "files" },
  { name: "params",           value: "FILE", help: "the variable params", choices: "files" },
  { name: "request",          value: "FILE", help: "the variable request; without it one is made for the object", choices: "files" },
  { name: "namespace-object", value: "FILE", help: "the variable namespaceObject", choices: "files" },
  { name: "var",              value: "NAME=JSON", repeatable: true, help: "another variable, such as self for a CRD rule" },
  { name: "rbac",             value: "PATH", repeatable: true, help: "roles and bindings; declares authorizer", choices: "files" },
  { name: "as",               value: "USER", help: "who asks, for request and authorizer", fallback: ADMINISTRATOR.username ?? "" },
  { name: "as-group",         value: "GROUP", repeatable: true, help: "groups of who asks" },
  { name: "batch",            value: "FILE", help: "JSON lines {id, expr, vars}, or - for standard input; answers as JSON lines", choices: "files" },
  KUBE_VERSION,
];

export const command: Command = {
  name: "eval",
  summary: "evaluate an expression: value, type and cost",
  usage: "EXPRESSION | - [flags] | --batch FILE",
  about: `Compiles and evaluates an expression as a ValidatingAdmissionPolicy would, with the libraries of the Kubernetes minor asked for.
The expression - is read from standard input. Variables that no file is given for are null. With --batch, every line of a file is an
expression with its variables, and every line of the output its type, cost and value, error or compile error; values are tagged with
their types.
Exit code 1 means that the expression failed, 2 that it does not compile.`,
  options: OPTIONS,
  examples: [
    { what: "a sum", line: "celadon eval '1 + 2'" },
    { what: "a policy's clause on a manifest", line: "celadon eval 'object.spec.replicas <= 5' --object deploy.yaml" },
    {
      what: "from a pipe",
      line: "kubectl get pod web -o json | celadon eval 'has(object.spec.hostNetwork)' --object -",
    },
    { what: "an expression from a file", line: "celadon eval - --object deploy.yaml < clause.cel" },
    { what: "a rule of a CRD", line: `celadon eval 'self.min <= self.max' --var 'self={"min":1,"max":3}'` },
    { what: "what an older release says", line: "celadon eval 'ip(\"::1\").isLoopback()' --kube-version 1.29" },
  ],
  run: evaluate,
};

async function evaluate(args: Args, io: Io): Promise<ExitCode> {
  const version = parseKubeVersion(args.text("kube-version"));
  const batch = args.text("batch");
  const [given, ...more] = args.positionals;
  if (more.length > 0)
    throw new UsageError(`one expression at a time: found "${more[0]}" as well`, "quote it: 'a && b'");
  if (batch !== undefined) {
    if (given !== undefined) throw new UsageError("--batch and an expression exclude each other");
    const text = await readTextFile(batch, io, args);
    const { broken, failed } = evaluateBatch(text, batch, version, (line) => io.out.write(line), io.signal);
    if (failed > 0) return EXIT.internal;
    return broken > 0 ? EXIT.usage : EXIT.ok;
  }
  if (given === undefined)
    throw new UsageError("no expression", "celadon eval '1 + 2', or celadon eval - for one on standard input");
  refuseSharedStdin(args, given);
  const expression = given === "-" ? (await readTextFile("-", io, args)).trimEnd() : given;
  const variables = await variablesOf(args, io);
  const extra = args.list("var").map((text) => text.slice(0, Math.max(text.indexOf("="), 0)));
  const evaluator = new Evaluator(version, { authorizer: args.list("rbac").length > 0 }, extra);
  const evaluated = evaluator.evaluate(expression, variables, io.signal);
  return writeAnswer(answerOf(expression, evaluated), args, io);
}

function answerOf(expression: string, evaluated: Evaluated): Answer {
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
      ...("value" in evaluated && { tagged: evaluatedJson(evaluated).value }),
      ...value,
    },
    text: (paint) => {
      if ("compileError" in evaluated) return `${paint.red(evaluated.compileError)}\n`;
      const about = paint.dim(`type: ${evaluated.type}, cost: ${evaluated.cost}`);
      const result = "error" in evaluated ? paint.red(`error: ${evaluated.error}`) : formatValue(evaluated.value);
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
