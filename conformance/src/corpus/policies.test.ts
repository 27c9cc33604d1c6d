// Real-world policies: every verdict their authors state, and every text kube-apiserver answered.

import type { AdmissionReport } from "@celadon/admission";
import { describe, expect, test } from "vitest";
import { corpusCaseNames, hasCorpus } from "./corpus-directory.ts";
import { askCase, type Expected, loadCase, type Recorded } from "./policy-cases.ts";

const cases = corpusCaseNames("policies");

describe.skipIf(!hasCorpus)("corpus of policies", () => {
  test.each(cases)("%s", async (name) => {
    const policyCase = loadCase(name);
    const wrong: Record<string, unknown> = {};
    for (const { file, expected, recorded } of policyCase.objects) {
      if (expected.allowed !== null) {
        const report = await askCase(policyCase, file, expected, seenByServer(expected));
        if (report?.allowed !== expected.allowed)
          wrong[`${file} verdict`] = report?.status?.message ?? report?.verdicts;
        else if (report !== undefined) Object.assign(wrong, otherTexts(file, expected, report));
      }
      if (!policyCase.accepted || recorded === undefined || !comparable(recorded, policyCase.params.length > 0))
        continue;
      const report = await askCase(policyCase, file, expected, true);
      const { message, reason, code } = report?.status ?? {};
      const warnings = recorded.warnings?.filter((text) => text.startsWith("Validation failed for "));
      const causes = report?.status?.details?.causes;
      const got = { message, reason, code: code ?? recorded.code, causes, warnings: report?.warnings };
      const want = {
        message: recorded.message,
        reason: recorded.reason,
        code: recorded.code,
        causes: recorded.causes,
        warnings: warnings ?? [],
      };
      if (JSON.stringify(got) !== JSON.stringify(want)) wrong[`${file} text`] = { want, got };
    }
    expect(wrong).toEqual({});
  });
});

/** The texts that authors state beside the verdict. Texts of the authors are parts of the answers. */
function otherTexts(file: string, expected: Expected, { status, warnings, auditAnnotations }: AdmissionReport): object {
  const { reason, error = "", warning, auditAnnotations: annotations = {} } = expected;
  const said = [
    { what: "reason", holds: reason === undefined || status?.reason === reason, got: status?.reason },
    {
      what: "error",
      holds: [error].flat().every((text) => (status?.message ?? "").includes(text)),
      got: status?.message,
    },
    { what: "warning", holds: warning === undefined || warnings.includes(warning), got: warnings },
    {
      what: "audit annotations",
      holds: Object.entries(annotations).every(([key, value]) => auditAnnotations[key] === value),
      got: auditAnnotations,
    },
  ];
  return Object.fromEntries(said.filter(({ holds }) => !holds).map(({ what, got }) => [`${file} ${what}`, got]));
}

/** Tools that only read files see objects without the server's defaults. */
function seenByServer({ verdictFrom = "", dependsOnServerDefaults = false }: Expected): boolean {
  return dependsOnServerDefaults || (verdictFrom !== "kyverno-cli" && verdictFrom !== "gator");
}

/** The comparable part of the recorded answers. If params of the case were absent when it was recorded, the answer is not about them. */
function comparable({ by, message = "" }: Recorded, hasParams: boolean): boolean {
  if (by !== "ok" && by !== "policy") return false;
  return !(hasParams && message.includes("no params found"));
}
