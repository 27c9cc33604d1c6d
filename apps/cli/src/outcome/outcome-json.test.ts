import { expect, test } from "vitest";
import { runLine } from "../io.testing.ts";

test("a long list is written for the first of its problems only", async () => {
  const finalizers = Array.from({ length: 200 }, () => "A b");
  const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", finalizers } };
  const files = { "a.json": JSON.stringify(object) };
  const { stdout } = await runLine(["check", "a.json", "-o", "json"], { files });
  const [{ problems }] = JSON.parse(stdout).objects;
  expect(problems.length).toBeGreaterThan(200);
  expect(problems.filter(({ value }: { value: unknown }) => Array.isArray(value)).length).toBe(1);
});

test("many problems of a long list show its beginning", async () => {
  const finalizers = Array.from({ length: 200 }, () => "A b");
  const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", finalizers } };
  const { stdout } = await runLine(["check", "a.json"], { files: { "a.json": JSON.stringify(object) } });
  expect(stdout).toContain(`metadata.finalizers = ${JSON.stringify(finalizers).slice(0, 120)}…`);
});
