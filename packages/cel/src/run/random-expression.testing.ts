// Random expressions of a wanted type, well typed as far as the checker can know, or with parts of another type smuggled in
// behind dyn(). Arbitraries make writers, which turn into text once the names in scope are known; so fast-check can shrink.

import fc from "fast-check";
import type { Overload } from "../call/overload.ts";
import { BOOL, DYN, formatType, INT, isOptionalType, mapOf, optionalOf, STRING, type Type } from "../value/type.ts";
import { KEYS } from "./random-data.testing.ts";
import { type MacroFamilies, type MacroForm, macroForms } from "./random-macros.testing.ts";
import { rowProductions } from "./random-rows.testing.ts";
import { literalsOf, TYPES } from "./random-types.testing.ts";

export interface Vocabulary {
  readonly rows: readonly Overload[];
  readonly variables: Readonly<Record<string, Type>>;
  readonly macros: MacroFamilies;
}

interface Local {
  readonly name: string;
  readonly type: Type;
}
/** Innermost last. */
type Scope = readonly Local[];
type Write = (scope: Scope) => string;
type Weighted = { readonly weight: number; readonly arbitrary: fc.Arbitrary<Write> };

/** A generator of expressions of at most `depth` levels. `loose`: parts may have any type, behind dyn(). */
export function expressions(
  vocabulary: Vocabulary,
  loose: boolean,
): (type: Type, depth: number) => fc.Arbitrary<string> {
  const { rows, variables, macros } = vocabulary;
  const names = new Set(TYPES.map(formatType));
  const known = new Map<string, fc.Arbitrary<Write>>();
  const supported = (type: Type): boolean => names.has(formatType(type));
  return (type, depth) => expr(type, depth).map((write) => write([]));

  function expr(type: Type, depth: number): fc.Arbitrary<Write> {
    const key = `${formatType(type)} ${depth}`;
    let made = known.get(key);
    if (made === undefined) {
      const first = { weight: 1, arbitrary: leaf(type) };
      made = depth <= 0 ? first.arbitrary : fc.oneof({ withCrossShrink: true }, first, ...branches(type, depth - 1));
      known.set(key, made);
    }
    return made;
  }

  /** A literal, a variable, or a name bound around. */
  function leaf(type: Type): fc.Arbitrary<Write> {
    const isOfType = (other: Type): boolean => formatType(other) === formatType(type);
    const globals = Object.keys(variables).filter((name) => isOfType(variables[name]!));
    return fc
      .tuple(fc.nat(99), fc.constantFrom(...literalsOf(type)), fc.nat(99))
      .map(([kind, literal, pick]) => (scope) => {
        const locals = visible(scope).filter((local) => isOfType(local.type));
        if (locals.length > 0 && kind > 40) return locals[pick % locals.length]!.name;
        const free = globals.filter((name) => !scope.some((local) => local.name === name));
        return free.length > 0 && kind > 25 ? free[pick % free.length]! : literal;
      });
  }

  function branches(type: Type, depth: number): Weighted[] {
    const forms = macroForms(type, TYPES, macros).filter(({ over, locals, parts }) =>
      [over, ...locals, ...parts].every(supported),
    );
    return [
      ...calls(type, depth),
      ...(forms.length === 0 ? [] : [{ weight: 6, arbitrary: fc.oneof(...forms.map((form) => macro(form, depth))) }]),
      { weight: 1, arbitrary: parts([BOOL, type, type], depth, ([test, a, b]) => `(${test} ? ${a} : ${b})`) },
      { weight: type.kind === "dyn" ? 6 : 1, arbitrary: selection(depth) }, // data: what it is shows when it is read
      ...(loose || type.kind === "dyn"
        ? [{ weight: 2, arbitrary: fc.oneof(...TYPES.map((other) => parts([other], depth, ([e]) => `dyn(${e})`))) }]
        : []),
      ...literals(type, depth),
    ];
  }

  function calls(type: Type, depth: number): Weighted[] {
    const made = rowProductions(rows, type).filter(({ args }) => args.every(supported));
    return made.length === 0
      ? []
      : [{ weight: 8, arbitrary: fc.oneof(...made.map(({ args, write }) => parts(args, depth, write))) }];
  }

  /** Expressions with their own syntax. */
  function literals(type: Type, depth: number): Weighted[] {
    const key = fc.constantFrom(...KEYS.filter((name) => name !== "x-y"));
    const inner = type.params[0] ?? DYN;
    const last = type.params.at(-1) ?? DYN;
    const all: fc.Arbitrary<Write>[] = [];
    if (type.kind === "bool") all.push(withText(expr(DYN, depth), key, (of, name) => `has(${of}.${name})`));
    if (type.kind === "list") all.push(several(inner, depth, 3, (items) => `[${items.join(", ")}]`));
    if (type.kind === "map") all.push(...[0, 1, 2].map((size) => entries(type, size, depth)));
    if (macros.optional && supported(optionalOf(last))) {
      if (type.kind === "list") all.push(parts([optionalOf(inner), inner], depth, ([o, e]) => `[?${o}, ${e}]`));
      if (type.kind === "map") all.push(parts([inner, optionalOf(last)], depth, ([k, o]) => `{?${k}: ${o}}`));
    }
    if (macros.optional && isOptionalType(type) && inner.kind === "dyn") {
      all.push(
        withText(expr(DYN, depth), key, (of, name) => `${of}.?${name}`),
        parts([DYN], depth, ([of]) => `${of}[?'x-y']`),
      );
    }
    if (macros.math && (type.kind === "int" || type.kind === "double" || type.kind === "uint")) {
      all.push(
        ...["greatest", "least"].map((name) =>
          several(type, depth, 3, (args) => `math.${name}(${args.join(", ") || "1"})`),
        ),
      );
    }
    return all.map((arbitrary) => ({ weight: 2, arbitrary }));
  }

  function entries({ params: [key, value] }: Type, size: number, depth: number): fc.Arbitrary<Write> {
    const types = Array.from({ length: size }, () => [key!, value!]).flat();
    return parts(
      types,
      depth,
      (texts) => `{${Array.from({ length: size }, (_, i) => `${texts[2 * i]}: ${texts[2 * i + 1]}`).join(", ")}}`,
    );
  }

  /** A path into data. */
  function selection(depth: number): fc.Arbitrary<Write> {
    const step: fc.Arbitrary<Write> = fc.oneof(
      { weight: 5, arbitrary: fc.constantFrom(...KEYS).map((key) => () => (key === "x-y" ? "['x-y']" : `.${key}`)) },
      {
        weight: 2,
        arbitrary: fc.oneof(expr(INT, Math.min(depth, 1)), expr(DYN, Math.min(depth, 1))).map(
          (index): Write =>
            (scope) =>
              `[${index(scope)}]`,
        ),
      },
    );
    const entry = withText(
      expr(mapOf(STRING, DYN), depth),
      fc.constantFrom("a", "b", "items", "missing"),
      (map, name) => `${map}.${name}`,
    );
    return fc.tuple(fc.oneof(expr(DYN, depth), entry), fc.array(step, { minLength: 1, maxLength: 3 })).map(
      ([from, steps]) =>
        (scope) =>
          from(scope) + steps.map((write) => write(scope)).join(""),
    );
  }

  function parts(
    types: readonly Type[],
    depth: number,
    write: (texts: readonly string[]) => string,
  ): fc.Arbitrary<Write> {
    return fc
      .tuple(...types.map((type) => expr(type, depth)))
      .map((made) => (scope) => write(made.map((part) => part(scope))));
  }

  function several(
    type: Type,
    depth: number,
    maxLength: number,
    write: (texts: readonly string[]) => string,
  ): fc.Arbitrary<Write> {
    return fc.array(expr(type, depth), { maxLength }).map((made) => (scope) => write(made.map((part) => part(scope))));
  }

  function withText(
    of: fc.Arbitrary<Write>,
    text: fc.Arbitrary<string>,
    write: (of: string, text: string) => string,
  ): fc.Arbitrary<Write> {
    return fc.tuple(of, text).map(
      ([made, chosen]) =>
        (scope) =>
          write(made(scope), chosen),
    );
  }

  function macro({ over, locals, parts: inside, write }: MacroForm, depth: number): fc.Arbitrary<Write> {
    return fc
      .tuple(expr(over, depth), fc.nat(9), ...inside.map((part) => expr(part, depth)))
      .map(([range, pick, ...bodies]) => (scope) => {
        const fresh = locals.map((_, i) => nameFor(pick, scope.length + i));
        const inner = [...scope, ...locals.map((type, i) => ({ name: fresh[i]!, type }))];
        return write(
          receiver(range(scope)),
          fresh,
          bodies.map((body) => body(inner)),
        );
      });
  }

  /** Mostly a new name, now and then one that hides a variable or an outer name. */
  function nameFor(pick: number, level: number): string {
    const hidden = Object.keys(variables);
    if (pick === 0 && hidden.length > level) return hidden[level]!;
    return pick === 1 ? `v${level % 2}` : `v${level}`;
  }
}

/** The variables in scope: its innermost binding. */
const visible = (scope: Scope): Scope =>
  scope.filter((local, i) => !scope.slice(i + 1).some(({ name }) => name === local.name));

const receiver = (text: string): string => (/^[\w.]+$|^[([{].*[)\]}]$/.test(text) ? text : `(${text})`);
