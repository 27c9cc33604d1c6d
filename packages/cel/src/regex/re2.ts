// Where a match lies and what its groups took, answered by re2js. This is the only file that imports it: a bundle that wants
// boolean matching alone can replace this module.

import { RE2JS, RE2JSException } from "re2js";

/** Finds matches with their groups. `find` answers [start, end] of the match and of each group in turn, -1 where unmatched. */
export interface Submatcher {
  readonly groupCount: number;
  test(s: string): boolean;
  find(s: string, from: number): number[] | undefined;
}

/** Opens `pattern`, or gives the reason why not. */
export function openSubmatcher(pattern: string): Submatcher | string {
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(pattern);
  } catch (error) {
    if (error instanceof RE2JSException) return error.message;
    throw error;
  }
  const re2 = compiled.re2();
  const groupCount = compiled.groupCount();
  return {
    groupCount,
    test: (s) => compiled.test(s),
    find(s, from) {
      const [found, positions] = re2.matchWithGroup(s, from, s.length, 0, groupCount + 1) as [boolean, number[]];
      return found ? positions : undefined;
    },
  };
}
