import { expect, test } from "vitest";
import { upperCamelCase } from "./upper-camel-case.ts";

// biome-ignore format: by rule
test.each([
  ["name", "Name"], ["foo_bar", "FooBar"], ["foo-bar baz", "FooBarBaz"], ["fooBar", "FooBar"], ["FOO", "Foo"], ["XRequestId", "XRequestId"],
  ["HTTPServer", "HttpServer"], ["1a", "1a"], [" a ", "A"], ["", ""], ["_", ""], ["é", "é"],
])("%s is %s", (name, field) => expect(upperCamelCase(name)).toBe(field));
