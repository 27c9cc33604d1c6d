// Steps that the in-memory cluster does not answer as the server did, with the reason. They are replayed all the same: one that
// comes to be answered rightly must leave the list.

export interface NotAnswered {
  /** `<group>/<name> <step>`, or `<group>/<name>` for all steps that differ. */
  readonly step: string;
  readonly reason: string;
}

const OWNERSHIP = "appliers and what they own are kept by a full server: order, conflicts and removal follow from it";

export const NOT_ANSWERED: readonly NotAnswered[] = [
  {
    step: "vap/server-side-apply update-good",
    reason: "fields that an applier no longer names are removed by field ownership",
  },
  { step: "vap-api/apply-ownership second", reason: OWNERSHIP },
  { step: "vap-api/apply-ownership conflict", reason: OWNERSHIP },
  { step: "vap-api/apply-ownership forced", reason: OWNERSHIP },
];

export function reasonNotAnswered(scenario: string, step: string): string | undefined {
  return NOT_ANSWERED.find((entry) => entry.step === scenario || entry.step === `${scenario} ${step}`)?.reason;
}
