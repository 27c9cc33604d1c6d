// Steps that the in-memory cluster does not answer as the server did, with the reason. They are replayed all the same: a step that is
// answered rightly must leave the list.

export interface NotAnswered {
  /** `<group>/<name> <step>`, or `<group>/<name>` for all steps that differ. */
  readonly step: string;
  readonly reason: string;
}

export const NOT_ANSWERED: readonly NotAnswered[] = [];

export function reasonNotAnswered(scenario: string, step: string): string | undefined {
  return NOT_ANSWERED.find((entry) => entry.step === scenario || entry.step === `${scenario} ${step}`)?.reason;
}
