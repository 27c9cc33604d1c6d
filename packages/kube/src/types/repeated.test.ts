// Members that a body repeats many times are read in time linear in the body, with the same result as few.

import { expect, test } from "vitest";
import { decodeBody } from "./body.ts";

const review = (count: number): string => {
  const fields = Array.from({ length: count }, (_, i) => `"resourceAttributes":{"${i % 2 ? "verb" : "name"}":"${i}"}`);
  return `{"apiVersion":"authorization.k8s.io/v1","kind":"SelfSubjectAccessReview","spec":{${fields.join(",")}}}`;
};

/** The least of a few runs: what else the machine does makes runs longer and never shorter. */
function milliseconds(run: () => void): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 3; i++) {
    const started = performance.now();
    run();
    least = Math.min(least, performance.now() - started);
  }
  return least;
}

test("each repetition fills the field further", () => {
  const { object, strict } = decodeBody(review(1_001));
  expect(object).toMatchObject({ spec: { resourceAttributes: { verb: "999", name: "1000" } } });
  expect(strict.length).toBeLessThanOrEqual(100);
});

test("eight times as many repetitions take nowhere near sixty-four times as long", () => {
  const [small, large] = [review(5_000), review(40_000)];
  decodeBody(small);
  expect(milliseconds(() => decodeBody(large)) / milliseconds(() => decodeBody(small))).toBeLessThan(30);
});

test("values of a wrong type are not kept without end", () => {
  const data = Array.from({ length: 50_000 }, (_, i) => `"k${i}":1`);
  const { error, errors } = decodeBody(`{"apiVersion":"v1","kind":"ConfigMap","data":{${data.join(",")}}}`);
  expect(error).toMatchObject({ code: "wrong_type", path: ["data", "k0"] });
  expect(errors.length).toBeLessThanOrEqual(1_000);
});
