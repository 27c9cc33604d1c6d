import { expect, test } from "vitest";
import { createObject } from "../../../../write/src/requests.testing.ts";
import { withServerDefaults } from "../../defaults/index.ts";
import type { KubeObject } from "../../metadata.ts";

// The quotients of max and min with which a kube-apiserver refused a ratio; empty where it did not.
// biome-ignore format: a table
const ratios: readonly (readonly [min: string, max: string, ratio: string, most: string])[] = [
  ["18446744073709551617", "1500m",                "2",                    "1.500000"],
  ["10E",                  "2e21",                 "1e21",                 ""],
  ["2e21",                 "2e21",                 "2",                    ""],
  ["7e24",                 "1500m",                "10E",                  ""],
  ["1e21",                 "-1",                   "1e20",                 "-Inf"],
  ["0",                    "9223372036854775",     "1e3",                  ""],
  ["1e18",                 "2",                    "8Ei",                  "0.000000"],
  ["9223372036854775808",  "-1",                   "1e30",                 "-Inf"],
  ["100Ei",                "1e15",                 "1e16",                 "0.000108"],
  ["9223372036854776",     "8Ei",                  "2",                    ""],
  ["1e27",                 "1e24",                 "3e22",                 ""],
  ["9E",                   "-1500m",               "1e3",                  "-0.000000"],
  ["9223372036854775808",  "8Ei",                  "1e16",                 "-1.000000"],
  ["2",                    "5e22",                 "1e3",                  "0.000000"],
  ["9223372036854776",     "5e22",                 "1e16",                 "0.000000"],
  ["7e24",                 "8Ei",                  "8Ei",                  "-1.000000"],
  ["2e21",                 "8Ei",                  "1e30",                 ""],
  ["100Ei",                "3e22",                 "10E",                  ""],
  ["2",                    "9223372036854775",     "1e16",                 "4611686018427388.000000"],
  ["1500m",                "10E",                  "1e3",                  "0.000000"],
  ["1e27",                 "9223372036854775807",  "1e30",                 "-1.000000"],
  ["-1",                   "1e24",                 "2",                    "-0.000000"],
  ["123E",                 "18446744073709551617", "2",                    "-0.000000"],
  ["20E",                  "-1",                   "1e16",                 "-Inf"],
  ["-1500m",               "1500m",                "1e3",                  "-1.000000"],
  ["1",                    "9223372036854775",     "8Ei",                  "9223372036854776.000000"],
  ["1",                    "12345678901234567n",   "8Ei",                  "12345679.000000"],
  ["-1",                   "9223372036854775",     "1e16",                 "-9223372036854776.000000"],
  ["1m",                   "1",                    "8Ei",                  "1.000000"],
  ["1500m",                "9223372036854775807",  "8Ei",                  "4611686018427387904.000000"],
  ["123E",                 "9223372036854775808",  "8Ei",                  "1.505314"],
  ["123E",                 "100Ei",                "8Ei",                  "-1.505314"],
  ["100E",                 "8Ei",                  "1e3",                  "1.187618"],
  ["9E",                   "1.5E",                 "1500m",                "0.166667"],
  ["-1500m",               "9223372036854776",     "1e3",                  "-4611686018427388.000000"],
  ["1e21",                 "9223372036854775808",  "1",                    "-0.000000"],
];

test.each(ratios)("min %s, max %s, ratio %s", async (min, max, ratio, most) => {
  const limit = { type: "Container", min: { cpu: min }, max: { cpu: max }, maxLimitRequestRatio: { cpu: ratio } };
  const object = { apiVersion: "v1", kind: "LimitRange", metadata: { name: "x" }, spec: { limits: [limit] } };
  const { errors = [] } = await createObject(withServerDefaults(object) as KubeObject, { namespace: "default" });
  const found = errors.map(({ detail }) => /max\/min = (.*)/.exec(detail)?.[1]).filter((text) => text !== undefined);
  expect(found).toEqual(most === "" ? [] : [most]);
});
