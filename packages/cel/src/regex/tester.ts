// Chooses how a pattern is searched for: as plain text where it is plain text, else by the automaton, with the plain text it
// begins or ends with looked for first.

import { createDfa, type Dfa } from "./dfa.ts";
import { type Shape, searchTree, shapeOf } from "./literal.ts";
import { compileProgram } from "./program.ts";
import type { Node } from "./syntax.ts";

export type Test = (s: string) => boolean;

/** Undefined when the pattern is beyond the automaton. */
export function createTest(tree: Node, budget: number): Test | undefined {
  const smaller = searchTree(tree);
  const shape = shapeOf(smaller);
  if (shape.literal) return literalTest(shape);
  const dfa = createDfa(compileProgram(smaller), budget);
  return dfa && automatonTest(dfa, shape);
}

function literalTest({ fromStart, toEnd, prefix }: Shape): Test {
  if (fromStart && toEnd) return (s) => s === prefix;
  if (fromStart) return (s) => s.startsWith(prefix);
  if (toEnd) return (s) => s.endsWith(prefix);
  return (s) => s.includes(prefix);
}

function automatonTest(dfa: Dfa, { fromStart, prefix, suffix }: Shape): Test {
  if (suffix !== "") return (s) => s.endsWith(suffix) && dfa.search(s, 0);
  if (fromStart || prefix === "") return (s) => dfa.search(s, 0);
  return (s) => {
    const from = s.indexOf(prefix);
    return from >= 0 && dfa.search(s, from);
  };
}
