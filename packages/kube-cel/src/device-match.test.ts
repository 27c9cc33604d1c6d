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

test.each(recorded)("$id", ({ expression, driver, device, want }) => {
  const compiled = compileDeviceSelector(expression);
  if ("message" in compiled) {
    expect({ compile: compiled.message }).toEqual(want);
    return;
  }
  const { matches, error, cost } = deviceMatches(compiled.program, driver, device);
  const found = { ...(error === undefined ? { matches } : { error }), ...(want.cost !== undefined && { cost }) };
  expect(found).toEqual(want);
});
