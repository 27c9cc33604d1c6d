import { expect, test } from "vitest";
import { Workspace } from "../workspace.ts";

test("an expression with very many names gets hints for the first of them", () => {
  const expression = Array.from({ length: 150 }, () => "[1].all(x, x > 0)").join(" && ");
  const text = [
    "apiVersion: admissionregistration.k8s.io/v1",
    "kind: ValidatingAdmissionPolicy",
    "metadata: {name: p}",
    "spec:",
    "  validations:",
    `  - expression: "${expression}"`,
    "",
  ].join("\n");
  const workspace = new Workspace();
  workspace.set("a.yaml", text);
  const hints = workspace.hints("a.yaml", { start: 0, end: text.length });
  expect(hints).toHaveLength(100);
  expect(new Set(hints.map((hint) => hint.text))).toEqual(new Set([": int"]));
});
