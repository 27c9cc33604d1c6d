// Random expressions of a wanted type, well typed as far as the checker can know, or with parts of another type smuggled in
// behind dyn(). Arbitraries make writers, which turn into text once the names in scope are known; so fast-check can shrink.

import fc from "fast-check";
import type { Overload } from "../lib/library.ts";
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  formatType,
  INT,
  isOptionalType,
  listOf,
  mapOf,
  NULL,
  optionalOf,
  STRING,
  TIMESTAMP,
  type Type,
  UINT,
} from "../types/type.ts";
import { KEYS } from "./random-data.testing.ts";
import { rowProductions } from "./random-rows.testing.ts";

export interface Vocabulary {
  readonly rows: readonly Overload[];
  readonly variables: Readonly<Record<string, Type>>;
  /** Macros beyond the standard ones: those of these families. */
  readonly macros: {
    readonly optional: boolean;
    readonly twoVariables: boolean;
    readonly bind: boolean;
    readonly math: boolean;
    readonly sortBy: boolean;
  };
  /** Ways to write literals of a type, where not the usual ones. */
  readonly literals?: Readonly<Record<string, readonly string[]>>;
  /** The types that parts may have. */
  readonly types?: readonly Type[];
}

export interface Local {
  readonly name: string;
  readonly type: Type;
}
/** Innermost last. */
type Scope = readonly Local[];
type Write = (scope: Scope) => string;

/** The types that parts of an expression have. Deeper ones arise from data. */
export const TYPES: readonly Type[] = [
  BOOL,
  INT,
  UINT,
  DOUBLE,
  STRING,
  BYTES,
  TIMESTAMP,
  DURATION,
  NULL,
  DYN,
  listOf(INT),
  listOf(STRING),
  listOf(DOUBLE),
  listOf(UINT),
  listOf(DYN),
  listOf(BOOL),
  listOf(listOf(INT)),
  mapOf(STRING, INT),
  mapOf(STRING, DYN),
  mapOf(INT, STRING),
  mapOf(STRING, DOUBLE),
  mapOf(STRING, listOf(INT)),
  mapOf(STRING, STRING),
  optionalOf(INT),
  optionalOf(STRING),
  optionalOf(DYN),
  optionalOf(DOUBLE),
  optionalOf(listOf(INT)),
];

// biome-ignore format: one type per line
const LITERALS: Readonly<Record<string, readonly string[]>> = {
  bool: ["true", "false"],
  int: ["0", "1", "2", "(-1)", "7", "9007199254740991", "9007199254740993", "9223372036854775807", "(-9223372036854775808)"],
  uint: ["0u", "1u", "2u", "9007199254740993u", "18446744073709551615u"],
  double: ["0.0", "(-0.0)", "1.0", "1.5", "(-2.5)", "1e300", "9007199254740992.0", "5e-324"],
  string: ["''", "'a'", "'b'", "'ab'", "'name'", "'héllo wörld'", "'😀'", "'12'", "'-1'", "'1.5'", "'true'", "'1h'", "'2024-02-29T12:30:00Z'", "'[a-c]+'", "'%s'", "'a long text, longer than ten'"],
  bytes: ["b''", "b'a'", "b'\\xff\\x00'"],
  timestamp: ["timestamp('2024-02-29T12:30:00Z')", "timestamp('1970-01-01T00:00:00.5+01:30')", "timestamp(0)"],
  duration: ["duration('1h30m')", "duration('-5ns')", "duration('0s')"],
  null: ["null"],
  dyn: ["dyn(1)", "dyn('a')", "dyn(null)", "dyn([])", "dyn(2.0)", "dyn(3u)", "dyn({'a': 1})"],
};

