import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { runLine } from "../io.testing.ts";

const example = (name: string): string =>
  readFileSync(new URL(`../../../../examples/access/${name}`, import.meta.url), "utf8");

const files = {
  "a.yaml": example("authorization.yaml"),
  "mild.yaml": example("authorization.yaml").replace("failurePolicy: Deny", "failurePolicy: NoOpinion"),
  "r.json": example("review.json"),
  "other.json": example("review.json").replace("tenant-shop", "shop"),
  "path.json":
    '{"kind": "SubjectAccessReview", "spec": {"user": "x", "nonResourceAttributes": {"path": "/", "verb": "get"}}}',
  "broken.yaml": example("authorization.yaml").replace("has(request.resourceAttributes)", "1 / 0 == 1"),
  "wrong.yaml": example("authorization.yaml").replace("3s", "40s"),
};

// biome-ignore format: one case per line
const cases = [
  { name: "called",           argv: "a.yaml --review r.json",      code: 0, says: "tenants.example.com Webhook  called\n" },
  { name: "skipped",          argv: "a.yaml --review other.json",  code: 0, says: `tenants.example.com Webhook  skipped, because a match condition is false\n  has(request.resourceAttributes) → true   cost 1\n  request.resourceAttributes.namespace.startsWith("tenant-") → false` },
  { name: "a path",           argv: "a.yaml --review path.json",   code: 0, says: "skipped, because a match condition is false\n  has(request.resourceAttributes) → false" },
  { name: "denied",           argv: "broken.yaml --review r.json", code: 1, says: "denies, because a match condition cannot be evaluated\n  1 / 0 == 1 → error: division by zero" },
  { name: "nobody after it",  argv: "broken.yaml --review r.json", code: 1, says: "rbac RBAC  not reached\n" },
  { name: "an invalid file",  argv: "wrong.yaml --review r.json",  code: 2, says: 'wrong.yaml is invalid: authorizers[0].timeout: Invalid value: "40s": must be > 0s and <= 30s' },
  { name: "no review",        argv: "a.yaml --review a.yaml",      code: 2, says: "a.yaml is no SubjectAccessReview with a spec" },
  { name: "roles afterwards", argv: "mild.yaml --review r.json",   code: 0, says: "node Node  asked, if nobody before it decides\nrbac RBAC  asked, if nobody before it decides\n" },
];

test.each(cases)("$name", async ({ argv, code, says }) => {
  const { stdout, stderr, code: found } = await runLine(["authorize", ...argv.split(" ")], { files });
  expect(`${stdout}${stderr}`).toContain(says);
  expect(found).toBe(code);
});
