// Properties are tried with the same data in every run. `npm run nightly` chooses another seed each time, and prints it;
// CELADON_SEED repeats one. A property that was tried counts as an assertion.

import { configureGlobal } from "fast-check";
import { expect } from "vitest";

const asserted = (): void => expect(true).toBe(true);

configureGlobal({
  seed: Number(process.env.CELADON_SEED ?? 1),
  afterEach: asserted,
});
