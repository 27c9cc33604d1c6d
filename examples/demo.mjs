// The demonstration behind `npm run demo`: the command itself, on a policy with params and a binding, and a pod that is denied.

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const celadon = fileURLToPath(new URL("../apps/cli/bin/celadon.mjs", import.meta.url));

// Exit codes are part of the output: 1 is a denied object.
const steps = [
  { folder: "trusted-images", line: "explain -f policy.yaml -f pod.yaml --as ann", exit: 0 },
  { folder: "trusted-images", line: "check -f policy.yaml -f pod.yaml --as ann", exit: 1 },
  { folder: ".", line: "test", exit: 0 },
];

for (const [i, { folder, line, exit }] of steps.entries()) {
  console.log(`${i === 0 ? "" : "\n"}$ celadon ${line}`);
  const cwd = fileURLToPath(new URL(folder, import.meta.url));
  const { status } = spawnSync(process.execPath, [celadon, ...line.split(" ")], { cwd, stdio: "inherit" });
  if (status !== exit) {
    console.error(`celadon ${line} ended with ${status} instead of ${exit}`);
    process.exit(1);
  }
}

console.log("\n`node examples/engine.mjs` shows the expression engine alone: values, types, costs, errors, speed.");
