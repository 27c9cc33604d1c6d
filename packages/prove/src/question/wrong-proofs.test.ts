// Expressions with objects that refute a wrong proof of them: one for each way in which an evaluator may leave out what can happen.

import { expect, test } from "vitest";
import type { Question } from "./answer.ts";
import { askAbout, QUESTIONS, shownBy } from "./boxes.testing.ts";

type Objects = readonly Record<string, unknown>[];

// biome-ignore format: one case per line
const CASES: readonly (readonly [about: string, expression: string, objects: Objects])[] = [
  ["two variables over listed elements", "['a', 'b'].exists(i, v, object.s == v)", [{ s: "a" }, { s: "B" }]],
  ["two variables over listed values", "[object.n, object.m].all(i, v, v > 0)", [{ n: 1, m: 1 }, { n: 0, m: 1 }]],
  ["two variables over a constant map", "{'a': 1}.all(k, v, object.n > v)", [{ n: 2 }, { n: 0 }]],
  ["two variables over a filtered list", "object.t.filter(x, x != 'a').all(i, v, i < 1)", [{ t: ["b"] }, { t: ["b", "c"] }]],
  ["two variables over a mapped list", "object.t.map(x, x + 'z').exists(i, v, v == 'az')", [{ t: ["a"] }, { t: [] }]],
  ["a transformed list of a filtered one", "object.t.filter(x, x != 'a').transformList(i, v, v + 'z').exists(x, x == 'bz')", [{ t: ["b"] }, { t: ["a"] }]],
  ["an expression that is not followed, of two elements", "object.t.exists(x, {x: 1} == {'a': 1}) && !object.t.all(x, {x: 1} == {'a': 1})", [{ t: ["a", "b"] }, { t: [] }]],
  ["a search that starts beyond the end", "object.p.indexOf('a', 5) >= -1", [{ p: "a" }]],
  ["the same from the end", "object.p.lastIndexOf('a', 5) >= -1", [{ p: "a" }]],
  ["a boolean of a text", "bool(object.p) || true == false", [{ p: "b" }]],
  ["a sum that is too large", "object.any.l.sum() > 0", [{ any: { l: [1, 9223372036854775807n] } }]],
  ["a pattern that is no pattern", "'a'.matches(object.p) || true == false", [{ p: "(" }]],
  ["a search for what is no pattern", "'a'.find(object.p) != 'b'", [{ p: "(" }]],
  ["all finds of what is no pattern", "size('a'.findAll(object.p)) < 9", [{ p: "(" }]],
  ["hours of a place that does not exist", "timestamp('2024-01-01T00:00:00Z').getHours(object.p) >= 0", [{ p: "Nowhere" }]],
  ["texts joined that are none", "object.any.l.join(',') != 'b'", [{ any: { l: [1] } }]],
  ["an address that is none", "cidr('10.0.0.0/8').containsIP(object.p) || true == false", [{ p: "x" }]],
  ["a network that is none", "cidr('10.0.0.0/8').containsCIDR(object.p) || true == false", [{ p: "x" }]],
  ["two networks", "cidr('10.0.0.0/8').containsIP(object.p) && !cidr('192.168.0.0/16').containsIP(object.p)", [{ p: "10.0.0.1" }]],
  ["two versions", "semver(object.p).isGreaterThan(semver('1.0.0')) && !semver(object.p).isGreaterThan(semver('2.0.0'))", [{ p: "1.5.0" }]],
  ["two amounts", "quantity(object.p).add(quantity('1')).isGreaterThan(quantity('5')) && !quantity(object.p).add(quantity('9')).isLessThan(quantity('5'))", [{ p: "7" }, { p: "0" }]],
  ["an optional value that is not there", "object.?n.optMap(v, v + 1).orValue(0) == 0", [{}, { n: 1 }]],
  ["one of two optional values", "(has(object.n) ? optional.of(object.n) : optional.none()).orValue(1) == 1", [{}, { n: 0 }]],
  ["an optional constant", "(object.?b.orValue(false) ? optional.of({'x': 1}) : optional.none()).?x.hasValue()", [{ b: false }, { b: true }]],
  ["equal lists with one named element each", "object.t.exists_one(x, x == 'a') && object.t2.exists_one(x, x == 'a') && object.t == object.t2", [{ t: ["a"], t2: ["a"] }]],
  ["equal maps of one member, named in two ways", "object.o == object.o2 && object.o.exists(k, object.o[k] == 'x') && has(object.o2.a) && size(object.o) == 1", [{ o: { a: "x" }, o2: { a: "x" } }]],
  ["the same the other way round", "has(object.o2.a) && object.o.exists(k, object.o[k] == 'x') && size(object.o2) == 1 && object.o2 == object.o", [{ o: { a: "x" }, o2: { a: "x" } }]],
  ["a number that is none", "double(object.p) == double(object.p)", [{ p: "NaN" }]],
  ["lists with a number that is none", "[double(object.p)] == [double(object.p)]", [{ p: "NaN" }]],
  ["a text in a map that is not followed", "object.o.transformMap(k, v, v)['a'].startsWith('x')", [{ o: { a: "x" } }]],
  ["a number in such a map", "object.o.transformMap(k, v, size(v))['a'] == 1", [{ o: { a: "x" } }]],
  ["a value of any kind from such a map", "object.any.transformMap(k, v, v)['a'].lowerAscii() == 'x'", [{ any: { a: 1 } }, { any: { a: "x" } }]],
  ["two booleans in order", "type(object.any.x) == bool && object.any.x < object.any.y", [{ any: { x: false, y: true } }]],
  ["two values that have no order", "object.any.x < object.any.y", [{ any: { x: false, y: true } }, { any: { x: "a", y: "b" } }, { any: { x: 1, y: 1.5 } }, { any: { x: [], y: [] } }]],
  ["two members of one name", "{'a': object.n, 'a': object.m}.a == 1", [{ n: 1, m: 1 }]],
  ["no optional value", "dyn(object.n).orValue(1) == 1", [{ n: 1 }]],
];

/** Without the objects that lack a field of all examples: these would refute a proof for a reason of their own. */
function guarded(expression: string, question: Question, objects: Objects): string {
  const fields = Object.keys(objects[0] ?? {}).filter((name) => objects.every((object) => Object.hasOwn(object, name)));
  const tests = fields.map((name) => `has(object.${name})`).join(" && ");
  if (tests === "") return expression;
  return question === "never" ? `${tests} && (${expression})` : `!(${tests}) || (${expression})`;
}

test.each(CASES)("%s: %s", async (_, expression, objects) => {
  const seen = shownBy(askAbout(expression), objects);
  expect(Object.values(seen)).toContain(true);
  for (const question of QUESTIONS) {
    if (!seen[question]) continue;
    const asked = askAbout(guarded(expression, question, objects));
    expect((await asked.ask(question)).is, question).not.toBe("proved");
  }
});
