// Comparisons of numbers, decided unless the facts of a path decide them already.

import type { Linear } from "../number/linear.ts";
import type { Path } from "../path/path.ts";

export function numbersEqual(path: Path, a: Linear, b: Linear): boolean {
  return compareNumbers(path, a, "==", b);
}

/** Decides a comparison, unless known facts already do. */
export function compareNumbers(path: Path, a: Linear, relation: "<" | "<=" | "==", b: Linear): boolean {
  const difference = { factors: new Map(b.factors), constant: b.constant - a.constant };
  for (const [name, factor] of a.factors) {
    const sum = (difference.factors.get(name) ?? 0n) - factor;
    if (sum === 0n) difference.factors.delete(name);
    else difference.factors.set(name, sum);
  }
  const { least, most } = path.numbers.bounds(difference);
  if (relation === "==" ? least === 0n && most === 0n : least >= (relation === "<" ? 1n : 0n)) return true;
  if (relation === "==" ? least > 0n || most < 0n : most < (relation === "<" ? 1n : 0n)) return false;
  const key = `${relation} ${[...difference.factors].map(([name, factor]) => `${factor}*${name}`)} ${difference.constant}`;
  return path.decide(key, (holds) => {
    if (holds) path.numbers.compare(a, relation, b);
    else if (relation === "==") path.numbers.compare(a, "!=", b);
    else path.numbers.compare(b, relation === "<" ? "<=" : "<", a);
  });
}
