// Steps that only a full API server can answer, with the reason. They are not replayed against the in-memory cluster; the
// steps after them are. A real server answers them all.

export interface ServerOnly {
  /** `<group>/<name>`, or `<group>/<name> <step>`. */
  readonly step: string;
  readonly reason: string;
}

export const SERVER_ONLY: readonly ServerOnly[] = [];

export function serverOnlyReason(scenario: string, step: string): string | undefined {
  return SERVER_ONLY.find((entry) => entry.step === scenario || entry.step === `${scenario} ${step}`)?.reason;
}
