// JSONPath of printer columns, as client-go evaluates it: `.status.conditions[?(@.type=="Ready")].status`. Keys that are missing give nothing.
// The paths were checked when the definition was written.

import { isRecord } from "@celadon/base";

type Step =
  | { readonly step: "field"; readonly name: string }
  | { readonly step: "every" }
  | { readonly step: "below" }
  | { readonly step: "slice"; readonly from: number | undefined; readonly to: number | undefined; readonly by: number }
  | { readonly step: "union"; readonly parts: readonly (readonly Step[])[] }
  | { readonly step: "filter"; readonly test: (item: unknown) => boolean };

export type JsonPath = (value: unknown) => readonly unknown[];

/** All values a path leads to; undefined when it cannot be read. */
export function compileJsonPath(path: string): JsonPath | undefined {
  const steps = stepsOf(path.replace(/^\$/, ""));
  return steps && ((value) => follow([value], steps));
}

const TOKEN =
  /^(?:\.\.|\.?\*|\.?\['((?:[^'\\]|\\.)*)'\]|\.?\["((?:[^"\\]|\\.)*)"\]|\.?\[\?\((.*?)\)\]|\.?\[([-\d:,*\s'"\w]*)\]|\.?((?:[^.[\]\\*]|\\.)+)|\.$)/;

function stepsOf(path: string): readonly Step[] | undefined {
  const steps: Step[] = [];
  let rest = path;
  while (rest !== "") {
    const found = TOKEN.exec(rest);
    if (found === null || found[0] === "") return undefined;
    rest = rest.slice(found[0].length);
    const [whole, single, double, filter, brackets, name] = found;
    if (whole === "..") steps.push({ step: "below" });
    else if (whole === "*" || whole === ".*") steps.push({ step: "every" });
    else if (whole === ".") continue;
    else if (filter !== undefined) {
      const test = filterOf(filter);
      if (test === undefined) return undefined;
      steps.push({ step: "filter", test });
    } else if (brackets !== undefined) {
      const step = bracketStep(brackets);
      if (step === undefined) return undefined;
      steps.push(step);
    } else steps.push({ step: "field", name: (single ?? double ?? name ?? "").replace(/\\(.)/g, "$1") });
  }
  return steps;
}

function bracketStep(text: string): Step | undefined {
  if (text.includes(",")) {
    const parts = text.split(",").map((part) => bracketStep(part.trim()));
    return parts.includes(undefined) ? undefined : { step: "union", parts: parts.map((part) => [part!]) };
  }
  if (text === "*") return { step: "every" };
  const quoted = /^(['"])(.*)\1$/.exec(text);
  if (quoted !== null) return { step: "field", name: quoted[2]! };
  const [, from, colon, to, by] = /^(-?\d*)(?:(:)(-?\d*)|-\d*)?(?::(-?\d*))?$/.exec(text) ?? [];
  if (from === undefined) return undefined;
  const number = (digits: string | undefined): number | undefined =>
    digits === undefined || digits === "" ? undefined : Number(digits);
  const first = number(from);
  if (colon === undefined) {
    if (first === undefined) return undefined;
    return { step: "slice", from: first, to: first === -1 ? undefined : first + 1, by: 1 };
  }
  return { step: "slice", from: first, to: number(to), by: number(by) ?? 1 };
}

const OPERATOR = /==|!=|<=|>=|<|>/;

function filterOf(text: string): ((item: unknown) => boolean) | undefined {
  const found = OPERATOR.exec(text);
  const read = operandOf(text.slice(0, found?.index).trim());
  if (read === undefined) return undefined;
  if (found === null) return (item) => read(item).length > 0;
  const [operator] = found;
  const other = operandOf(text.slice(found.index + operator.length).trim());
  if (other === undefined) return undefined;
  return (item) => {
    const [left, right] = [read(item), other(item)];
    return left.length > 0 && right.length > 0 && compares(left[0], operator, right[0]);
  };
}

/** A path below the item, a text in quotes, a number or a flag. */
function operandOf(text: string): JsonPath | undefined {
  if (text.startsWith("@")) return compileJsonPath(text.slice(1));
  const quoted = /^(['"])(.*)\1$/.exec(text);
  if (quoted !== null) return () => [quoted[2]];
  if (text === "true" || text === "false") return () => [text === "true"];
  return text !== "" && Number.isFinite(Number(text)) ? () => [Number(text)] : undefined;
}

function compares(left: unknown, operator: string, right: unknown): boolean {
  if (typeof left !== typeof right) return operator === "!=";
  const [a, b] = [left as number, right as number];
  switch (operator) {
    case "==":
      return a === b;
    case "!=":
      return a !== b;
    case "<":
      return a < b;
    case "<=":
      return a <= b;
    case ">":
      return a > b;
    default:
      return a >= b;
  }
}

function follow(values: readonly unknown[], steps: readonly Step[]): readonly unknown[] {
  return steps.reduce<readonly unknown[]>((found, step) => found.flatMap((value) => next(value, step)), values);
}

function next(value: unknown, step: Step): readonly unknown[] {
  switch (step.step) {
    case "field":
      return isRecord(value) && Object.hasOwn(value, step.name) ? [(value as Record<string, unknown>)[step.name]] : [];
    case "every":
      return membersOf(value);
    case "below":
      return [value, ...membersOf(value).flatMap((member) => next(member, step))];
    case "slice":
      return Array.isArray(value) ? sliceOf(value, step.from, step.to, step.by) : [];
    case "union":
      return step.parts.flatMap((part) => follow([value], part));
    case "filter":
      return membersOf(value).filter(step.test);
  }
}

function membersOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return isRecord(value) ? Object.values(value as object) : [];
}

function sliceOf(list: readonly unknown[], from: number | undefined, to: number | undefined, by: number): unknown[] {
  const items = list.slice(from ?? 0, to ?? list.length);
  return by > 1 ? items.filter((_, i) => i % by === 0) : items;
}
