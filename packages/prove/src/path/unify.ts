// Makes two places equal: all that is known of either holds for both from then on.

import { find, KIND, type Node } from "../tree/node.ts";
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
  // Of a kind that is still open, what is decided later is decided for both.
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

/** Both are there and equal, or neither is there. */
function unifyOpen(path: Path, one: Node, name: string, mine: Node, theirs: Node): void {
  const present = path.isPresent(one, mine);
  theirs.presence = mine.presence;
  if (present) unify(path, mine, theirs);
  else one.fields.set(name, mine);
}

function mergeLists(path: Path, one: Node, other: Node): void {
  const had = path.partsOf(one);
  const rules = [...one.universals];
  if (other.elements.length + other.entries.length > 0 && had.length > 0) path.exploration.needsMerging = true;
  one.universals.push(...other.universals);
  for (const part of had) for (const { check, except } of other.universals) if (!except.includes(part)) check(part);
  for (const element of other.elements) {
    one.elements.push(element);
    for (const { check, except } of rules) if (!except.includes(element)) check(element);
  }
  for (const entry of other.entries) {
    one.entries.push(entry);
    for (const { check, except } of rules) if (!except.includes(entry)) check(entry);
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
