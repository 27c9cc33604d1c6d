// Random expressions of a wanted type over all libraries. Parts may be data of the document, which the checker takes for anything,
// and in loose ones anything at all stands where something else is wanted.

import { BOOL, DYN, type Env, formatType, INT, listOf, optionalOf, STRING, type Type, UINT } from "@celadon/cel";
import type { Random } from "../random.ts";
import { DATA_PATHS, KEYS } from "./documents.ts";
import { MESSAGES } from "./messages.ts";
import { Productions } from "./productions.ts";
import { LIBRARY_TYPES, literalsOf, rowsOf, TEXTS, TIME_ZONES, TYPES } from "./vocabulary.ts";

interface Local {
  readonly name: string;
  readonly type: Type;
}
type Scope = readonly Local[];

const isOptional = ({ name }: Type): boolean => name === "optional_type";
const isContainer = ({ kind }: Type): boolean => kind === "list" || kind === "map";
const inner = ({ params }: Type, i = 0): Type => params[i] ?? DYN;

/** Longer ones only repeat what shorter ones show, slowly. */
const LONGEST = 700;

export class Expressions {
  readonly #random: Random;
  readonly #productions: Productions;
  #loose = false;

  constructor(random: Random, env: Env) {
    this.#random = random;
    this.#productions = new Productions(rowsOf(env));
  }

  next(loose: boolean): string {
    this.#loose = loose;
    for (;;) {
      const text = this.#expr(this.#random.pick(TYPES), 1 + this.#random.below(3), []);
      if (text.length <= LONGEST) return text;
    }
  }

