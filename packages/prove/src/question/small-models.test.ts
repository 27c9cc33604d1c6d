// Answers about expressions of every shape that the evaluator follows, compared with every object of a small universe.

import { describe, expect, test } from "vitest";
import { askAbout, QUESTIONS, shownBy, universe } from "./boxes.testing.ts";

const EXPRESSIONS = [
  "object.n > 1",
  "!has(object.n) || object.n <= 2",
  "!has(object.n) || object.n > 2",
  "has(object.n) && object.n + 1 > object.n",
  "object.n == object.m",
  "object.?n.orValue(0) <= object.?m.orValue(0)",
  "object.n < object.m && object.m < object.n",
  "object.s == 'a' || object.s != 'a'",
  "has(object.s) && object.s.startsWith('a') && object.s.endsWith('B')",
  "!has(object.s) || object.s in ['', 'a', 'ab', 'B']",
  "has(object.s) && size(object.s) > 2",
  "!has(object.s) || object.s.lowerAscii() != 'B'",
  "!has(object.s) || object.s.matches('^[aB]*b?$')",
  "!has(object.s) || (object.s + 'x').endsWith('x')",
  "object.s.contains('b') ? object.n > 0 : true",
  "!has(object.b) || object.b || !object.b",
  "has(object.b) && (object.b ? object.n > 0 : object.n < 0)",
  "!has(object.l) || object.l.all(x, has(x.s))",
  "has(object.l) && object.l.exists(x, x.n > 0) && object.l.all(x, x.n < 0)",
  "!has(object.l) || object.l.exists(x, x.n == 1) || object.l.all(x, !has(x.n) || x.n != 1)",
  "has(object.l) && object.l.exists_one(x, has(x.s))",
  "!has(object.l) || size(object.l) <= 2",
  "has(object.l) && size(object.l.filter(x, has(x.s))) == 1",
  "has(object.l) && object.l[0].n == 1",
  "!has(object.l) || !object.l.exists(x, true) || size(object.l) > 0",
  "object.l.map(x, x.n).all(n, n > 0)",
  "!has(object.l) || object.l.filter(x, has(x.n)).map(x, x.n).all(n, n == n)",
  "!has(object.t) || object.t.all(x, x == 'a') || object.t.exists(x, x != 'a')",
  "has(object.t) && 'a' in object.t && !('a' in object.t)",
  "has(object.t) && object.t.exists(x, x == 'a' && x == 'b')",
  "!has(object.l) || !has(object.t) || object.l.all(x, !has(x.s) || x.s in object.t)",
  "has(object.o) && 'a' in object.o && object.o['a'] == 'x'",
  "!has(object.o) || object.o.all(k, k == 'a' || k != 'a')",
  "!has(object.o) || object.o.exists(k, k == 'b') == ('b' in object.o)",
  "has(object.o) && object.o.all(k, object.o[k] == 'x')",
  "object.?o.a.hasValue() ? object.o.a == 'x' : true",
  "object.o == {}",
  "!has(object.t) || object.t == [] || size(object.t) > 0",
  "has(object.t) && object.t == ['a']",
  "type(object.either) == int || type(object.either) == string || true",
  "has(object.either) && (object.either == 1 || object.either == 'a')",
  "!has(object.either) || object.either > 0",
  "object.n / 0 == 1 || true",
  "object.n / object.m == 1",
  "false && object.x.y",
  "object.n > 0 || object.m > 0",
  "[object.?n.orValue(1)].exists(x, x == 1)",
  "[dyn(object.n), dyn(1)].exists(x, x == 1)",
  "has(object.l) ? object.l.all(x, x.?s.orValue('') != 'a') : false",
  "(has(object.t) ? object.t : []) + ['z'] != []",
  "((has(object.t) ? object.t : []) + ['z']).exists(x, x == 'z')",
];

describe.each(EXPRESSIONS)("%s", (expression) => {
  test("no small object refutes a proof, and every counterexample is found in the universe", async () => {
    const asked = askAbout(expression);
    const seen = shownBy(asked, universe(expression));
    for (const question of QUESTIONS) {
      const answer = await asked.ask(question);
      if (seen[question]) expect(answer.is, question).not.toBe("proved");
      // If the universe has no example, the prover must not have one: it contains every relevant case.
      else expect(answer.is, question).not.toBe("counterexample");
      decided += answer.is === "unknown" ? 0 : 1;
    }
  });
});

let decided = 0;

test("nearly all are decided", () => {
  expect(decided / (3 * EXPRESSIONS.length)).toBeGreaterThan(0.9);
});
