// Random expressions over a box, of every form that the prover follows and some that it does not.

import type { Random } from "../random.ts";
import { WORDS } from "./boxes.ts";

type Kind = "bool" | "int" | "text" | "texts" | "items" | "item" | "map" | "any";

/** Names in scope, by kind. */
type Scope = readonly (readonly [name: string, kind: Kind])[];

export function randomExpression(random: Random): string {
  return new Expressions(random).bool(3, []);
}

class Expressions {
  readonly #random: Random;
  readonly #made: string[] = [];
  #names = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Parts are repeated, so that some expressions contradict or repeat themselves. */
  bool(depth: number, scope: Scope): string {
    if (scope.length > 0) return this.#bool(depth, scope);
    if (this.#made.length > 0 && this.#random.oneIn(3)) return this.#random.pick(this.#made);
    const made = this.#bool(depth, scope);
    this.#made.push(made);
    return made;
  }

  #bool(depth: number, scope: Scope): string {
    const random = this.#random;
    if (depth > 0 && !random.oneIn(3)) {
      switch (random.below(7)) {
        case 0:
          return `!(${this.bool(depth - 1, scope)})`;
        case 1:
          return `(${this.bool(depth - 1, scope)} ? ${this.bool(depth - 1, scope)} : ${this.bool(depth - 1, scope)})`;
        case 2:
        case 3:
          return `(${this.bool(depth - 1, scope)} && ${this.bool(depth - 1, scope)})`;
        case 4:
          return `(${this.bool(depth - 1, scope)} || ${this.bool(depth - 1, scope)})`;
        default:
          return this.#quantified(depth, scope);
      }
    }
    return this.#atom(depth, scope);
  }

