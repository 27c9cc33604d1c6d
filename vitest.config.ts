import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Tests that take seconds: they start programs, browsers or servers, or go through much data. */
const LONG =
  /\/(?:e2e|browser|documentation|scenarios|structure)\/|\/(?:fuzz|faults)\/src\/|\/[\w-]*(?:campaign|corpus|deadline|demonstration|hostile|planted|property|vectors)\.test\./;

/** Tests that fill the memory take three times as long in a worker that has loaded other tests. */
const LARGE = /\/packages\/[\w-]+\/src\/(?:[\w-]+\/)*(?:deadline|growth|hostile)\.test\./;

/** Long ones first, so that none is left when the other workers are done; and before them, those that fill the memory. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => (LARGE.test(moduleId) ? 0 : LONG.test(moduleId) ? 1 : 2);
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

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
    // No test changes what modules share, so that a worker may load them once for all its files: a third of the time.
    isolate: false,
    // Node loads the tested modules, as for their users: a call into a module that Vitest loads takes several times as long.
    server: { deps: { external: [/\/(?:packages|apps\/cli)\/[^/]+\/.*(?<!\.test|\.testing)\.ts$/] } },
    execArgv: [
      "--conditions=source",
      "--enable-source-maps",
      `--import=${fileURLToPath(new URL("scripts/typescript-loader.mjs", import.meta.url))}`,
    ],
    sequence: { sequencer: LongFirst },
    // Many tests wait for a program, a browser or a disk: on two cores a third worker takes a fifth of the time away.
    maxWorkers: Math.max(3, availableParallelism()),
    // A backstop for what hangs, not a measurement: a busy machine may take its time.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 100_000 } },
    setupFiles: ["./vitest.setup.ts"],
    reporters: ["default"],
  },
});
