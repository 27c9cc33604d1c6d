import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

// The "source" condition makes the packages' own imports meet their TypeScript, so tests need no build.
export default defineConfig({
  resolve: { conditions: ["source"] },
  ssr: { resolve: { conditions: ["source"] } },
  test: {
    include: [
      "packages/*/src/**/*.test.ts",
      "apps/*/src/**/*.test.ts",
      "conformance/src/**/*.test.ts",
      "bench/src/**/*.test.ts",
      "fuzz/src/**/*.test.ts",
      "faults/src/**/*.test.ts",
      "examples/**/*.test.mjs",
    ],
    // Nothing here changes what modules share, so that a worker may load them once for all its files: a third of the time.
    isolate: false,
    // Vitest would leave one core idle; on two that is half of them.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // A backstop for what hangs, not a measurement: a busy machine may take its time.
    testTimeout: 120_000,
    setupFiles: ["./vitest.setup.ts"],
    reporters: ["default"],
  },
});
