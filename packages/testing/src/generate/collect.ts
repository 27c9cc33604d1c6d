// Expression → focus: which fields it reads, and which literals they meet. An abstract evaluation over the tree: each node
// answers the fields its value may come from. It takes no account of types or of conditions that never hold, so it may name
// too much; it must not name too little, or traps stay unseen.

import { isRecord } from "@celadon/base";
import { Double, Uint, type Value } from "@celadon/cel";
import type { Comprehension, Expr } from "@celadon/cel/ast";
import type { Focus } from "./focus.ts";

/** An origin of a value. */
export interface Origin {
  readonly fields: ReadonlySet<Focus>;
  /** It is the size of these. */
  readonly sizeOf: ReadonlySet<Focus>;
  readonly literals: ReadonlySet<Value>;
  /** The value in given objects, such as params: their strings and numbers count as literals. */
  readonly given: ReadonlySet<unknown>;
  /** The content of lists and maps that the expression makes itself. */
  readonly inside: Origin | undefined;
}

const MOST_CONCATENATIONS = 20;
const EMPTY: ReadonlySet<never> = new Set();
const NOTHING: Origin = { fields: EMPTY, sizeOf: EMPTY, literals: EMPTY, given: EMPTY, inside: undefined };

/** The origins of names. Names that are missing stand for nothing of interest. */
export type Scope = ReadonlyMap<string, Origin>;

/** `given` has the objects that a name is known to stand for. */
export function scopeOf(
  roots: Readonly<Record<string, Focus>>,
  given: Readonly<Record<string, readonly unknown[]>> = {},
): Scope {
  return new Map(
    Object.entries(roots).map(([name, focus]) => [
      name,
      { ...NOTHING, fields: new Set([focus]), given: new Set(given[name] ?? []) },
    ]),
  );
}

/** Adds the reads of an expression to the focuses of its scope; returns the origin of its own value. */
export function collect(expr: Expr, scope: Scope): Origin {
  switch (expr.kind) {
    case "literal":
      return { ...NOTHING, literals: new Set([expr.value]) };
    case "ident":
      return scope.get(expr.name) ?? NOTHING;
    case "select": {
      // A variable of a policy is a name with a dot.
      const known = expr.operand.kind === "ident" ? scope.get(`${expr.operand.name}.${expr.field}`) : undefined;
      return known ?? member(collect(expr.operand, scope), expr.field);
    }
    case "call":
      return collectCall(expr.function, expr.target, expr.args, scope);
    case "list":
      return { ...NOTHING, inside: union(expr.elements.map((element) => collect(element, scope))) };
    case "map": {
      for (const { key } of expr.entries) collect(key, scope);
      return { ...NOTHING, inside: union(expr.entries.map(({ value }) => collect(value, scope))) };
    }
    case "struct":
      return { ...NOTHING, inside: union(expr.fields.map(({ value }) => collect(value, scope))) };
    case "comprehension":
      return collectLoop(expr, scope);
  }
}

function collectLoop(loop: Comprehension, scope: Scope): Origin {
  const range = collect(loop.range, scope);
  const init = collect(loop.init, scope);
  const element = elements(range);
  const inner = new Map(scope);
  inner.set(loop.accuVar, init);
  // Over a map the first name is the key; values compared with it are kept with the elements, where keys look for them too.
  inner.set(loop.iterVar, element);
  if (loop.iterVar2 !== "") inner.set(loop.iterVar2, element);
  collect(loop.condition, inner);
  const step = collect(loop.step, inner);
  const outer = new Map(scope);
  outer.set(loop.accuVar, union([init, step]));
  return collect(loop.result, outer);
}

