// What to do about an expression that does not compile: names that were probably meant, and fields that bring a name.

import { describe } from "@celadon/cel";
import { kubeEnv } from "@celadon/kube-cel";
import { nearest } from "../args/nearest.ts";
import type { Judged } from "./judge.ts";
import type { Path } from "./problem.ts";

const NAMES: Readonly<Record<Judged["role"], readonly string[]>> = {
  policy: ["object", "oldObject", "request", "params", "namespaceObject", "variables", "authorizer"],
  webhooks: ["object", "oldObject", "request", "authorizer"],
  definition: ["self", "oldSelf"],
  certificatePolicy: ["self", "cr"],
  binding: [],
};

/** `rest` is the expression from where the issue is. */
export function compileHelp(message: string, rest: string, judged: Judged, path: Path): string | undefined {
  const undeclared = /^undeclared reference to '([^']*)'/.exec(message)?.[1];
  if (undeclared !== undefined) {
    return rest.startsWith("(") ? functionHelp(undeclared) : nameHelp(undeclared, judged, path);
  }
  const field = /^undefined field '([^']*)'/.exec(message)?.[1];
  if (field !== undefined && judged.role === "policy") {
    const variables = (judged.resource?.spec.variables ?? []).map(({ name }) => name);
    if (variables.includes(field)) return "variables know only those that stand before them";
    const guess = nearest(field, variables);
    return guess === undefined ? undefined : `did you mean "${guess}"?`;
  }
  if (message.startsWith("Syntax error: mismatched input '='") || /^=[^=]/.test(rest)) return "compare with ==";
  return undefined;
}

let callable: readonly string[] | undefined;

function functionHelp(name: string): string | undefined {
  if (callable === undefined) {
    const { functions, macros } = describe(kubeEnv());
    const names = [...functions, ...macros].map(({ name }) => name);
    callable = [...new Set(names)].filter((one) => /^[A-Za-z]/.test(one)); // `_+_` is not written as a call
  }
  const guess = nearest(name, callable);
  return guess === undefined || guess === name ? undefined : `did you mean "${guess}"?`;
}

function nameHelp(name: string, judged: Judged, path: Path): string | undefined {
  if (judged.role === "policy") {
    if (name === "params") return "params are there when the policy has a spec.paramKind";
    if (name === "variables" && path.includes("matchConditions"))
      return "match conditions are evaluated before variables";
    const variables = (judged.resource?.spec.variables ?? []).map((one) => one.name);
    if (variables.includes(name)) return `write variables.${name}`;
  }
  if (name === "oldSelf" || (judged.role === "definition" && name === "object")) return undefined;
  const guess = nearest(name, NAMES[judged.role]);
  return guess === undefined ? undefined : `did you mean "${guess}"?`;
}
