import { expect, test } from "vitest";
import { INT, opaque, STRING, struct, TIMESTAMP } from "../value/type.ts";
import { composeProviders } from "./compose-provider.ts";
import { createNamedProvider, standardTypeNames } from "./named-provider.ts";
import type { TypeProvider } from "./provider.ts";

const message = (name: string): TypeProvider => ({
  findStruct: (asked) =>
    asked === name ? { type: struct(name), field: () => undefined, fieldNames: () => [] } : undefined,
  findIdent: () => undefined,
});

test("the first provider that knows a name is used", () => {
  const a = createNamedProvider([opaque("net.IP")], [{ name: "x", type: INT, value: 1 }]);
  const b = createNamedProvider(
    [],
    [
      { name: "x", type: INT, value: 2 },
      { name: "y", type: STRING, value: "b" },
    ],
  );
  const both = composeProviders(a, b);
  expect(both.findIdent("x")).toMatchObject({ value: 1 });
  expect(both.findIdent("y")).toMatchObject({ value: "b" });
  expect(both.findIdent("net.IP")).toEqual(opaque("net.IP"));
  expect(both.findIdent("constructor")).toBeUndefined();
});

test("structs of all are found", () => {
  const both = composeProviders(message("a.M"), message("b.M"));
  expect(both.findStruct("b.M")?.type).toEqual(struct("b.M"));
  expect(both.findStruct("c.M")).toBeUndefined();
});

test("prefixes are known only when every part knows its own", () => {
  const known = composeProviders(standardTypeNames, createNamedProvider([opaque("net.IP")]));
  expect(known.hasPrefix?.("google")).toBe(true);
  expect(known.hasPrefix?.("net")).toBe(true);
  expect(known.hasPrefix?.("object")).toBe(false);
  expect(composeProviders(standardTypeNames, message("a.M")).hasPrefix).toBeUndefined();
  expect(standardTypeNames.findIdent("google.protobuf.Timestamp")).toBe(TIMESTAMP);
});
