import { expect, test } from "vitest";
import { impersonated } from "./user.ts";

// biome-ignore format: one case per line
const cases: { name: string; groups: string[]; want: string[] }[] = [
  { name: "ann",                          groups: [],                         want: ["system:authenticated"] },
  { name: "ann",                          groups: ["dev"],                    want: ["dev", "system:authenticated"] },
  { name: "ann",                          groups: ["system:authenticated"],   want: ["system:authenticated"] },
  { name: "ann",                          groups: ["system:unauthenticated"], want: ["system:unauthenticated"] },
  { name: "system:anonymous",             groups: [],                         want: ["system:unauthenticated"] },
  { name: "system:serviceaccount:ns:bot", groups: [],                         want: ["system:serviceaccounts", "system:serviceaccounts:ns", "system:authenticated"] },
  { name: "system:serviceaccount:ns:bot", groups: ["dev"],                    want: ["dev", "system:authenticated"] },
  { name: "system:serviceaccount:bot",    groups: [],                         want: ["system:authenticated"] },
];

test.each(cases)("$name in $groups", ({ name, groups, want }) => {
  expect(impersonated(name, groups)).toEqual({ username: name, groups: want });
});
