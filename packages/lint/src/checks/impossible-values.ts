// Comparisons of a field with a value that it cannot have: `object.spec.strategy.type == "rolling"`. For custom resources the enum of
// the schema shows it; for built-in kinds, the API server's own validation of an object with that value.

import type { Schemas } from "@celadon/admission/memory";
import type { Policy } from "@celadon/admission/policy";
import { expressionFields } from "@celadon/admission/resources";
import type { JsonPath } from "@celadon/base";
import { type Ast, type Expr, visit } from "@celadon/cel/ast";
import { apiVersionOf, type GroupVersionKind, type KubeObject } from "@celadon/kube";
import { isBuiltinGroup } from "@celadon/kube/types";
import { loadKindRules, ValidatedField } from "@celadon/kube/validation";
import { schemaAt } from "@celadon/simulator";
import type { Manifest } from "@celadon/simulator/manifests";
import { guessed } from "../help/expression-help.ts";
import type { Vocabulary } from "../help/vocabulary.ts";
import { type LintProblem, problem } from "../problem.ts";
import { wordLength } from "./word-length.ts";

/** Policies for more kinds than this are about common fields. */
const MOST_KINDS = 10;

/** Only a value that no matched kind accepts is a problem. */
export async function impossibleValueProblems(
  manifest: Manifest,
  policy: Policy,
  kinds: readonly GroupVersionKind[],
  schemas: Schemas,
  { env }: Vocabulary,
): Promise<LintProblem[]> {
  if (kinds.length === 0 || kinds.length > MOST_KINDS) return [];
  const parsed = expressionFields(policy).flatMap(({ path, text }) => {
    const { ast, issues } = env.parse({ name: "<input>", text });
    return ast === undefined || issues.length > 0 ? [] : [{ path, text, ast }];
  });
  const variables = new Map(
    parsed.flatMap(({ path, ast }) =>
      path[1] === "variables" ? [[policy.spec.variables?.[Number(path[2])]?.name ?? "", ast.expr] as const] : [],
    ),
  );
  const found: LintProblem[] = [];
  for (const { path, text, ast } of parsed) {
    for (const { field, value, at } of comparisonsIn(ast, variables)) {
      const accepted = await Promise.all(kinds.map((kind) => acceptedInstead(kind, field, value, schemas)));
      const [first] = accepted;
      if (first === undefined || accepted.some((values) => values === undefined)) continue;
      const values = first.map((item) => JSON.stringify(item)).join(", ");
      const message = `${fieldText(field)} is never ${JSON.stringify(value)}: the API server accepts only ${values}`;
      const place = { offset: at, length: wordLength(text, at) };
      found.push(problem("impossible_value", manifest, path, message, { ...place, help: guessed(value, first) }));
    }
  }
  return found;
}

/** `spec.containers[*].imagePullPolicy` */
const fieldText = (field: JsonPath): string =>
  field.map((step, i) => (typeof step === "number" ? "[*]" : `${i === 0 ? "" : "."}${step}`)).join("");

interface Comparison {
  /** In the object; `0` stands for every element of a list. */
  readonly field: JsonPath;
  readonly value: string;
  /** The value's offset in the expression. */
  readonly at: number;
}

/** `field == "a"`, `field != "a"`, `field in ["a", "b"]`, with fields of the object, of elements of its lists and of variables. */
function comparisonsIn({ expr: root, spans }: Ast, variables: ReadonlyMap<string, Expr>): Comparison[] {
  const found: Comparison[] = [];
  const elements: { readonly name: string; readonly path: JsonPath | undefined }[] = [];
  const pathOf = (expr: Expr): JsonPath | undefined => fieldPath(expr, variables, elements);
  visit(root, {
    enter(expr) {
      if (expr.kind === "comprehension") {
        const range = pathOf(expr.range);
        const isList = expr.iterVar2 === "" && range !== undefined;
        elements.push({ name: expr.iterVar, path: isList ? [...range, 0] : undefined });
      }
      if (expr.kind !== "call") return undefined;
      const [left, right] = expr.args;
      if (left === undefined || right === undefined) return undefined;
      const pairs: readonly (readonly [Expr, Expr])[] =
        expr.function === "_==_" || expr.function === "_!=_"
          ? [
              [left, right],
              [right, left],
            ]
          : expr.function === "@in" && right.kind === "list"
            ? right.elements.map((element) => [left, element] as const)
            : [];
      for (const [field, value] of pairs) {
        const path = value.kind === "literal" && typeof value.value === "string" ? pathOf(field) : undefined;
        // An absent value is a question of its own.
        if (path === undefined || value.kind !== "literal" || value.value === "") continue;
        found.push({ field: path, value: String(value.value), at: Math.max(0, spans.get(value.id)?.at ?? 0) });
      }
      return undefined;
    },
    leave(expr) {
      if (expr.kind === "comprehension") elements.pop();
    },
  });
  return found;
}

function fieldPath(
  expr: Expr,
  variables: ReadonlyMap<string, Expr>,
  elements: readonly { readonly name: string; readonly path: JsonPath | undefined }[],
): JsonPath | undefined {
  if (expr.kind === "ident") {
    const element = elements.findLast(({ name }) => name === expr.name);
    if (element !== undefined) return element.path;
    return expr.name === "object" || expr.name === "oldObject" ? [] : undefined;
  }
  if (expr.kind === "call" && expr.function === "_[_]") {
    const [holder, index] = expr.args;
    const path = holder && fieldPath(holder, variables, elements);
    return path && index?.kind === "literal" && typeof index.value === "bigint" ? [...path, 0] : undefined;
  }
  if (expr.kind !== "select" || expr.test) return undefined;
  if (expr.operand.kind === "ident" && expr.operand.name === "variables") {
    const variable = variables.get(expr.field);
    // Variables use those above them: none is among its own.
    const others = new Map([...variables].filter(([name]) => name !== expr.field));
    return variable && fieldPath(variable, others, []);
  }
  const holder = fieldPath(expr.operand, variables, elements);
  return holder && [...holder, expr.field];
}

/** The values that a kind accepts for a field, if the given one is not among them. */
async function acceptedInstead(
  kind: GroupVersionKind,
  field: JsonPath,
  value: string,
  schemas: Schemas,
): Promise<readonly string[] | undefined> {
  const schema = schemaAt(schemas.schema(kind), field);
  if (schema?.type !== "string") return undefined;
  if (schema.enum !== undefined) {
    const values = schema.enum.filter((item) => typeof item === "string");
    return values.includes(value) ? undefined : values;
  }
  const rules = isBuiltinGroup(kind.group) ? await loadKindRules(kind) : undefined;
  if (rules === undefined) return undefined;
  const object = { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata: { name: "a" }, ...only(field, value) };
  const at = ValidatedField.root();
  const namespace = rules.namespaced ? "default" : "";
  rules.validate?.(object as KubeObject, at, { namespace, by: at.by, warn: () => {} });
  // Some are reported of the object that has the field.
  const places = [field.join(), field.slice(0, -1).join()];
  return at.found.find(({ path, supported }) => supported !== undefined && places.includes(path.steps.join()))
    ?.supported;
}

/** An object with nothing but that field. */
function only(path: JsonPath, value: unknown): Readonly<Record<string, unknown>> {
  const [first, ...rest] = path;
  if (first === undefined) return {};
  const inner = rest.length === 0 ? value : only(rest, value);
  return typeof first === "number" ? ([inner] as unknown as Record<string, unknown>) : { [first]: inner };
}
