// Documents made for an expression: the fields it selects are present, filled with the values it compares them to or that its functions
// accept; now and then one is missing, null or of another type.

import { Double, Uint } from "@celadon/cel";
import type { Ast, Comprehension, Expr } from "@celadon/cel/ast";
import type { Random } from "../random.ts";

/** A place in a document, with its known type and value. */
class Place {
  readonly fields: Map<string, Place> = new Map();
  element: Place | undefined;
  /** JSON texts that it was compared with. */
  readonly samples: string[] = [];
  kind: "text" | "number" | "bool" | undefined;

  field(name: string): Place {
    let place = this.fields.get(name);
    if (place === undefined) {
      place = new Place();
      this.fields.set(name, place);
    }
    return place;
  }
}

const TEXT_METHODS = new Set([
  "startsWith",
  "endsWith",
  "matches",
  "contains",
  "split",
  "lowerAscii",
  "find",
  "replace",
  "trim",
  "substring",
]);
const TEXT_FUNCTIONS = new Set([
  "quantity",
  "ip",
  "cidr",
  "url",
  "semver",
  "isQuantity",
  "isURL",
  "duration",
  "timestamp",
  "isIP",
  "isCIDR",
]);
const COMPARISONS = new Set(["_==_", "_!=_", "_<_", "_<=_", "_>_", "_>=_", "@in", "_+_", "_-_"]);
const VARIABLES = ["object", "oldObject", "params", "request", "namespaceObject"] as const;

// biome-ignore format: by kind
const VALUES: Readonly<Record<"text" | "number" | "bool", readonly string[]>> = {
  text: ['"a"', '""', '"1Gi"', '"500m"', '"10.0.0.1"', '"10.0.0.0/8"', '"https://example.com/x"', '"1.2.3"', '"2024-01-01T00:00:00Z"', '"1h"', '"nginx:latest"', '"app"'],
  number: ["0", "1", "2", "5", "-1", "80", "1.5", "2.0", "9007199254740993"],
  bool: ["true", "false"],
};

/** The shape that an expression expects of each variable. */
export function shapeOf(ast: Ast): ReadonlyMap<string, Place> {
  const roots = new Map<string, Place>(VARIABLES.map((name) => [name, new Place()]));
  visit(ast.expr, roots);
  return roots;
}

type Scope = ReadonlyMap<string, Place>;

/** Walks an expression; answers the place in a document that it leads to, if any. */
function visit(expr: Expr, scope: Scope): Place | undefined {
  switch (expr.kind) {
    case "literal":
    case "struct":
      return undefined;
    case "ident":
      return scope.get(expr.name);
    case "select":
      return visit(expr.operand, scope)?.field(expr.field);
    case "list":
      for (const element of expr.elements) visit(element, scope);
      return undefined;
    case "map":
      for (const { key, value } of expr.entries) {
        visit(key, scope);
        visit(value, scope);
      }
      return undefined;
    case "comprehension":
      return visitLoop(expr, scope);
    case "call":
      return visitCall(expr, scope);
  }
}

function visitCall(expr: Extract<Expr, { kind: "call" }>, scope: Scope): Place | undefined {
  const target = expr.target && visit(expr.target, scope);
  const args = expr.args.map((arg) => visit(arg, scope));
  const name = expr.function;
  if (target && TEXT_METHODS.has(name)) target.kind = "text";
  if (TEXT_FUNCTIONS.has(name) && args[0]) args[0].kind = "text";
  if (COMPARISONS.has(name)) {
    sample(args[0], expr.args[1]);
    sample(args[1], expr.args[0]);
  }
  if (name === "_&&_" || name === "_||_" || name === "!_") for (const arg of args) if (arg) arg.kind ??= "bool";
  if ((name === "_[_]" || name === "_[?_]" || name === "_?._") && args[0]) {
    const key = expr.args[1];
    if (key?.kind === "literal" && typeof key.value === "string") return args[0].field(key.value);
    args[0].element ??= new Place();
    return args[0].element;
  }
  // A ternary, or() and orValue() lead where their parts do.
  return name === "_?_:_" ? (args[1] ?? args[2]) : name.startsWith("or") ? (target ?? args[0]) : target;
}

function visitLoop(expr: Comprehension, scope: Scope): Place | undefined {
  const range = visit(expr.range, scope);
  const inner = new Map(scope);
  if (range) {
    range.element ??= new Place();
    inner.set(expr.iterVar2 === "" ? expr.iterVar : expr.iterVar2, range.element);
  }
  const bound = visit(expr.init, scope);
  if (bound) inner.set(expr.accuVar, bound);
  for (const part of [expr.condition, expr.step, expr.result]) visit(part, inner);
  return undefined;
}

function sample(place: Place | undefined, other: Expr | undefined): void {
  if (place === undefined || other === undefined) return;
  if (other.kind === "list") for (const element of other.elements) sample(place, element);
  if (other.kind !== "literal") return;
  const { value } = other;
  if (typeof value === "string" || typeof value === "boolean" || value === null)
    place.samples.push(JSON.stringify(value));
  else if (typeof value === "number" || typeof value === "bigint") {
    place.samples.push(String(value));
    if (typeof value === "number") place.samples.push(String(value + 1), `${Math.trunc(value)}.0`);
  } else if (value instanceof Double || value instanceof Uint) place.samples.push(String(value.value));
}

/** Variables as JSON text, of the shape but for a few places. */
export function makeDocument(shape: ReadonlyMap<string, Place>, random: Random): string {
  const parts: string[] = [];
  for (const [name, place] of shape) {
    const asked = place.fields.size > 0 || place.element !== undefined;
    if (asked || name === "object") parts.push(`${JSON.stringify(name)}: ${make(place, random, 0)}`);
  }
  return `{${parts.join(", ")}}`;
}

function make(place: Place, random: Random, depth: number): string {
  if (depth > 12) return "null";
  if (depth > 0 && random.oneIn(30)) return random.pick(["null", "{}", "[]", '"x"', "1", "1.0", "true", "[[]]"]);
  const isList = place.element !== undefined && (place.fields.size === 0 || random.oneIn(2));
  if (isList && !random.oneIn(5)) {
    const size = random.below(4);
    return `[${Array.from({ length: size }, () => make(place.element as Place, random, depth + 1)).join(", ")}]`;
  }
  if (place.element !== undefined && place.fields.size === 0)
    return `{"k": ${make(place.element, random, depth + 1)}, "app": ${make(place.element, random, depth + 1)}}`;
  if (place.fields.size > 0) {
    const entries = [...place.fields].filter(() => !random.oneIn(7));
    return `{${entries.map(([name, field]) => `${JSON.stringify(name)}: ${make(field, random, depth + 1)}`).join(", ")}}`;
  }
  if (place.samples.length > 0 && !random.oneIn(4)) return random.pick(place.samples);
  return random.pick(VALUES[place.kind ?? random.pick(["text", "number", "bool"] as const)]);
}
