// The cost of a definition's rules on one object, added up beside other observers.

import type { ReviewOptions } from "@celadon/simulator";

type WatchRules = NonNullable<ReviewOptions["ruleObserver"]>;

export class RuleCosts {
  /** By the definition's name. */
  readonly costs: Map<string, number> = new Map();

  watch(other: WatchRules | undefined): WatchRules {
    return (version) => {
      const observer = other?.(version);
      const name = `${version.type.plural}.${version.type.group}`;
      return {
        recorder: (place, rule) => observer?.recorder(place, rule),
        result: (place, rule, value, error, cost) => {
          this.costs.set(name, (this.costs.get(name) ?? 0) + cost);
          observer?.result(place, rule, value, error, cost);
        },
        skip: (place, rule) => observer?.skip?.(place, rule),
      };
    };
  }
}
