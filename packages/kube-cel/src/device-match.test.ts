// Selectors for devices as the scheduler of Kubernetes 1.37 evaluates them, recorded from its own functions.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { compileDeviceSelector, deviceMatches, type SliceDevice } from "./device-match.ts";

interface Recorded {
  readonly id: string;
  readonly expression: string;
  readonly driver: string;
  readonly device: SliceDevice;
  readonly want: {
    readonly compile?: string;
    readonly matches?: boolean;
    readonly error?: string;
    readonly cost?: number;
  };
}

const recorded: readonly Recorded[] = readFileSync(new URL("./testdata/devices.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));

/** The scheduler's maps by domain have every key for an index and only their own for `in`; here they have every key for both. */
const DIFFERENT: ReadonlySet<string> = new Set([
  "device: 'missing' in device.attributes",
  "bare: 'gpu.example.com' in device.attributes",
  "bare: 'missing' in device.attributes",
]);

test.each(recorded)("$id", ({ id, expression, driver, device, want }) => {
  const compiled = compileDeviceSelector(expression);
  if ("message" in compiled) {
    expect({ compile: compiled.message }).toEqual(want);
    return;
  }
  const { matches, error, cost } = deviceMatches(compiled.program, driver, device);
  const found = { ...(error === undefined ? { matches } : { error }), ...(want.cost !== undefined && { cost }) };
  if (DIFFERENT.has(id)) expect(found, "is no longer different").not.toEqual(want);
  else expect(found).toEqual(want);
});