/** A generator of expressions of at most `depth` levels. `loose`: parts of any type stand where one is wanted, behind dyn(). */
export function expressions(
  vocabulary: Vocabulary,
  loose: boolean,
): (type: Type, depth: number) => fc.Arbitrary<string> {
  const { rows, variables, macros } = vocabulary;
  const types = vocabulary.types ?? TYPES;
  const names = new Set(types.map(formatType));
  const known = new Map<string, fc.Arbitrary<Write>>();
  const supported = (type: Type): boolean => names.has(formatType(type));
  return (type, depth) => expr(type, depth).map((write) => write([]));

  function expr(type: Type, depth: number): fc.Arbitrary<Write> {
    const key = `${formatType(type)} ${depth}`;
    let made = known.get(key);
    if (made === undefined) {
      made =
        depth <= 0
          ? leaf(type)
          : fc.oneof({ withCrossShrink: true }, { weight: 1, arbitrary: leaf(type) }, ...branches(type, depth - 1));
      known.set(key, made);
    }
    return made;
  }

  /** A literal, a variable, or a name bound around. */
  function leaf(type: Type): fc.Arbitrary<Write> {
    const literals = vocabulary.literals?.[formatType(type)] ?? LITERALS[formatType(type)] ?? [emptyLiteral(type)];
    const globals = Object.keys(variables).filter((name) => formatType(variables[name]!) === formatType(type));
    return fc.tuple(fc.nat(99), fc.constantFrom(...literals), fc.nat(99)).map(([kind, literal, pick]) => (scope) => {
      const locals = visible(scope).filter((local) => formatType(local.type) === formatType(type));
      if (locals.length > 0 && kind > 40) return locals[pick % locals.length]!.name;
      const free = globals.filter((name) => !scope.some((local) => local.name === name));
      return free.length > 0 && kind > 25 ? free[pick % free.length]! : literal;
    });
  }

  function branches(type: Type, depth: number): { weight: number; arbitrary: fc.Arbitrary<Write> }[] {
    const all: { weight: number; arbitrary: fc.Arbitrary<Write> }[] = [];
    const add = (weight: number, arbitrary: fc.Arbitrary<Write>): void => void all.push({ weight, arbitrary });
    const some = (among: readonly Type[], use: (chosen: Type) => fc.Arbitrary<Write>): fc.Arbitrary<Write> =>
      fc.oneof(...among.map(use));
    const made = rowProductions(rows, type).filter(({ args }) => args.every(supported));
    if (made.length > 0) {
      add(
        8,
        fc.oneof(
          ...made.map(({ args, write }) =>
            fc
              .tuple(...args.map((arg) => expr(arg, depth)))
              .map((parts) => (scope: Scope) => write(parts.map((part) => part(scope)))),
          ),
        ),
      );
    }
    if (type.kind !== "dyn") add(1, selection(depth)); // data: what it is shows when it is read
    if (loose)
      add(
        2,
        some(types, (other) => expr(other, depth).map((write) => (scope) => `dyn(${write(scope)})`)),
      );
    add(1, conditional(type, depth));
    if (macros.bind)
      add(
        1,
        some(types, (other) => bound(other, type, depth)),
      );
    if (type.kind === "dyn") {
      add(6, selection(depth));
      add(
        2,
        some(types, (other) => expr(other, depth).map((write) => (scope) => `dyn(${write(scope)})`)),
      );
    }
    if (type.kind === "bool") {
      add(
        2,
        fc.tuple(expr(DYN, depth), fc.constantFrom(...KEYS)).map(
          ([of, key]) =>
            (scope) =>
              `has(${of(scope)}.${key === "x-y" ? "a" : key})`,
        ),
      );
      for (const range of types.filter(isRange)) {
        const element = oneVariable(range);
        for (const macro of ["all", "exists", "exists_one"])
          add(
            1,
            loop(range, [element], [BOOL], depth, (r, [v], [p]) => `${r}.${macro}(${v}, ${p})`),
          );
        if (macros.twoVariables) {
          for (const macro of ["all", "exists", "existsOne"])
            add(
              1,
              loop(range, twoVariables(range), [BOOL], depth, (r, [k, v], [p]) => `${r}.${macro}(${k}, ${v}, ${p})`),
            );
        }
      }
    }
    if (type.kind === "list") {
      const element = type.params[0]!;
      add(
        2,
        fc
          .array(expr(element, depth), { maxLength: 3 })
          .map((parts) => (scope) => `[${parts.map((part) => part(scope)).join(", ")}]`),
      );
      add(
        1,
        loop(type, [element], [BOOL], depth, (r, [v], [p]) => `${r}.filter(${v}, ${p})`),
      );
      for (const range of types.filter(isRange)) {
        const one = oneVariable(range);
        add(
          1,
          loop(range, [one], [element], depth, (r, [v], [t]) => `${r}.map(${v}, ${t})`),
        );
        add(
          1,
          loop(range, [one], [BOOL, element], depth, (r, [v], [p, t]) => `${r}.map(${v}, ${p}, ${t})`),
        );
        if (macros.twoVariables) {
          add(
            1,
            loop(
              range,
              twoVariables(range),
              [element],
              depth,
              (r, [k, v], [t]) => `${r}.transformList(${k}, ${v}, ${t})`,
            ),
          );
          add(
            1,
            loop(
              range,
              twoVariables(range),
              [BOOL, element],
              depth,
              (r, [k, v], [p, t]) => `${r}.transformList(${k}, ${v}, ${p}, ${t})`,
            ),
          );
        }
      }
      if (macros.sortBy)
        add(
          1,
          loop(type, [element], [INT], depth, (r, [v], [k]) => `${r}.sortBy(${v}, ${k})`),
        );
      if (macros.optional && supported(optionalOf(element))) {
        add(
          1,
          fc.tuple(expr(optionalOf(element), depth), expr(element, depth)).map(
            ([o, e]) =>
              (scope) =>
                `[?${o(scope)}, ${e(scope)}]`,
          ),
        );
      }
    }
    if (type.kind === "map") {
      const [key, value] = type.params as [Type, Type];
      add(
        2,
        fc
          .array(fc.tuple(expr(key, depth), expr(value, depth)), { maxLength: 3 })
          .map((entries) => (scope) => `{${entries.map(([k, v]) => `${k(scope)}: ${v(scope)}`).join(", ")}}`),
      );
      if (macros.twoVariables) {
        for (const range of types.filter(
          (other) => isRange(other) && formatType(twoVariables(other)[0]!) === formatType(key),
        )) {
          add(
            1,
            loop(range, twoVariables(range), [value], depth, (r, [k, v], [t]) => `${r}.transformMap(${k}, ${v}, ${t})`),
          );
          add(
            1,
            loop(
              range,
              twoVariables(range),
              [BOOL, value],
              depth,
              (r, [k, v], [p, t]) => `${r}.transformMap(${k}, ${v}, ${p}, ${t})`,
            ),
          );
        }
        for (const range of types.filter(isRange)) {
          add(
            1,
            loop(
              range,
              twoVariables(range),
              [key, value],
              depth,
              (r, [k, v], [nk, nv]) => `${r}.transformMapEntry(${k}, ${v}, {${nk}: ${nv}})`,
            ),
          );
        }
      }
      if (macros.optional && supported(optionalOf(value))) {
        add(
          1,
          fc.tuple(expr(key, depth), expr(optionalOf(value), depth)).map(
            ([k, o]) =>
              (scope) =>
                `{?${k(scope)}: ${o(scope)}}`,
          ),
        );
      }
    }
    if (isOptionalType(type) && macros.optional) {
      const inner = type.params[0]!;
      for (const other of types.filter(isOptionalType)) {
        add(
          1,
          loop(other, [other.params[0]!], [inner], depth, (o, [v], [t]) => `${o}.optMap(${v}, ${t})`),
        );
        add(
          1,
          loop(other, [other.params[0]!], [type], depth, (o, [v], [t]) => `${o}.optFlatMap(${v}, ${t})`),
        );
      }
      if (inner.kind === "dyn")
        add(
          4,
          fc.tuple(expr(DYN, depth), fc.constantFrom(...KEYS)).map(
            ([of, key]) =>
              (scope) =>
                key === "x-y" ? `${of(scope)}[?'x-y']` : `${of(scope)}.?${key}`,
          ),
        );
    }
    if (macros.math && (type.kind === "int" || type.kind === "double" || type.kind === "uint")) {
      add(
        1,
        fc.tuple(fc.constantFrom("greatest", "least"), fc.array(expr(type, depth), { minLength: 1, maxLength: 3 })).map(
          ([name, args]) =>
            (scope) =>
              `math.${name}(${args.map((arg) => arg(scope)).join(", ")})`,
        ),
      );
    }
    return all;
  }

  function conditional(type: Type, depth: number): fc.Arbitrary<Write> {
    return fc.tuple(expr(BOOL, depth), expr(type, depth), expr(type, depth)).map(
      ([test, a, b]) =>
        (scope) =>
          `(${test(scope)} ? ${a(scope)} : ${b(scope)})`,
    );
  }

  /** A path into data. */
  function selection(depth: number): fc.Arbitrary<Write> {
    const step = fc.oneof(
      {
        weight: 5,
        arbitrary: fc.constantFrom(...KEYS).map(
          (key): Write =>
            () =>
              key === "x-y" ? "['x-y']" : `.${key}`,
        ),
      },
      {
        weight: 1,
        arbitrary: expr(INT, Math.min(depth, 1)).map(
          (index): Write =>
            (scope) =>
              `[${index(scope)}]`,
        ),
      },
      {
        weight: 1,
        arbitrary: expr(DYN, Math.min(depth, 1)).map(
          (index): Write =>
            (scope) =>
              `[${index(scope)}]`,
        ),
      },
    );
    const key = fc.constantFrom("a", "b", "items", "missing");
    const entry = fc.tuple(expr(mapOf(STRING, DYN), depth), key).map(
      ([map, name]): Write =>
        (scope) =>
          `${map(scope)}.${name}`,
    );
    const of = fc.oneof(expr(DYN, depth), entry);
    return fc.tuple(of, fc.array(step, { minLength: 1, maxLength: 3 })).map(
      ([from, steps]) =>
        (scope) =>
          from(scope) + steps.map((write) => write(scope)).join(""),
    );
  }

  function bound(other: Type, type: Type, depth: number): fc.Arbitrary<Write> {
    return loop(other, [other], [type], depth, (init, [name], [body]) => `cel.bind(${name}, ${init}, ${body})`);
  }

  /** A macro: `range` outside, `parts` with the new names in scope. */
  function loop(
    range: Type,
    locals: readonly Type[],
    parts: readonly Type[],
    depth: number,
    write: (range: string, names: readonly string[], parts: readonly string[]) => string,
  ): fc.Arbitrary<Write> {
    return fc
      .tuple(expr(range, depth), fc.nat(9), ...parts.map((part) => expr(part, depth)))
      .map(([over, pick, ...bodies]) => (scope) => {
        const fresh = locals.map((_, i) => nameFor(pick, scope.length + i));
        const inner = [...scope, ...locals.map((type, i) => ({ name: fresh[i]!, type }))];
        return write(
          receiver(over(scope)),
          fresh,
          bodies.map((body) => body(inner)),
        );
      });
  }

  /** Mostly a new name, now and then one that hides a variable or an outer name. */
  function nameFor(pick: number, level: number): string {
    const hidden = Object.keys(variables);
    return pick === 0 && hidden.length > level ? hidden[level]! : pick === 1 ? `v${level % 2}` : `v${level}`;
  }
}

/** What a name in scope means: its innermost binding. */
const visible = (scope: Scope): Scope =>
  scope.filter((local, i) => !scope.slice(i + 1).some(({ name }) => name === local.name));

const receiver = (text: string): string => (/^[\w.]+$|^[([{].*[)\]}]$/.test(text) ? text : `(${text})`);

const isRange = ({ kind }: Type): boolean => kind === "list" || kind === "map";
const oneVariable = (range: Type): Type => range.params[0]!;
const twoVariables = (range: Type): readonly [Type, Type] =>
  range.kind === "list" ? [INT, range.params[0]!] : [range.params[0]!, range.params[1]!];

function emptyLiteral(type: Type): string {
  if (type.kind === "list") return "[]";
  if (type.kind === "map") return "{}";
  return isOptionalType(type) ? "optional.none()" : "dyn(null)";
}
