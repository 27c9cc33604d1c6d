import fc from "fast-check";
import { expect, test } from "vitest";
import { allocateSeats, type SeatClaim } from "./allocate-seats.ts";

// biome-ignore format: one case per line
const cases: readonly { name: string; all: number; claims: readonly SeatClaim[]; want: readonly number[] }[] = [
  { name: "in proportion",           all: 30, claims: [claim(0, 100, 10), claim(0, 100, 20)],                  want: [10, 20] },
  { name: "more than is aimed for",  all: 60, claims: [claim(0, 100, 10), claim(0, 100, 20)],                  want: [20, 40] },
  { name: "a lower bound",           all: 30, claims: [claim(10, 100, 10), claim(0, 100, 30)],                 want: [10, 20] },
  { name: "an upper bound",          all: 60, claims: [claim(0, 12, 10), claim(0, 100, 20)],                   want: [12, 48] },
  { name: "nobody aims for any",     all: 10, claims: [claim(0, 100, 0), claim(0, 100, 0)],                    want: [5, 5] },
  { name: "too few for the lowest",  all: 5,  claims: [claim(4, 10, 4), claim(4, 10, 4)],                      want: [4, 4] },
  { name: "more than the highest",   all: 50, claims: [claim(4, 10, 4), claim(4, 10, 4)],                      want: [10, 10] },
];

function claim(lowest: number, highest: number, target: number): SeatClaim {
  return { lowest, highest, target };
}

test.each(cases)("$name", ({ all, claims, want }) => {
  const { seats } = allocateSeats(all, claims);
  expect(seats.map((number) => Math.round(number * 1e6) / 1e6)).toEqual(want);
});

test("all seats are given, in proportion where no bound holds", () => {
  const claims = fc.array(
    fc
      .tuple(fc.nat(50), fc.nat(50), fc.nat(100))
      .map(([lowest, more, target]) => claim(lowest, lowest + more, Math.max(lowest, target))),
    { minLength: 1, maxLength: 8 },
  );
  fc.assert(
    fc.property(claims, fc.nat(100), (claims, percent) => {
      const [least, most] = [
        claims.reduce((sum, { lowest }) => sum + lowest, 0),
        claims.reduce((sum, { highest }) => sum + highest, 0),
      ];
      const all = least + ((most - least) * percent) / 100;
      const { seats, fairShare } = allocateSeats(all, claims);
      expect(seats.reduce((a, b) => a + b, 0)).toBeCloseTo(all, 4);
      for (const [at, { lowest, highest, target }] of claims.entries()) {
        expect(seats[at]).toBeGreaterThanOrEqual(lowest);
        expect(seats[at]).toBeLessThanOrEqual(highest);
        if (seats[at]! > lowest + 1e-6 && seats[at]! < highest - 1e-6) {
          expect(seats[at]).toBeCloseTo(fairShare * Math.max(target, 0.001), 4);
        }
      }
    }),
  );
});
