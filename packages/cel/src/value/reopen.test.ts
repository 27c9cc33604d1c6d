import { expect, test } from "vitest";
import { CelMap } from "./collection/map.ts";
import { celError } from "./error.ts";
import { notFromHost, reopen } from "./reopen.ts";
import { INT } from "./type.ts";
import { Double, Opaque, Optional, type Type, type Value } from "./value.ts";

class Address extends Opaque {
  override readonly type: Type = INT;
  override equals(): boolean {
    return false;
  }
  override throughHost() {
    return notFromHost("net.Addr", "::1");
  }
}

const map = new CelMap();
const list = [Optional.of(1)];

// biome-ignore format: one case per line
const cases: readonly (readonly [name: string, inside: Value, after: Value])[] = [
  ["a scalar",                1,                                      1],
  ["a double",                new Double(1),                          new Double(1)],
  ["a list",                  list,                                   list],
  ["a map",                   map,                                    map],
  ["a type",                  INT,                                    "int"],
  ["an optional",             Optional.of(2),                         2],
  ["optionals in optionals",  Optional.of(Optional.of(Optional.none)), null],
  ["a library's value",       new Address(),                          notFromHost("net.Addr", "::1")],
  ["what that has become",    celError("conversion", "no"),           notFromHost("*errors.errorString", "no")],
];

test.each(cases)("%s inside an optional", (_, inside, after) =>
  expect(reopen(Optional.of(inside))).toEqual(Optional.of(after)),
);

test("other values and empty optionals are unchanged", () => {
  expect(reopen(INT)).toBe(INT);
  expect(reopen(Optional.none)).toBe(Optional.none);
});
