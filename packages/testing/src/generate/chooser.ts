// Decides while an object is generated: whether a field is present, and the choice among options. Options are ordered: the first is the
// ordinary one, the last the largest. Systematic choosers walk the decisions one by one; a random one takes them all at once.

import type { Random } from "./random.ts";

export interface Chooser {
  /** Whether an optional field is present. `path` is the field's, with `*` for elements. */
  present(path: string): boolean;
  /** Chooses one of `count` options, from 0. */
  option(path: string, count: number): number;
}

/** One way to generate, as data: the value of all decisions but one. */
export type Plan =
  | { readonly take: "minimal" | "full" | "large" }
  /** Everything ordinary, but the field is left out. */
  | { readonly take: "without"; readonly path: string }
  /** The field alone, and its parents. */
  | { readonly take: "only"; readonly path: string }
  /** Everything ordinary, but the field takes another option. */
  | { readonly take: "option"; readonly path: string; readonly option: number };

export function chooserOf(plan: Plan): Chooser {
  switch (plan.take) {
    case "minimal":
      return { present: () => false, option: () => 0 };
    case "full":
      return { present: () => true, option: () => 0 };
    case "large":
      return { present: () => true, option: (path, count) => (path.endsWith("#") ? count - 1 : 0) };
    case "without":
      return { present: (path) => path !== plan.path, option: () => 0 };
    case "only":
      return { present: (path) => path === plan.path || plan.path.startsWith(`${path}.`), option: () => 0 };
    case "option":
      return { present: () => true, option: (path) => (path === plan.path ? plan.option : 0) };
  }
}

/** Every decision at random; how many fields there are differs from object to object. */
export function randomChooser(random: Random): Chooser {
  const sparse = 1 + random.below(4);
  return {
    present: () => random.below(5) >= sparse,
    // Large sizes are seldom: they are slow, and one of them is enough.
    option: (path, count) => {
      if (count <= 1 || random.oneIn(3)) return 0;
      return random.below(path.endsWith("#") && !random.oneIn(50) ? count - 1 : count);
    },
  };
}

/** Plans that try every decision of a generation by itself; `run` generates once with the chooser it is given. */
export function plansOf(run: (chooser: Chooser) => void): readonly Plan[] {
  const optional = new Set<string>();
  const options = new Map<string, number>();
  run({
    present: (path) => {
      optional.add(path);
      return true;
    },
    option: (path, count) => {
      options.set(path, Math.max(count, options.get(path) ?? 0));
      return 0;
    },
  });
  const plans: Plan[] = [{ take: "minimal" }, { take: "full" }, { take: "large" }];
  for (const path of optional) plans.push({ take: "without", path });
  for (const path of optional) plans.push({ take: "only", path });
  const most = [...options.values()].reduce((largest, count) => Math.max(largest, count), 0);
  // Breadth first, so that a short run has tried something of every field.
  for (let option = 1; option < most; option++) {
    for (const [path, count] of options) if (option < count) plans.push({ take: "option", path, option });
  }
  return plans;
}
