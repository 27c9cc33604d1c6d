import { expect, test } from "vitest";
import { compileJsonPath } from "./json-path.ts";

const OBJECT = {
  spec: {
    size: 3,
    "a.b": "dotted",
    tags: ["x", "y", "z"],
    ports: [
      { name: "web", port: 80 },
      { name: "api", port: 8080 },
    ],
  },
  status: {
    conditions: [
      { type: "Synced", status: "False" },
      { type: "Ready", status: "True", n: 2 },
    ],
  },
};

// biome-ignore format: one path per line
test.each<[string, unknown[]]>([
  [".spec.size",                                        [3]],
  [".spec.none.deeper",                                 []],
  [".spec['a.b']",                                      ["dotted"]],
  [".spec.a\\.b",                                       ["dotted"]],
  [".spec.tags[0]",                                     ["x"]],
  [".spec.tags[-1]",                                    ["z"]],
  [".spec.tags[5]",                                     []],
  [".spec.tags[0:2]",                                   ["x", "y"]],
  [".spec.tags[*]",                                     ["x", "y", "z"]],
  [".spec.tags[0,2]",                                   ["x", "z"]],
  [".spec.ports[*].name",                               ["web", "api"]],
  ['.status.conditions[?(@.type=="Ready")].status',     ["True"]],
  [".status.conditions[?(@.type=='None')].status",      []],
  [".status.conditions[?(@.n>1)].type",                 ["Ready"]],
  [".status.conditions[?(@.n)].type",                   ["Ready"]],
  [".spec.ports[?(@.port!=80)].name",                   ["api"]],
  ["$.spec.size",                                       [3]],
  ["..port",                                            [80, 8080]],
])("%s", (path, want) => expect(compileJsonPath(path)?.(OBJECT)).toEqual(want));
