// Makes two places equal: all that is known of either holds for both from then on.

import { find, KIND, Node } from "../tree/node.ts";
import { INFEASIBLE } from "./choices.ts";
import type { Path } from "./path.ts";

export function unify(path: Path, a: Node, b: Node): void {
  const one = find(a);
  const other = find(b);
  if (one === other) return;
  // Numbers are equal across kinds: an int may equal a double.
  const number = KIND.int | KIND.double;
  const kinds = one.kinds & other.kinds;
  const numbers = (one.kinds & number) !== 0 && (other.kinds & number) !== 0;
  if (kinds === 0) {
    if (numbers) return;
    throw INFEASIBLE;
  }
  if (numbers && ((one.kinds | other.kinds) & KIND.double) !== 0) {
    path.unfollowed.add(`${one.label} == ${other.label}`);
    return;
  }
  one.kinds = kinds;
  other.kinds = kinds;
  // Later decisions about an open kind hold for both.
  if (kinds === KIND.int) path.numbers.compare(path.numberOf(one), "==", path.numberOf(other));
  if (kinds === KIND.text) path.uniteTexts(path.textOf(one), path.textOf(other));
  if (kinds === KIND.list || kinds === KIND.map) path.numbers.compare(path.sizeOf(one), "==", path.sizeOf(other));
  if (one.bool !== undefined && other.bool !== undefined && one.bool !== other.bool) throw INFEASIBLE;
  one.bool ??= other.bool;
  other.alias = one;
  mergeFields(path, one, other);
  mergeLists(path, one, other);
}

function mergeFields(path: Path, one: Node, other: Node): void {
  for (const [name, theirs] of other.fields) {
    const mine = one.fields.get(name);
    if (mine === undefined) {
      one.fields.set(name, theirs);
      if (theirs.presence === "present") arrived(one, theirs);
      continue;
    }
    if (mine.presence === "open" && theirs.presence === "open") {
      if (find(mine) !== find(theirs)) unifyOpen(path, one, name, mine, theirs);
      continue;
    }
    if (mine.presence === "absent" || theirs.presence === "absent") {
      if (mine.presence === "present" || theirs.presence === "present") throw INFEASIBLE;
      mine.presence = "absent";
      theirs.presence = "absent";
      continue;
    }
    const arrives = mine.presence === "open";
    mine.presence = "present";
    theirs.presence = "present";
    if (arrives) arrived(one, mine);
    unify(path, mine, theirs);
  }
}

/** Both are present and equal, or both are absent. */
function unifyOpen(path: Path, one: Node, name: string, mine: Node, theirs: Node): void {
  const present = path.isPresent(one, mine);
  theirs.presence = mine.presence;
  if (present) unify(path, mine, theirs);
  else one.fields.set(name, mine);
}

function mergeLists(path: Path, one: Node, other: Node): void {
  const had = path.partsOf(one);
  const rules = [...one.universals];
  one.universals.push(...other.universals);
  for (const part of had) for (const { check, except } of other.universals) if (!except.includes(part)) check(part);
  // An element of one is an element of the other, perhaps a named one.
  for (const part of [...other.elements, ...other.entries]) {
    const mine = part.key === undefined ? one.elements : one.entries;
    const known = [...mine];
    const chosen = known.length === 0 ? 0 : path.choose(known.length + 1);
    const same = known[chosen - 1];
    if (same !== undefined) {
      if (same.key instanceof Node && part.key instanceof Node) unify(path, same.key, part.key);
      unify(path, same, part);
      continue;
    }
    mine.push(part);
    for (const { check, except } of rules) if (!except.includes(part)) check(part);
  }
  for (const [index, element] of other.indexes) {
    const mine = one.indexes.get(index);
    if (mine === undefined) one.indexes.set(index, element);
    else unify(path, mine, element);
  }
}

function arrived(owner: Node, part: Node): void {
  for (const { check, except } of [...owner.universals]) if (!except.includes(part)) check(part);
}