  /** An optional around a library's value or a type, behind something that opens and closes it. */
  optional(): string {
    this.#loose = this.#random.oneIn(4);
    const held = optionalOf(this.#random.pick(LIBRARY_TYPES));
    const text = this.#random.oneIn(2) ? this.#macro(held, 2, []) : this.#ternary(held, 2, []);
    const wrapped = this.#random.pick([
      (o: string) => o,
      (o: string) => `[${o}].map(v, v)`,
      (o: string) => `[${o}].all(v, v.hasValue() && v.value() == v.value())`,
      (o: string) => `${o}.value()`,
      (o: string) => `${o}.orValue(${this.#expr(inner(held), 1, [])})`,
      (o: string) => `(${o} == ${this.#expr(held, 1, [])})`,
      (o: string) => `[${o}, ${this.#expr(held, 1, [])}][0]`,
      (o: string) => `{'k': ${o}}.?k`,
      (o: string) => `[?${o}]`,
      (o: string) => `dyn(${o})`,
    ]);
    return wrapped(text);
  }

  /** List functions over data, whose element type the next operator chooses. */
  listFunctions(): string {
    this.#loose = false;
    const random = this.#random;
    let text = random.oneIn(4) ? `dyn(${this.#expr(listOf(this.#simple()), 1, [])})` : this.#data();
    for (let i = 1 + random.below(3); i > 0; i--) {
      text += random.pick([
        ".distinct()",
        ".reverse()",
        `.slice(0, ${random.below(3)})`,
        ".flatten()",
        ".sort()",
        ".flatten(1)",
      ]);
    }
    const body = (name: string): string => {
      const type = this.#simple();
      const other = this.#expr(type, 1, [{ name, type }]);
      const operator = random.pick(["+", "-", "*", "/", "%", "<", "<=", ">", ">=", "==", "!=", "in"]);
      return random.oneIn(4) ? this.#call(type, 1, [{ name, type }]) : `(${name} ${operator} ${other})`;
    };
    return random.pick([
      () => text,
      () => `${text}[0] ${random.pick(["+", "*", "-", "<", "=="])} ${this.#expr(this.#simple(), 1, [])}`,
      () => `${text}.map(p, ${body("p")})`,
      () => `${text}.all(p, ${body("p")})`,
      () => `${text}.filter(p, ${body("p")}).map(q, ${body("q")})`,
      () => `${text}.exists(i, p, ${body("p")})`,
      () => `${text}.${random.pick(["first", "last"])}().value()`,
      () => `${text}.transformList(i, p, ${body("p")})`,
      () => `${text}.sortBy(p, ${body("p")})`,
      () => `(${text} + ${this.#expr(listOf(this.#simple()), 1, [])}).map(p, ${body("p")})`,
    ])();
  }

  #simple(): Type {
    return this.#random.pick(TYPES.slice(0, 8));
  }

  #expr(wanted: Type, depth: number, scope: Scope): string {
    const random = this.#random;
    const type = this.#loose && random.oneIn(8) ? random.pick(TYPES) : wanted;
    const text = this.#write(type, depth, scope);
    return this.#loose && type !== wanted ? `dyn(${text})` : text;
  }

  #write(type: Type, depth: number, scope: Scope): string {
    const random = this.#random;
    if (depth <= 0 || random.oneIn(6)) return this.#leaf(type, scope);
    switch (random.below(12)) {
      case 0:
        return this.#ternary(type, depth - 1, scope);
      case 1:
      case 2:
      case 3:
        return this.#macro(type, depth - 1, scope);
      case 4:
        return this.#data();
      case 5:
        return this.#syntax(type, depth - 1, scope);
      default:
        return this.#call(type, depth - 1, scope);
    }
  }

  /** A literal, a name bound around, or data. */
  #leaf(type: Type, scope: Scope): string {
    const random = this.#random;
    const fitting = scope.filter((local) => formatType(local.type) === formatType(type));
    if (fitting.length > 0 && !random.oneIn(3)) return random.pick(fitting).name;
    if (scope.length > 0 && (type.kind === "dyn" || this.#loose) && random.oneIn(3)) return random.pick(scope).name;
    if (random.oneIn(type.kind === "dyn" ? 2 : 8)) return this.#data();
    return random.pick(literalsOf(type));
  }

  #data(): string {
    const random = this.#random;
    const path = random.pick(DATA_PATHS);
    if (!random.oneIn(6)) return path;
    return random.pick([`${path}.${random.pick(KEYS)}`, `${path}.?${random.pick(KEYS)}.orValue(null)`, `${path}[0]`]);
  }

  #ternary(type: Type, depth: number, scope: Scope): string {
    return `(${this.#expr(BOOL, depth, scope)} ? ${this.#expr(type, depth, scope)} : ${this.#expr(type, depth, scope)})`;
  }

  #call(type: Type, depth: number, scope: Scope): string {
    const random = this.#random;
    const production = this.#productions.pick(random, type);
    if (production === undefined) return this.#leaf(type, scope);
    const texts = TEXTS.get(production.name);
    return production.write(
      production.args.map((arg, i) => {
        const likely = texts?.[i] ?? (i === 1 && /^get[A-Z]/.test(production.name) ? TIME_ZONES : []);
        if (likely.length > 0 && arg.kind === "string" && !random.oneIn(4)) return random.pick(likely);
        return this.#receiver(this.#expr(arg, depth, scope));
      }),
    );
  }

  /** Writes an expression that has syntax of its own. */
  #syntax(type: Type, depth: number, scope: Scope): string {
    const random = this.#random;
    const part = (of: Type): string => this.#expr(of, depth, scope);
    const ways: (() => string)[] = [];
    if (type.kind === "bool")
      ways.push(
        () => `has(${this.#receiver(part(DYN))}.${random.pick(KEYS)})`,
        () => `(${part(BOOL)} && ${part(BOOL)})`,
        () => `(${part(BOOL)} || ${part(BOOL)})`,
      );
    if (type.kind === "list")
      ways.push(
        () => `[${Array.from({ length: random.below(4) }, () => part(inner(type))).join(", ")}]`,
        () => `[?${part(optionalOf(inner(type)))}, ${part(inner(type))}]`,
      );
    if (type.kind === "map")
      ways.push(
        () =>
          `{${Array.from({ length: random.below(3) }, () => `${part(inner(type))}: ${part(inner(type, 1))}`).join(", ")}}`,
        () => `{?${part(inner(type))}: ${part(optionalOf(inner(type, 1)))}}`,
      );
    if (isOptional(type))
      ways.push(
        () => `${this.#receiver(part(type))}.or(${part(type)})`,
        () => `${this.#receiver(part(DYN))}.?${random.pick(KEYS)}`,
        () => `${this.#receiver(part(DYN))}[?${part(random.pick([STRING, INT, DYN]))}]`,
      );
    if (type.kind === "dyn")
      ways.push(
        () => `dyn(${this.#expr(random.pick(TYPES), depth, scope)})`,
        () => `${this.#receiver(part(DYN))}[${part(random.pick([STRING, INT, DYN, UINT]))}]`,
        () => `${this.#receiver(part(DYN))}.${random.pick(KEYS)}`,
      );
    const messages = MESSAGES.filter((message) => formatType(message.type) === formatType(type));
    if (messages.length > 0) ways.push(() => this.#message(random.pick(messages), depth, scope));
    ways.push(() => `${this.#receiver(part(optionalOf(type)))}.orValue(${part(type)})`);
    return random.pick(ways)();
  }

  #message({ name, fields }: (typeof MESSAGES)[number], depth: number, scope: Scope): string {
    const random = this.#random;
    if (fields.length === 0 || random.oneIn(8)) return `${name}{}`;
    const field = random.pick(fields);
    const value = random.oneIn(3)
      ? `dyn(${this.#expr(random.pick(TYPES), depth, scope)})`
      : this.#expr(field.type, depth, scope);
    return `${name}{${field.name}: ${value}}`;
  }

  #macro(type: Type, depth: number, scope: Scope): string {
    const random = this.#random;
    const range = random.pick(TYPES.filter(isContainer));
    const [first, two] = [this.#fresh(scope), this.#fresh(scope, 1)];
    const over = (): string => this.#receiver(this.#expr(range, depth, scope));
    const key: Local = { name: first, type: inner(range) };
    const index: Local = { name: first, type: range.kind === "list" ? INT : inner(range) };
    const value: Local = { name: two, type: range.kind === "list" ? inner(range) : inner(range, 1) };
    const within = (of: Type, ...locals: Local[]): string => this.#expr(of, depth, [...scope, ...locals]);
    switch (type.kind) {
      case "bool": {
        const name = random.pick(["all", "exists", "exists_one"]);
        if (random.oneIn(2)) return `${over()}.${name}(${first}, ${within(BOOL, key)})`;
        return `${over()}.${name === "exists_one" ? "existsOne" : name}(${first}, ${two}, ${within(BOOL, index, value)})`;
      }
      case "list":
        return random.pick([
          () =>
            `${this.#receiver(this.#expr(type, depth, scope))}.filter(${first}, ${within(BOOL, { name: first, type: inner(type) })})`,
          () => `${over()}.map(${first}, ${within(inner(type), key)})`,
          () => `${over()}.map(${first}, ${within(BOOL, key)}, ${within(inner(type), key)})`,
          () => `${over()}.transformList(${first}, ${two}, ${within(inner(type), index, value)})`,
          () =>
            `${this.#receiver(this.#expr(type, depth, scope))}.sortBy(${first}, ${within(this.#simple(), { name: first, type: inner(type) })})`,
        ])();
      case "map":
        return random.pick([
          () => `${over()}.transformMap(${first}, ${two}, ${within(inner(type, 1), index, value)})`,
          () =>
            `${over()}.transformMapEntry(${first}, ${two}, {${within(inner(type), index, value)}: ${within(inner(type, 1), index, value)}})`,
        ])();
      default: {
        if (!isOptional(type)) return this.#call(type, depth, scope);
        const held = random.pick(TYPES);
        const from = this.#receiver(this.#expr(optionalOf(held), depth, scope));
        const local = { name: first, type: held };
        return random.oneIn(2)
          ? `${from}.optMap(${first}, ${within(inner(type), local)})`
          : `${from}.optFlatMap(${first}, ${within(type, local)})`;
      }
    }
  }

  /** Mostly a new name, now and then one that is taken already. */
  #fresh(scope: Scope, more = 0): string {
    if (this.#random.oneIn(25)) return this.#random.pick(["object", "int", "v0", "x"]);
    return `v${scope.length + more}`;
  }

  #receiver(text: string): string {
    return /^[\w.]+$|^[([{][^()[\]{}]*[)\]}]$|^'[^']*'$/.test(text) ? text : `(${text})`;
  }
}
