// Where a match lies and what its groups took, answered by re2js. This is the only file that imports it: a bundle that wants
// boolean matching alone can replace this module.

import { RE2JS } from "re2js";

/** Finds matches with their groups. `find` answers [start, end] of the match and of each group in turn, -1 where unmatched. */
export interface Submatcher {
  test(s: string): boolean;
  find(s: string, from: number): number[] | undefined;
}

/** Opens a pattern known to be valid: text from print.ts. */
export function openSubmatcher(pattern: string): Submatcher {
  const compiled = RE2JS.compile(pattern);
  const re2 = compiled.re2();
  const positions = compiled.groupCount() + 1;
  return {
    test: (s) => compiled.test(s),
    find(s, from) {
      const [found, at] = re2.matchWithGroup(s, from, s.length, 0, positions) as [boolean, number[]];
      return found ? at : undefined;
    },
  };
}
