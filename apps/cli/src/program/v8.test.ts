import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { flagsFor } from "./v8.ts";

const settings = ["optimiseLater", "collectSeldom", "optimiseSooner", "growHeapSlowly", "asAtStart"] as const;

const young = (factor: number): string[] => [`--semi-space-growth-factor=${factor}`, "--no-parallel-scavenge"];
const later = "--interrupt-budget=140000";
const slowly = "--heap-growing-percent=10";
const asAtStart = ["--parallel-scavenge", "--heap-growing-percent=0"];

// biome-ignore format: one version per line
const cases = [
  { v8: "11.3.244.8-node.38",   flags: [later, ...young(4), "--interrupt-budget=12000", ...young(2), slowly, later, ...asAtStart] },
  { v8: "12.4.254.21-node.57",  flags: [...young(4), ...young(2), slowly, ...asAtStart] },
  { v8: "13.6.233.17-node.53",  flags: [...young(4), ...young(2), slowly, ...asAtStart] },
  { v8: "14.6.202.34-node.34",  flags: ["--no-parallel-scavenge", "--no-parallel-scavenge", slowly, ...asAtStart] },
  { v8: "99.1.2.3-node.4",      flags: [] },
];

test.each(cases)("flags for V8 $v8", ({ v8, flags }) => {
  expect(settings.flatMap((setting) => flagsFor(setting, v8))).toEqual(flags);
});

test("this V8 knows the flags that are set", () => {
  const flags = settings.flatMap((setting) => flagsFor(setting, process.versions.v8));
  const program = `for (const flag of ${JSON.stringify(flags)}) require("node:v8").setFlagsFromString(flag)`;
  const { stdout, stderr } = spawnSync(process.execPath, ["-e", program], { encoding: "utf8" });
  expect({ stdout, stderr }).toEqual({ stdout: "", stderr: "" });
});