function collectCall(name: string, target: Expr | undefined, args: readonly Expr[], scope: Scope): Origin {
  const given = (target === undefined ? args : [target, ...args]).map((expr) => collect(expr, scope));
  const [first = NOTHING, second = NOTHING] = given;
  switch (name) {
    case "_&&_":
    case "_||_":
    case "!_":
      return NOTHING;
    case "_?_:_":
      return union(given.slice(1));
    case "_[_]":
    case "_[?_]":
    case "_?._":
      return indexed(first, second);
    case "size":
      return { ...NOTHING, sizeOf: first.fields };
    case "@in":
      relate(first, elements(second));
      relate(elements(second), first);
      for (const key of texts(first)) for (const field of second.fields) field.child(key);
      return NOTHING;
    case "join":
      relate(elements(first), second);
      return first;
    case "matches":
      for (const pattern of texts(second)) for (const field of first.fields) field.patterns.add(pattern);
      return NOTHING;
    case "_+_":
      relate(first, second);
      relate(second, first);
      return { ...union(given), literals: joined(first.literals, second.literals, concatenations(first, second)) };
    default:
      // Comparisons, conversions, arithmetic, functions of strings and lists: literals meet fields, and the result comes from
      // all of them.
      for (const origin of given) for (const other of given) if (origin !== other) relate(origin, other);
      return union(given);
  }
}

/** Strings that a sum of two may be. */
function concatenations(first: Origin, second: Origin): ReadonlySet<Value> {
  const ends = texts(second);
  return new Set(
    texts(first)
      .flatMap((start) => ends.map((end) => start + end))
      .slice(0, MOST_CONCATENATIONS),
  );
}

/** Literals of one become something to try at the fields of the other. */
function relate(fields: Origin, literals: Origin): void {
  for (const literal of literalsOf(literals)) {
    const number = numberOf(literal);
    for (const field of fields.fields) {
      if (typeof literal === "string") field.texts.add(literal);
      else if (number !== undefined) field.numbers.add(number);
    }
    if (typeof number === "number") for (const field of fields.sizeOf) field.sizes.add(number);
  }
}

function numberOf(value: Value): number | bigint | undefined {
  if (typeof value === "number" || typeof value === "bigint") return value;
  if (value instanceof Double) return value.value;
  return value instanceof Uint ? value.value : undefined;
}

function member(origin: Origin, name: string): Origin {
  const fields = new Set<Focus>();
  for (const field of origin.fields) fields.add(field.child(name));
  const given = [...origin.given].flatMap((value) =>
    isRecord(value) && Object.hasOwn(value, name) ? [value[name]] : [],
  );
  return {
    ...(origin.inside ?? NOTHING),
    fields: joined(fields, origin.inside?.fields ?? EMPTY),
    given: new Set(given),
  };
}

function indexed(origin: Origin, index: Origin): Origin {
  const keys = texts(index);
  // A list must be longer than the number of the element that is read.
  for (const literal of index.literals) {
    if (typeof literal === "number") for (const field of origin.fields) field.sizes.add(literal + 1);
  }
  if (keys.length === 0) return elements(origin);
  return union(keys.map((key) => member(origin, key)));
}

function elements(origin: Origin): Origin {
  const fields = new Set<Focus>();
  for (const field of origin.fields) fields.add(field.items);
  const given = [...origin.given].flatMap((value) =>
    typeof value === "object" && value !== null ? Object.values(value) : [],
  );
  return {
    ...(origin.inside ?? NOTHING),
    fields: joined(fields, origin.inside?.fields ?? EMPTY),
    given: new Set(given),
  };
}

function literalsOf({ literals, given, inside }: Origin): Value[] {
  const plain = [...given].filter((value) => typeof value === "string" || typeof value === "number");
  return [...literals, ...plain, ...(inside === undefined ? [] : literalsOf(inside))];
}

function texts(origin: Origin): string[] {
  return literalsOf(origin).filter((literal): literal is string => typeof literal === "string");
}

function union(origins: readonly Origin[]): Origin {
  if (origins.length === 1) return origins[0]!;
  const inner = origins.flatMap(({ inside }) => inside ?? []);
  return {
    fields: joined(...origins.map(({ fields }) => fields)),
    sizeOf: joined(...origins.map(({ sizeOf }) => sizeOf)),
    literals: joined(...origins.map(({ literals }) => literals)),
    given: joined(...origins.map(({ given }) => given)),
    inside: inner.length === 0 ? undefined : union(inner),
  };
}

function joined<T>(...sets: readonly ReadonlySet<T>[]): ReadonlySet<T> {
  const filled = sets.filter(({ size }) => size > 0);
  if (filled.length === 0) return EMPTY;
  if (filled.length === 1) return filled[0]!;
  return new Set(filled.flatMap((set) => [...set]));
}
