// Lists of indexes of a job: `0,2-5,7`.

import { quoteGo } from "@celadon/base";
import { Invalid, isInvalid } from "../../invalid.ts";

interface Interval {
  readonly first: number;
  readonly last: number;
}

/** Counts the indexes in a text, or finds its problem. */
export function countIndexes(text: string, completions: number): number | Invalid {
  if (text === "") return 0;
  let total = 0;
  let last: number | undefined;
  for (const part of text.split(",")) {
    const interval = readInterval(part, completions);
    if (isInvalid(interval)) return interval;
    if (last !== undefined && last >= interval.first) return notIncreasing(last, interval.first);
    total += interval.last - interval.first + 1;
    last = interval.last;
  }
  return total;
}

function readInterval(text: string, completions: number): Interval | Invalid {
  const limits = text.split("-");
  if (limits.length > 2) {
    return new Invalid(
      `the fragment ${quoteGo(text)} violates the requirement that an index interval can have at most two parts separated by '-'`,
    );
  }
  const read: number[] = [];
  for (const limit of limits) {
    if (!/^[+-]?[0-9]+$/.test(limit))
      return new Invalid(`cannot convert string to integer for index: ${quoteGo(limit)}`);
    if (Number(limit) >= completions) return new Invalid(`too large index: ${quoteGo(limit)}`);
    read.push(Number(limit));
  }
  const [first = 0, last = first] = read;
  return read.length === 2 && first >= last ? notIncreasing(first, last) : { first, last };
}

function notIncreasing(previous: number, current: number): Invalid {
  return new Invalid(`non-increasing order, previous: ${previous}, current: ${current}`);
}

/** The first index that is in both lists; parts that cannot be read are passed over. */
export function sharedIndex(a: string, b: string, completions: number): number | undefined {
  const [xs, ys] = [a, b].map((text) =>
    text
      .split(",")
      .map((part) => readInterval(part, completions))
      .filter((interval): interval is Interval => !isInvalid(interval)),
  ) as [Interval[], Interval[]];
  let [i, j] = [0, 0];
  while (i < xs.length && j < ys.length) {
    const [x, y] = [xs[i]!, ys[j]!];
    if (x.first <= y.last && y.first <= x.last) return Math.max(x.first, y.first);
    if (x.first <= y.first) i++;
    else j++;
  }
  return undefined;
}
