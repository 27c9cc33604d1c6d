import { expect, test } from "vitest";
import { deprecationWarning } from "./deprecation.ts";

const spec = (...versions: readonly (readonly [name: string, deprecated: boolean, warning?: string])[]) => ({
  group: "example.com",
  names: { kind: "Widget" },
  versions: versions.map(([name, deprecated, warning]) => ({
    name,
    served: true,
    deprecated,
    ...(warning !== undefined && { deprecationWarning: warning }),
  })),
});

// biome-ignore format: one case per row
test.each([
  ["not deprecated", spec(["v1", false]), undefined],
  ["in its own words", spec(["v1", true, "gone soon"]), "gone soon"],
  ["without another", spec(["v1", true], ["v1beta1", false]), "example.com/v1 Widget is deprecated"],
  ["with a better one", spec(["v1", true], ["v2alpha1", false], ["v2", false], ["v3beta1", false], ["v10", false]), "example.com/v1 Widget is deprecated; use example.com/v10 Widget"],
  ["with a version that is none", spec(["v1", true], ["foo", false]), "example.com/v1 Widget is deprecated"],
] as const)("%s", (_, given, want) => expect(deprecationWarning(given, "v1")).toBe(want));
