import { expect, test } from "vitest";
import { finalizerWarnings } from "./metadata-warnings.ts";

const withFinalizers = (...finalizers: string[]): object => ({ metadata: { finalizers } });

test("new finalizers without a domain, at their place in the list", () => {
  const [warning, ...more] = finalizerWarnings(withFinalizers("example.com/a", "orphan", "b"), withFinalizers());
  expect(more).toEqual([]);
  expect(warning?.text).toBe(
    'metadata.finalizers: "b": prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers',
  );
  expect(warning?.path?.steps).toEqual(["metadata", "finalizers", 2]);
});

test("none for finalizers that the object had", () =>
  expect(finalizerWarnings(withFinalizers("b"), withFinalizers("b"))).toEqual([]));
