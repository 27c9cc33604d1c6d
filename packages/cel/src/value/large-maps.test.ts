import { expect, test } from "vitest";
import { createEnv } from "../env.ts";
import { DYN } from "./type.ts";

const env = createEnv({ variables: { m: DYN, n: DYN } });
const KEYS = 30_000;
const large = (): Record<string, string> =>
  Object.fromEntries(Array.from({ length: KEYS }, (_, i) => [`k${i}`, "same"]));

// Listing the keys of an object cannot be interrupted: the caller checks the clock before the next long step.
test.each([
  { expr: "m == n", looks: 4 },
  { expr: "[m] == [n]", looks: 4 },
  { expr: "size(m) > 0", looks: 1 },
  { expr: "m.all(k, m[k] == 'same')", looks: 3 },
])("$expr looks at the clock while it walks over large maps", ({ expr, looks }) => {
  const variables = { m: large(), n: large() };
  for (const mode of ["compiled", "interpreted"] as const) {
    const { program } = env.compile(expr, { mode }) as { program: ReturnType<typeof env.program> };
    let asked = 0;
    const counting = {
      get aborted(): boolean {
        asked++;
        return false;
      },
    };
    expect(program.evaluate(variables, { signal: counting }).value).toBe(true);
    expect(asked).toBeGreaterThanOrEqual(looks);
    const ended = program.evaluate(variables, { signal: { aborted: true } });
    expect(ended.error?.code).toBe("interrupted");
  }
});
