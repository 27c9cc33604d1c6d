// The tests with data that no run has seen before and with the whole corpus, then a longer fuzzing: npm run nightly. The seed is printed, and
// CELADON_SEED=… repeats it.

import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";

const seed = process.env.CELADON_SEED ?? String(randomInt(2 ** 31));
const env = { ...process.env, CELADON_SEED: seed, CELADON_WHOLE: "1" };
console.log(`nightly: seed ${seed}`);

const steps = [
  ["npx", ["vitest", "run"]],
  [process.execPath, ["fuzz/dist/main.js", "--seed", seed, "--seconds", "600"]],
];
const failed = steps.filter(([program, argv]) => spawnSync(program, argv, { env, stdio: "inherit" }).status !== 0);
if (failed.length > 0) console.error(`nightly: failed; CELADON_SEED=${seed} npm run nightly repeats it`);
process.exitCode = failed.length > 0 ? 1 : 0;
