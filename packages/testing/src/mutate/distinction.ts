// The shortest expectation that tells two outcomes of one case apart.

import { compare, messageOf, sameVerdict } from "../suite/compare.ts";
import type { Expectation } from "../suite/read/document.ts";
import type { CaseRun } from "../suite/run-suite.ts";

export interface Distinction {
  readonly expect: Expectation;
  /** 0: another verdict. 1: another verdict because something failed, or another end of it. 2: something less. */
  readonly rank: 0 | 1 | 2;
  /** In a word: `allow, with the mutant deny`. */
  readonly difference: string;
}

type Compared = Required<Pick<CaseRun, "observed" | "outcome">>;

/** Undefined when a test cannot see a difference. */
export function distinguish(original: CaseRun, mutated: CaseRun): Distinction | undefined {
  const { observed: a, outcome: before } = original;
  const { observed: b, outcome: after } = mutated;
  if (!a || !before || !b || !after) return undefined;
  const { verdict } = a;
  if (!sameVerdict(verdict, b.verdict)) {
    const rank = verdict === "error" || b.verdict === "error" ? 1 : 0;
    return checked({ verdict }, rank, `${verdict}, with the mutant ${b.verdict}`, { observed: b, outcome: after });
  }
  if (before.allowed !== after.allowed) {
    const said = (allowed: boolean): string => (allowed ? "allows the request" : "denies it");
    const difference = `${verdict} that ${said(before.allowed)}, with the mutant one that ${said(after.allowed)}`;
    return checked({ verdict, allowed: before.allowed }, 1, difference, { observed: b, outcome: after });
  }
  for (const { aspect, expect, of } of ASPECTS) {
    const [mine, other] = [of({ observed: a, outcome: before }), of({ observed: b, outcome: after })];
    if (mine === undefined || JSON.stringify(mine) === JSON.stringify(other)) continue;
    const found = checked({ verdict, ...expect(mine) }, 2, aspect, { observed: b, outcome: after });
    if (found !== undefined) return found;
  }
  return undefined;
}

function checked(
  expect: Expectation,
  rank: Distinction["rank"],
  difference: string,
  other: Compared,
): Distinction | undefined {
  const tells = compare(expect, other.observed, other.outcome).length > 0;
  return tells ? { expect, rank, difference } : undefined;
}

interface Aspect {
  readonly aspect: string;
  of(compared: Compared): unknown;
  // biome-ignore lint/suspicious/noExplicitAny: what `of` of the same row gave
  expect(value: any): Expectation;
}

// biome-ignore format: one aspect per line
const ASPECTS: readonly Aspect[] = [
  { aspect: "different webhooks called",  of: ({ observed }) => observed.called,                            expect: (called) => ({ webhooks: { called } }) },
  { aspect: "another message",          of: ({ observed, outcome }) => messageOf(observed, outcome)[0],   expect: (message) => ({ message }) },
  { aspect: "different number of failures", of: ({ observed }) => observed.failures.length,                 expect: (failures) => ({ failures }) },
  { aspect: "another reason",           of: ({ outcome }) => outcome.status?.reason,                      expect: (reason) => ({ reason }) },
  { aspect: "other warnings",         of: ({ outcome }) => outcome.warnings,                            expect: (warnings) => ({ warnings }) },
  { aspect: "different audit annotations", of: ({ outcome }) => outcome.auditAnnotations,                   expect: (auditAnnotations) => ({ auditAnnotations }) },
];
