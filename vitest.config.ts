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
    ],
    // Nothing here changes what modules share, so that a worker may load them once for all its files: a third of the time.
    isolate: false,
    testTimeout: 30_000,
    reporters: ["default"],
  },
});
