// Shuffle sharding: every flow gets a hand of queues, so that a flow that fills its queues shares only few of them with any other
// flow. Upstream: apiserver pkg/util/shufflesharding.

import { createHash } from "node:crypto";

/** The queues that a flow may use: different ones, in the order in which they were dealt. */
export type Hand = readonly number[];

/** The hand of a flow: of one schema, for one user or namespace. */
export function handOf(schema: string, distinguisher: string, queues: number, size: number): Hand {
  return deal(flowHash(schema, distinguisher), queues, size);
}

function flowHash(schema: string, distinguisher: string): bigint {
  return createHash("sha256").update(`${schema}\0${distinguisher}`).digest().readBigUInt64LE();
}

/** The digits of the hash, in a radix that shrinks by one with every card, are positions among the cards that are left. */
export function deal(hash: bigint, queues: number, size: number): Hand {
  const dealt: number[] = [];
  let rest = hash;
  for (let left = queues; dealt.length < size; left--) {
    const radix = BigInt(left);
    dealt.push(cardAt(Number(rest % radix), dealt));
    rest /= radix;
  }
  return dealt;
}

/** The card at a position among those that are not dealt yet. */
function cardAt(position: number, dealt: Hand): number {
  let card = position;
  for (const taken of [...dealt].sort((a, b) => a - b)) if (taken <= card) card++;
  return card;
}
