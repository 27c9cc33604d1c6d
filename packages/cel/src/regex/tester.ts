// Chooses how a pattern is searched for: as plain text where it is plain text, else by the automaton, with the plain text it
// begins or ends with looked for first.

import { createOpenAlphabet } from "./alphabet.ts";
import { createDfa, type Dfa } from "./dfa.ts";
import { type Shape, searchTree, shapeOf } from "./literal.ts";
import { EDGE, Nfa } from "./nfa.ts";
import { compileProgram, type Program } from "./program.ts";
import type { Node } from "./syntax.ts";

export type Test = (s: string) => boolean;

export function createTest(tree: Node, budget: number): Test {
  const smaller = searchTree(tree);
  const shape = shapeOf(smaller);
  if (shape.literal) return literalTest(shape);
  const program = compileProgram(smaller);
  const dfa = createDfa(program, budget);
  return dfa ? automatonTest(dfa, shape) : simulatedTest(program);
}

/** For patterns beyond the automaton. */
function simulatedTest(program: Program): Test {
  const nfa = new Nfa(program, createOpenAlphabet(program));
  return (s) => nfa.search(s, 0, EDGE);
}

function literalTest({ fromStart, toEnd, needle }: Shape): Test {
  if (fromStart && toEnd) return (s) => s === needle;
  if (fromStart) return (s) => s.startsWith(needle);
  if (toEnd) return (s) => s.endsWith(needle);
  return (s) => s.includes(needle);
}

function automatonTest(dfa: Dfa, { fromStart, needle, lead, suffix }: Shape): Test {
  if (suffix !== "") return (s) => s.endsWith(suffix) && dfa.search(s, 0);
  // An automaton tied to the start fails early by itself.
  if (fromStart || needle === "") return (s) => dfa.search(s, 0);
  return (s) => {
    const at = s.indexOf(needle);
    return at >= 0 && dfa.search(s, at > lead ? at - lead : 0);
  };
}