  #quantified(depth: number, scope: Scope): string {
    const random = this.#random;
    const macro = random.pick(["all", "exists", "exists_one"]);
    const [range, kind] = this.#range(depth, scope);
    const name = this.#name("x");
    if (random.oneIn(4)) {
      const second = this.#name("y");
      const isMap = range.startsWith("object.o") || range.startsWith("object.q") || range.startsWith("{");
      const inner: Scope = [...scope, [name, isMap ? "text" : "int"], [second, isMap ? "text" : kind]];
      return `${range}.${macro === "exists_one" ? "existsOne" : macro}(${name}, ${second}, ${this.bool(depth - 1, inner)})`;
    }
    return `${range}.${macro}(${name}, ${this.bool(depth - 1, [...scope, [name, kind]])})`;
  }

  /** The range of a loop and the kind of its elements. */
  #range(depth: number, scope: Scope): [range: string, kind: Kind] {
    switch (this.#random.below(6)) {
      case 0:
        return [this.#random.pick(["object.o", "object.o", "object.q"]), "text"];
      case 1:
      case 2:
        return [this.#items(depth, scope), "item"];
      case 3:
        return [`[${this.int(0, scope)}, ${this.int(0, scope)}]`, "int"];
      default:
        return [this.#texts(depth, scope), "text"];
    }
  }

  #items(depth: number, scope: Scope): string {
    if (depth <= 0 || !this.#random.oneIn(3)) return "object.l";
    const name = this.#name("i");
    return `object.l.filter(${name}, ${this.bool(depth - 2, [...scope, [name, "item"]])})`;
  }

  #texts(depth: number, scope: Scope): string {
    const random = this.#random;
    const name = this.#name("v");
    const inner: Scope = [...scope, [name, "text"]];
    switch (random.below(depth > 0 ? 10 : 3)) {
      case 0:
        return "object.u";
      case 3:
        return `[${this.text(0, scope)}, ${this.text(0, scope)}]`;
      case 4:
        return `object.t.filter(${name}, ${this.bool(depth - 2, inner)})`;
      case 5:
        return `object.t.map(${name}, ${this.text(depth - 1, inner)})`;
      case 6:
        return `object.l.map(${name}, ${name}.s)`;
      case 7:
        return `(object.t + ${random.oneIn(2) ? "object.t" : `['${this.#word()}']`})`;
      case 8:
        return `object.o.map(${name}, ${random.oneIn(2) ? name : `object.o[${name}]`})`;
      case 9:
        return `object.?u.orValue(['${this.#word()}'])`;
      default:
        return "object.t";
    }
  }

  #atom(depth: number, scope: Scope): string {
    const random = this.#random;
    const text = (): string => this.text(depth - 1, scope);
    const int = (): string => this.int(depth - 1, scope);
    switch (random.below(24)) {
      case 0:
        return `has(object.${random.pick(["m", "p", "c", "u", "q", "e", "d", "o.a", "q.a", "any.a", "any.a.b"])})`;
      case 1:
        return random.pick(["object.b", "object.b", "object.c", "object.any.a"]);
      case 2:
      case 3:
      case 4:
        return `${int()} ${random.pick(["<", "<=", ">", ">=", "==", "!="])} ${int()}`;
      case 5:
      case 6:
        return `${text()} ${random.pick(["==", "!="])} ${text()}`;
      case 7:
        return `${text()} in ${random.oneIn(2) ? this.#texts(depth - 1, scope) : random.pick(["object.o", "['a', 'b']", "object.q"])}`;
      case 8:
      case 9:
        return `${text()}.${random.pick(["startsWith", "endsWith", "contains"])}('${this.#word()}')`;
      case 10:
        return `${text()}.matches('${random.pick(["^a", "b$", "^[ab]+$", "^$", "[0-9]", "^(a|B)?b*$"])}')`;
      case 11:
        return `object.?${random.pick(["m", "p", "c", "u", "q"])}.hasValue()`;
      case 12:
        return `${this.#texts(depth - 1, scope)} ${random.pick(["==", "!="])} ${this.#texts(depth - 1, scope)}`;
      case 13:
        return `object.o ${random.pick(["==", "!="])} ${random.pick(["object.q", "{}", "{'a': 'a'}"])}`;
      case 14:
        return `object.e ${random.pick(["==", "!="])} ${random.pick(["1", "'a'", "0", "object.n", "object.s"])}`;
      case 15:
        return `object.any.a ${random.pick(["==", "!=", "<"])} ${random.pick(["object.any.b", "1", "'a'", "1.5", "true", "null", "object.any.x"])}`;
      case 16:
        return `type(object.any.a) == ${random.pick(["int", "string", "bool", "list", "map", "double"])}`;
      case 17:
        return `isQuantity(${text()})`;
      case 18:
        return `quantity(${text()}).${random.pick(["isLessThan", "isGreaterThan"])}(quantity('${random.pick(["1", "5Gi"])}'))`;
      case 19:
        return `${text()}.${random.pick(["lowerAscii()", "upperAscii()", "trim()", "reverse()"])} == ${text()}`;
      case 20:
        return `object.d ${random.pick(["<", ">", "==", "!="])} ${random.pick(["1.0", "1.5", "1", "object.n"])}`;
      case 21:
        return random.pick([
          "object.any.a.startsWith('a')",
          "object.any.a.b == object.any.b",
          "object.any.exists(k, object.any[k] == 1)",
          "object.any == object.any",
          "isIP(object.s)",
          "int(object.s) > 0",
          "bool(object.s)",
          "string(object.n) == object.s",
          "object.t.join('') == object.s",
          "object.s.split(':').size() > 1",
          "object.s.split(':')[0] == 'x'",
          "sets.contains(object.t, ['a'])",
          "object.t.distinct().size() == object.t.size()",
          "object.t.isSorted()",
          "object.o.transformMap(k, v, v + 'z')['a'] == 'az'",
          "object.t.transformList(i, v, v + 'z')[0] == 'az'",
          "object.t.indexOf('a') >= 0",
          "double(object.s) == double(object.s)",
          "ip(object.s).family() == 4",
          "cidr('10.0.0.0/8').containsIP(object.s)",
          "{object.s: 1}.size() == 1",
        ]);
      case 22:
        return `${this.#items(depth - 1, scope)}.${random.pick(["all", "exists"])}(z, has(z.n) && z.n > ${random.below(3)})`;
      default:
        return random.pick(["true", "false", "object.b", "object.n == 1"]);
    }
  }

  int(depth: number, scope: Scope): string {
    const random = this.#random;
    const known = scope.filter(([, kind]) => kind === "int").map(([name]) => name);
    const items = scope.filter(([, kind]) => kind === "item").map(([name]) => `${name}.n`);
    if (known.length + items.length > 0 && random.oneIn(2)) return random.pick([...known, ...items]);
    switch (random.below(depth > 0 ? 12 : 4)) {
      case 0:
      case 1:
        return "object.n";
      case 2:
        return "object.m";
      case 4:
        return `object.?m.orValue(${random.below(3)})`;
      case 5:
        return `(${this.int(depth - 1, scope)} ${random.pick(["+", "-"])} ${this.int(depth - 1, scope)})`;
      case 6:
        return `(${this.int(depth - 1, scope)} * ${random.below(3)})`;
      case 7:
        return `size(${random.pick([this.#texts(depth - 1, scope), this.#items(depth - 1, scope), "object.o"])})`;
      case 8:
        return `size(${this.text(depth - 1, scope)})`;
      case 9:
        return `(${this.bool(depth - 2, scope)} ? ${this.int(0, scope)} : ${this.int(0, scope)})`;
      case 10:
        return `object.?m.optMap(w, w + 1).orValue(${random.below(3)})`;
      case 11:
        return `-(${this.int(depth - 1, scope)})`;
      default:
        return String(random.below(4) - 1);
    }
  }

  text(depth: number, scope: Scope): string {
    const random = this.#random;
    const known = scope.filter(([, kind]) => kind === "text").map(([name]) => name);
    const items = scope.filter(([, kind]) => kind === "item").map(([name]) => `${name}.s`);
    if (known.length + items.length > 0 && random.oneIn(2)) return random.pick([...known, ...items]);
    switch (random.below(depth > 0 ? 14 : 4)) {
      case 0:
      case 1:
        return "object.s";
      case 2:
        return "object.p";
      case 4:
        return `object.?p.orValue('${this.#word()}')`;
      case 5:
        return `(${this.text(depth - 1, scope)} + '${this.#word()}')`;
      case 6:
        return `('${this.#word()}' + ${this.text(depth - 1, scope)})`;
      case 7:
        return `${this.#texts(depth - 1, scope)}[${random.below(2)}]`;
      case 8:
        return random.pick([
          "object.o['a']",
          "object.o.a",
          "object.q.a",
          "object.?o.a.orValue('b')",
          "object.o[?'a'].orValue('a')",
        ]);
      case 9:
        return `(${this.bool(depth - 2, scope)} ? ${this.text(0, scope)} : ${this.text(0, scope)})`;
      case 10:
        return `object.o[${this.text(0, scope)}]`;
      case 11:
        return `${this.text(depth - 1, scope)}.${random.pick(["lowerAscii()", "upperAscii()"])}`;
      case 12:
        return "object.l[0].s";
      case 13:
        return `(${this.text(depth - 1, scope)} + ${this.text(depth - 1, scope)})`;
      default:
        return `'${this.#word()}'`;
    }
  }

  #word(): string {
    return this.#random.pick(WORDS);
  }

  #name(letter: string): string {
    return `${letter}${this.#names++}`;
  }
}
