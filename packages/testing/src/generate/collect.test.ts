// The reads of expressions: paths with the literals they meet.

import { createEnv, DYN } from "@celadon/cel";
import { optionalLibrary, stringsLibrary, twoVariableLibrary } from "@celadon/cel/lib";
import { expect, test } from "vitest";
import { collect, scopeOf } from "./collect.ts";
import { Focus } from "./focus.ts";

const env = createEnv({
  variables: { object: DYN, params: DYN },
  libraries: [optionalLibrary(), stringsLibrary(), twoVariableLibrary],
});

function read(text: string): string[] {
  const object = new Focus();
  collect(env.program(text).ast.expr, scopeOf({ object }));
  return [...lines("object", object)];
}

function* lines(path: string, focus: Focus): Generator<string> {
  const met = [
    ...focus.texts,
    ...focus.numbers,
    ...[...focus.patterns].map((pattern) => `/${pattern}/`),
    ...[...focus.sizes].map((size) => `#${size}`),
  ];
  if (focus.isLeaf || met.length > 0) yield met.length === 0 ? path : `${path} ~ ${met.join(" ")}`;
  for (const [name, child] of focus.children) yield* lines(`${path}.${name}`, child);
  if (focus.itemsIfRead !== undefined) yield* lines(`${path}[]`, focus.itemsIfRead);
}

// biome-ignore format: one expression per line
const cases: [string, string[]][] = [
  ["object.a.b == 'x'",                                        ["object.a.b ~ x"]],
  ["has(object.a) && object.a > 5",                            ["object.a ~ 5"]],
  ["object.l['k/1'] != 'v'",                                   ["object.l.k/1 ~ v"]],
  ["object.l[2].x == 1.5",                                     ["object.l ~ #3", "object.l[].x ~ 1.5"]],
  ["size(object.l) < 4 && object.s.size() > 2",                ["object.l ~ #4", "object.s ~ #2"]],
  ["object.s.startsWith('pre') || object.s.matches('^a+$')",   ["object.s ~ pre /^a+$/"]],
  ["object.l.all(c, c.x in ['a', 'b'])",                       ["object.l[].x ~ a b"]],
  ["object.l.filter(c, c.on).map(c, c.n).exists(n, n == 'z')", ["object.l[].on", "object.l[].n ~ z"]],
  ["(object.a + object.b).all(c, c.x)",                        ["object.a[].x", "object.b[].x"]],
  ["['p', 'q'].all(k, k in object.m && object.m[k] == 'v')",   ["object.m.p ~ v", "object.m.q ~ v", "object.m[] ~ p q"]],
  ["object.?a.?b.orValue(7) == 8",                             ["object.a.b ~ 7 8"]],
  ["object[?'a'].hasValue()",                                  ["object.a"]],
  ["object.m.all(k, v, k != 'a' && v.x == 'y')",               ["object.m[] ~ a", "object.m[].x ~ y"]],
  ["int(object.s) > 3",                                        ["object.s ~ 3"]],
  ["(object.a ? object.b : object.c).d == 'x'",                ["object.a", "object.b.d ~ x", "object.c.d ~ x"]],
  ["params.x == 'y'",                                          ["object"]],
];
test.each(cases)("%s", (text, want) => expect(read(text)).toEqual(want));
