// The chart of what policies cost to evaluate.

import type { PolicyTally } from "@celadon/simulator";
import type { Chart } from "../output/answer.ts";
import { largestFirst } from "../output/charts.ts";
import { costNumber } from "../output/numbers.ts";

export function costChart(policies: readonly PolicyTally[]): Chart {
  return {
    title: "Cost by policy, in units of CEL evaluation",
    series: [{ name: "units over all objects", tone: "plain" }],
    bars: policies
      .filter(({ cost }) => cost.total > 0)
      .map(({ policy, cost }) => ({
        name: policy,
        values: [cost.total],
        note: `${costNumber(cost.most)} for the most expensive object`,
      }))
      .sort(largestFirst),
  };
}
