import { expect, test } from "vitest";
import { runLine } from "./io.testing.ts";

const manifest = (apiVersion: string, kind: string): string =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: a}\n`;

// biome-ignore format: one case per line
const cases = [
  { apiVersion: "kyverno.io/v1",                     kind: "ClusterPolicy",      says: "a.yaml: ClusterPolicy a is for Kyverno, and decides nothing here (`celadon convert` makes policies of what is CEL in it)\n" },
  { apiVersion: "policies.kyverno.io/v1alpha1",      kind: "ValidatingPolicy",   says: "a.yaml: ValidatingPolicy a is for Kyverno" },
  { apiVersion: "templates.gatekeeper.sh/v1",        kind: "ConstraintTemplate", says: "a.yaml: ConstraintTemplate a is for Gatekeeper" },
  { apiVersion: "example.com/v1",                    kind: "ClusterPolicy",      says: "" },
];
test.each(cases)("$apiVersion $kind", async ({ apiVersion, kind, says }) => {
  const files = { "a.yaml": manifest(apiVersion, kind) };
  const { stderr } = await runLine(["lint", "-f", "a.yaml"], { files });
  if (says === "") expect(stderr).toBe("");
  else expect(stderr).toContain(says);
  expect((await runLine(["lint", "-f", "a.yaml", "-q"], { files })).stderr).toBe("");
});
