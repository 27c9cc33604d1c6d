// The fields that the expressions of a policy read, found in their trees. Expressions that do not parse have no facts.

import { type Expr, visit } from "@celadon/cel/ast";
import { parsingEnvironment } from "../../compile/parsing-environment.ts";
import type { Policy } from "../../policy.ts";
import { type ExpressionKind, expressionFields, type WrittenExpression } from "../expression-fields.ts";
import { type DataReads, dataReads, isIdent } from "./data-reads.ts";

export interface ExpressionFacts {
  readonly path: readonly (string | number)[];
  readonly text: string;
  readonly role: ExpressionKind;
  readonly name?: string;
  /** `object.…` or `object[…]`, which fails when there is no object; likewise the others. */
  readonly reads: ReadonlySet<Nullable>;
  /** The names that are compared with null. */
  readonly compared: ReadonlySet<Nullable>;
  readonly readsOperation: boolean;
  /** Variables it names. */
  readonly variables: readonly string[];
  /** Names of all fields it selects. */
  readonly fields: ReadonlySet<string>;
  /** Keys of maps of the object that it reads, and those it tests for: `"k" in m`, `has(m.k)`. */
  readonly keys: { readonly read: readonly MapKey[]; readonly asked: readonly MapKey[] };
  /** Fields of objects that it reads and tests. */
  readonly data: DataReads;
}

/** Variables that are null for some requests. */
const NULLABLE = ["object", "oldObject", "params"] as const;
export type Nullable = (typeof NULLABLE)[number];

export interface MapKey {
  readonly key: string;
  /** `object.metadata.labels` */
  readonly map: string;
}

export function parseTree(text: string): Expr | undefined {
  const { ast, issues } = parsingEnvironment().parse({ name: "<input>", text });
  return ast === undefined || issues.length > 0 ? undefined : ast.expr;
}

export function expressionFacts(policy: Policy): ExpressionFacts[] {
  return factsOf(expressionFields(policy), policy.spec.variables ?? []);
}

/** The facts of expressions of one policy or webhook; `variables` are in its order. */
export function factsOf(
  written: readonly WrittenExpression[],
  variables: readonly { readonly name: string }[],
): ExpressionFacts[] {
  const parsed = written.flatMap(({ kind: role, path, text }) => {
    const root = text === "" ? undefined : parseTree(text);
    const name = role === "variable" && { name: variables[Number(path.at(-2))]?.name ?? "" };
    return root === undefined ? [] : [{ role, path, text, ...name, root }];
  });
  const definitions = new Map(parsed.flatMap(({ name, root }) => (name === undefined ? [] : [[name, root] as const])));
  return parsed.map(({ root, ...expression }) => ({ ...expression, ...treeFacts(root, definitions) }));
}

export const variablesByName = (facts: readonly ExpressionFacts[]): ReadonlyMap<string, ExpressionFacts> =>
  new Map(facts.filter(({ role }) => role === "variable").map((fact) => [fact.name ?? "", fact]));

type TreeFacts = Omit<ExpressionFacts, "role" | "path" | "text" | "name">;

function treeFacts(root: Expr, definitions: ReadonlyMap<string, Expr>): TreeFacts {
  const variables: string[] = [];
  const fields = new Set<string>();
  const reads = new Set<Nullable>();
  const compared = new Set<Nullable>();
  let readsOperation = false;
  visit(root, {
    enter(expr, parent) {
      if (expr.kind === "select") {
        fields.add(expr.field);
        if (isIdent(expr.operand, "variables")) variables.push(expr.field);
        if (isIdent(expr.operand, "request") && expr.field === "operation") readsOperation = true;
      }
      const name = NULLABLE.find((text) => isIdent(expr, text));
      if (name !== undefined) {
        if (parent?.kind === "select" || (parent?.kind === "call" && parent.function === "_[_]")) reads.add(name);
        if (isComparison(parent) && parent.args.some(isNull)) compared.add(name);
      }
      return undefined;
    },
  });
  return {
    reads,
    compared,
    readsOperation,
    variables,
    fields,
    keys: mapKeys(root),
    data: dataReads(root, definitions),
  };
}

/** Fields of the API that are maps: their members may be absent, unlike fields. */
const MAPS: ReadonlySet<string> = new Set(["labels", "annotations", "matchLabels", "nodeSelector", "data"]);

/** Reading is `m["k"]` and, for maps everybody knows, `m.k`. */
function mapKeys(root: Expr): ExpressionFacts["keys"] {
  const read: MapKey[] = [];
  const asked: MapKey[] = [];
  const loops: { readonly name: string; readonly map: string | undefined }[] = [];
  visit(root, {
    leave(expr) {
      if (expr.kind === "comprehension") loops.pop();
    },
    enter(expr) {
      if (expr.kind === "comprehension") loops.push({ name: expr.iterVar, map: dataPath(expr.range) });
      // `m.exists(k, k == "key")`
      if (isComparison(expr)) {
        for (const [element, key] of [expr.args, [...expr.args].reverse()]) {
          const loop = loops.findLast(({ name }) => element !== undefined && isIdent(element, name));
          if (loop?.map !== undefined && isText(key)) asked.push({ map: loop.map, key: key.value });
        }
      }
      if (expr.kind === "select") {
        const map = dataPath(expr.operand);
        if (map === undefined) return undefined;
        const known = expr.operand.kind === "select" && MAPS.has(expr.operand.field);
        if (expr.test) asked.push({ map, key: expr.field });
        else if (known) read.push({ map, key: expr.field });
      }
      if (expr.kind !== "call" || (expr.function !== "_[_]" && expr.function !== "@in")) return undefined;
      const [first, second] = expr.args;
      const [holder, key, keys] = expr.function === "_[_]" ? [first, second, read] : [second, first, asked];
      const map = holder?.kind === "select" || holder?.kind === "call" ? dataPath(holder) : undefined;
      if (map !== undefined && isText(key)) keys.push({ map, key: key.value });
      return undefined;
    },
  });
  return { read, asked };
}

/** `object.metadata.labels`: selections from the object alone, optional ones with a default among them. */
function dataPath(expr: Expr): string | undefined {
  if (expr.kind === "ident") return expr.name === "object" || expr.name === "oldObject" ? expr.name : undefined;
  if (expr.kind === "call") {
    const [operand, field] = expr.target?.kind === "call" && expr.target.function === "_?._" ? expr.target.args : [];
    const holder = expr.function === "orValue" && operand !== undefined ? dataPath(operand) : undefined;
    return holder && isText(field) ? `${holder}.${field.value}` : undefined;
  }
  if (expr.kind !== "select" || expr.test) return undefined;
  const holder = dataPath(expr.operand);
  return holder && `${holder}.${expr.field}`;
}

function isComparison(expr: Expr | undefined): expr is Expr & { readonly kind: "call" } {
  return expr?.kind === "call" && (expr.function === "_==_" || expr.function === "_!=_");
}

function isNull(expr: Expr): boolean {
  return expr.kind === "literal" && expr.value === null;
}

function isText(expr: Expr | undefined): expr is Expr & { readonly kind: "literal"; readonly value: string } {
  return expr?.kind === "literal" && typeof expr.value === "string";
}
