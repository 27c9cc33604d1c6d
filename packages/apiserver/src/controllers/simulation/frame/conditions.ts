// Conditions of a status: one of each type, whose time of transition is that of its last change of status.

export interface Condition {
  readonly type?: string | undefined;
  readonly status?: string | undefined;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  readonly lastTransitionTime?: string | null | undefined;
}

export function withCondition<C extends Condition>(
  conditions: readonly C[] | undefined,
  wanted: Condition & Partial<C>,
  time: string,
): readonly C[] {
  const known = conditions ?? [];
  const before = known.find(({ type }) => type === wanted.type);
  const lastTransitionTime = before?.status === wanted.status ? (before?.lastTransitionTime ?? time) : time;
  const after = { ...before, ...wanted, lastTransitionTime } as C;
  return before === undefined
    ? [...known, after]
    : known.map((condition) => (condition === before ? after : condition));
}

export const withoutCondition = <C extends Condition>(
  conditions: readonly C[] | undefined,
  type: string,
): readonly C[] => (conditions ?? []).filter((condition) => condition.type !== type);

export const conditionOf = <C extends Condition>(conditions: readonly C[] | undefined, type: string): C | undefined =>
  conditions?.find((condition) => condition.type === type);
