// Makes two places equal: all that is known of either holds for both from then on.

import { find, KIND, Node } from "../tree/node.ts";
import { INFEASIBLE } from "./choices.ts";
import { applyUniversal, type Path } from "./path.ts";

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
    // An entry whose key is open may be this field.
    const mine = one.entries.length > 0 ? path.field(one, name) : one.fields.get(name);
    if (mine === undefined && one.entries.length > 0) {
      if (theirs.presence === "present") throw INFEASIBLE;
      theirs.presence = "absent";
      continue;
    }
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
  const theirs = [...other.universals];
  const added: Node[] = [];
  for (const part of [...other.elements, ...other.entries]) if (!isMerged(path, one, part)) added.push(part);
  for (const [index, element] of other.indexes) {
    const mine = one.indexes.get(index);
    if (mine === undefined) one.indexes.set(index, element);
    else unify(path, mine, element);
  }
  // Conditions come after: an element that one of them leaves out may be an element of the other.
  one.universals.push(...theirs);
  for (const part of had) for (const universal of theirs) applyUniversal(universal, part);
  for (const part of added) for (const universal of rules) applyUniversal(universal, part);
}

/** An element of one is an element of the other, perhaps a named one. False for one that it did not have. */
function isMerged(path: Path, one: Node, part: Node): boolean {
  const { key } = part;
  if (key instanceof Node) {
    for (const [name, field] of [...one.fields]) {
      if (field.presence === "absent") continue;
      const text = path.textOf(key);
      if (!path.decide(`is ${text.variable} ${JSON.stringify(name)}`, (holds) => path.texts.is(text, name, holds)))
        continue;
      path.becomesPresent(one, field);
      unify(path, field, part);
      return true;
    }
  }
  const mine = key === undefined ? one.elements : one.entries;
  const known = [...mine];
  const same = known.length === 0 ? undefined : known[path.choose(known.length + 1) - 1];
  if (same === undefined) {
    mine.push(part);
    return false;
  }
  if (same.key instanceof Node && key instanceof Node) unify(path, same.key, key);
  unify(path, same, part);
  return true;
}

function arrived(owner: Node, part: Node): void {
  for (const universal of [...owner.universals]) applyUniversal(universal, part);
}
