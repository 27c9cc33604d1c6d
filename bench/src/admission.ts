// npm run bench -- admission [--quick]: whole requests through policy sets of several sizes, three of whose policies match.

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { Measured } from "./child/admission-child.ts";

const { values } = parseArgs({ options: { quick: { type: "boolean", default: false } } });
const child = fileURLToPath(new URL("./child/admission-child.js", import.meta.url));

const rows = [
  { title: "1 policy", kind: "simple", count: 1 },
  { title: "3 policies", kind: "simple", count: 3 },
  { title: "100 policies, 3 match", kind: "simple", count: 100 },
  { title: "10,000 policies, 3 match", kind: "simple", count: 10_000 },
  { title: "half in other namespaces", kind: "tenants", count: 10_000 },
  { title: "a mix of real policies", kind: "mixed", count: 5 },
].map((row) => ({ ...row, measured: measure(row.kind, row.count) }));

console.log(`node ${process.version}; CPU time, garbage collection included\n`);
console.log("                          µs/request  per match  requests/s  build ms  change ms  kB/policy");
for (const { title, measured } of rows) {
  const { micros, matched, build, change, bytesPerPolicy } = measured;
  const cells = [
    micros.toFixed(1).padStart(10),
    (micros / matched).toFixed(1).padStart(9),
    Math.round(1e6 / micros)
      .toString()
      .padStart(10),
    build.toFixed(1).padStart(8),
    change.toFixed(2).padStart(9),
    (bytesPerPolicy / 1000).toFixed(1).padStart(9),
  ];
  console.log(`${title.padEnd(25)} ${cells.join("  ")}`);
}
const few = rows[1]!.measured;
const many = rows[3]!.measured;
console.log(`\n10,000 policies beside only the 3: ${(many.micros / few.micros).toFixed(2)}× (goal 1.5×)`);
console.log(`one change in 10,000: ${Math.round(many.build / many.change)}× faster than building all (goal 100×)`);

function measure(kind: string, count: number): Measured {
  const args = ["--expose-gc", child, kind, String(count), ...(values.quick ? ["quick"] : [])];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" })) as Measured;
}
