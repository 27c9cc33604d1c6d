// Sums of integer variables with factors and a constant: sizes, numbers in objects, and what expressions compute of them.

/** `constant + Σ factor · variable`. Factors are never 0. */
export interface Linear {
  readonly factors: ReadonlyMap<string, bigint>;
  readonly constant: bigint;
}

/** A fact of a path about a sum: that it is at least 0, that it is 0, or that it is not 0. */
export interface Constraint {
  readonly sum: Linear;
  readonly is: "atLeastZero" | "zero" | "notZero";
}

export function constant(value: bigint): Linear {
  return { factors: new Map(), constant: value };
}

export function variable(name: string): Linear {
  return { factors: new Map([[name, 1n]]), constant: 0n };
}

/** `a + factor · b`. */
export function plus(a: Linear, b: Linear, factor = 1n): Linear {
  const factors = new Map(a.factors);
  for (const [name, value] of b.factors) {
    const sum = (factors.get(name) ?? 0n) + factor * value;
    if (sum === 0n) factors.delete(name);
    else factors.set(name, sum);
  }
  return { factors, constant: a.constant + factor * b.constant };
}

export function times(a: Linear, factor: bigint): Linear {
  return plus(constant(0n), a, factor);
}

export function isConstant(sum: Linear): boolean {
  return sum.factors.size === 0;
}

/** The same for equal sums. */
export function keyOf({ factors, constant: rest }: Linear): string {
  const parts = [...factors].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, factor]) => `${factor}*${name}`);
  return [...parts, rest].join("+");
}
