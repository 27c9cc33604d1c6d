// One way through an evaluation: the decisions taken, and all that follows from them for the objects of a request. Contradictions throw
// `Infeasible`; open parts of a path may be anything.

import type { CallStep } from "@celadon/cel/plan";
import { type Linear, variable } from "../number/linear.ts";
import type { Interval } from "../number/solver.ts";
import { find, isOnly, KIND, Node, type Universal } from "../tree/node.ts";
import { MOST_ITEMS, type Shape } from "../tree/shape.ts";
import type { Choices } from "./choices.ts";
import { GaveUp, INFEASIBLE } from "./choices.ts";
import { Numbers } from "./numbers.ts";
import type { Symbolic } from "./symbolic.ts";
import { added, LONGEST_TEXT, Texts, type TextTerm } from "./texts.ts";

/** Elements of one list that a path may speak of. */
const MOST_ELEMENTS = 12;
const MOST_NODES = 4000;

export class Path {
  readonly choices: Choices;
  readonly numbers: Numbers = new Numbers();
  readonly texts: Texts = new Texts();
  /** Decisions that no theory knows: calls without a meaning here, by their arguments. */
  readonly decided: Map<string, boolean> = new Map();
  readonly nodes: Node[] = [];
  /** Pairs that are not equal. */
  readonly different: (readonly [Node, Node])[] = [];
  /** The texts that quantities were read from, by the variable that is their amount. */
  readonly quantities: Map<string, TextTerm> = new Map();
  /** Calls without a meaning here, for values that make them right. */
  readonly calls: { readonly result: Symbolic; readonly step: CallStep; readonly args: readonly Symbolic[] }[] = [];
  /** Texts that are equal although neither is a variable alone. */
  readonly related: { readonly a: TextTerm; readonly b: TextTerm }[] = [];
  /** Lists that functions make, by how they are made. */
  readonly made: Map<string, Node> = new Map();
  /** Sub-expressions whose meaning was not followed, on this path. */
  readonly unfollowed: Set<string> = new Set();

  constructor(choices: Choices) {
    this.choices = choices;
  }

  choose(count: number): number {
    return this.choices.take(count);
  }

  /** Decides a question once; `apply` makes the consequences hold. */
  decide(key: string, apply?: (holds: boolean) => void): boolean {
    const known = this.decided.get(key);
    if (known !== undefined) return known;
    const holds = this.choose(2) === 0;
    this.decided.set(key, holds);
    apply?.(holds);
    return holds;
  }

  node(label: string, shape: Shape, kinds: number = shape.kinds): Node {
    if (this.nodes.length >= MOST_NODES) throw new GaveUp("too many parts of objects");
    const node = new Node(this.nodes.length, label, shape, kinds);
    if (shape.notZero) node.bool = true;
    this.nodes.push(node);
    return node;
  }

  /** Whether a value is of one of several kinds. */
  isKind(given: Node, kinds: number): boolean {
    const node = find(given);
    const inside = node.kinds & kinds;
    const outside = node.kinds & ~kinds;
    if (inside === 0) return false;
    if (outside === 0) return true;
    const holds = this.choose(2) === 0;
    node.kinds = holds ? inside : outside;
    return holds;
  }

  requireKind(given: Node, kinds: number): void {
    const node = find(given);
    if ((node.kinds & kinds) === 0) throw INFEASIBLE;
    node.kinds &= kinds;
  }

  /** A member of an object by its name; undefined when there never is one. The object must be a map. */
  field(given: Node, name: string): Node | undefined {
    const node = find(given);
    const known = node.fields.get(name);
    if (known !== undefined) return known;
    const shape = node.shape.field(name);
    if (shape === undefined) return undefined;
    for (const entry of node.entries) {
      const { key } = entry;
      if (!(key instanceof Node)) continue;
      const text = this.textOf(key);
      if (this.decide(`is ${text.variable} ${JSON.stringify(name)}`, (holds) => this.texts.is(text, name, holds))) {
        node.fields.set(name, entry);
        return entry;
      }
    }
    const child = this.node(`${node.label}${memberLabel(name)}`, shape);
    child.key = name;
    child.presence = node.shape.required.includes(name) ? "present" : "open";
    node.fields.set(name, child);
    if (child.presence === "present") this.#arrived(node, child);
    return child;
  }

  /** Whether a member is present. */
  isPresent(owner: Node, child: Node): boolean {
    if (child.presence === "open") {
      // The smaller object first.
      child.presence = this.choose(2) === 0 ? "absent" : "present";
      if (child.presence === "present") this.#arrived(find(owner), child);
    }
    return child.presence === "present";
  }

  /** Requires something of every element or entry, now and later. */
  forAll(given: Node, universal: Universal): void {
    const node = find(given);
    node.universals.push(universal);
    for (const element of [...this.partsOf(node)]) applyUniversal(universal, element);
  }

  /** Named elements of a list, or present members of a map. */
  partsOf(given: Node): Node[] {
    const node = find(given);
    const fields = [...node.fields.values()].filter((field) => field.presence === "present");
    return [...new Set([...node.elements, ...fields, ...node.entries])];
  }

  /** An element different from all named ones. */
  addElement(given: Node): Node {
    const node = find(given);
    if (node.elements.length >= MOST_ELEMENTS) throw new GaveUp(`more than ${MOST_ELEMENTS} elements of ${node.label}`);
    const element = this.node(`${node.label}[]`, node.shape.items);
    node.elements.push(element);
    this.#arrived(node, element);
    return element;
  }

  /** The element at a constant index; undefined when the list is shorter. */
  elementAt(given: Node, index: number): Node | undefined {
    const node = find(given);
    const known = node.indexes.get(index);
    if (known !== undefined) return known;
    if (index > 64) throw new GaveUp(`an index of ${index}`);
    const size = this.sizeOf(node);
    const inside = this.decide(`size ${node.id} > ${index}`, (holds) => this.#sizeAbove(size, index, holds));
    if (!inside) return undefined;
    const free = node.elements.filter((element) => ![...node.indexes.values()].includes(element));
    const chosen = free.length === 0 ? 0 : this.choose(free.length + 1);
    const element = chosen === 0 ? this.addElement(node) : (free[chosen - 1] as Node);
    node.indexes.set(index, element);
    return element;
  }

  #sizeAbove(size: Linear, index: number, holds: boolean): void {
    const limit: Linear = { factors: new Map(), constant: BigInt(index) };
    if (holds) this.numbers.compare(limit, "<", size);
    else this.numbers.compare(size, "<=", limit);
  }

  /** A member of a map different from all named ones: one with a name that nothing has read, or one with a key of its own. */
  addMember(given: Node): Node {
    const node = find(given);
    const unread = node.shape.names.filter((name) => !node.fields.has(name));
    const other = node.shape.values === undefined ? 0 : 1;
    const chosen = this.choose(other + unread.length) - other;
    if (chosen < 0) return this.addEntry(node);
    const field = this.field(node, unread[chosen] as string);
    if (field === undefined || !this.becomesPresent(node, field)) throw INFEASIBLE;
    return field;
  }

  /** Makes an open member be there; false where it is not. */
  becomesPresent(owner: Node, field: Node): boolean {
    if (field.presence !== "open") return field.presence === "present";
    field.presence = "present";
    this.#arrived(find(owner), field);
    return true;
  }

  addEntry(given: Node): Node {
    const node = find(given);
    if (node.entries.length >= MOST_ELEMENTS) throw new GaveUp(`more than ${MOST_ELEMENTS} entries of ${node.label}`);
    const { values } = node.shape;
    if (values === undefined) throw INFEASIBLE;
    const entry = this.node(`${node.label}[…]`, values);
    const key = this.node(`key of ${node.label}`, ANY_KEY);
    entry.key = key;
    const text = this.textOf(key);
    if (node.shape.keys !== undefined) this.texts.require(text, node.shape.keys, true);
    for (const name of new Set([...node.fields.keys(), ...node.shape.names])) this.texts.is(text, name, false);
    for (const other of node.entries) if (other.key instanceof Node) this.texts.differ(text, this.textOf(other.key));
    node.entries.push(entry);
    this.#arrived(node, entry);
    return entry;
  }

  /** A part of a list or map exists: conditions on all parts hold for it. */
  #arrived(node: Node, part: Node): void {
    const count = this.partsOf(node).length;
    this.numbers.compare({ factors: new Map(), constant: BigInt(count) }, "<=", this.sizeOf(node));
    for (const universal of [...node.universals]) applyUniversal(universal, part);
  }

  sizeOf(given: Node): Linear {
    const node = find(given);
    this.numbers.declare(node.size, node.shape.sizes);
    return variable(node.size);
  }

  numberOf(given: Node): Linear {
    const node = find(given);
    const number = variable(node.number);
    if (node.shape.notZero && !this.numbers.ranges.has(node.number)) {
      this.numbers.declare(node.number, node.shape.numbers);
      if (node.kinds === KIND.int) this.numbers.require(number, "notZero");
    } else this.numbers.declare(node.number, node.shape.numbers);
    return number;
  }

  textOf(given: Node): TextTerm {
    const node = find(given);
    const term = { variable: node.text, steps: [] };
    if (!node.touched) {
      node.touched = true;
      for (const language of node.shape.languages) this.texts.require(term, language, true);
      const { least, most } = node.shape.lengths;
      if (least > 0n || most < MOST_ITEMS) this.lengthOf(term, node.shape.lengths);
    }
    return term;
  }

  /** The number of code points of a text. */
  lengthOf({ variable: name, steps }: TextTerm, range: Interval = ANY_LENGTH): Linear {
    const length = `length ${this.texts.root(name)}`;
    this.numbers.declare(length, range);
    const { factors } = variable(length);
    return { factors, constant: BigInt(added(steps)) };
  }

  /** Makes two texts equal. */
  uniteTexts(a: TextTerm, b: TextTerm): void {
    const [one, other] = [this.texts.root(a.variable), this.texts.root(b.variable)];
    if (one === other) return;
    if (this.numbers.ranges.has(`length ${one}`) || this.numbers.ranges.has(`length ${other}`))
      this.numbers.compare(this.lengthOf(a), "==", this.lengthOf(b));
    this.texts.unite(a.variable, b.variable);
  }

  fixedText(term: TextTerm): string | undefined {
    return this.texts.fixed(term);
  }

  /** The final requirements once nothing is left to decide: enough elements, and texts of the required lengths. */
  settle(): void {
    for (let i = 0; i < this.nodes.length; i++) {
      const node = this.nodes[i] as Node;
      if (node.alias !== undefined || node.presence !== "present") continue;
      if (isOnly(node, KIND.list)) this.#fill(node);
    }
    for (let round = 0; round < 4 && this.#checkLengths(); round++);
    this.numbers.check();
    for (const [a, b] of this.different) if (find(a) === find(b)) throw INFEASIBLE;
  }

  /** Elements that must be there although nothing speaks of them. */
  #fill(node: Node): void {
    const least = this.numbers.bounds(this.sizeOf(node)).least;
    while (BigInt(node.elements.length) < least && node.elements.length < MOST_ELEMENTS) this.addElement(node);
  }

  #checkLengths(): boolean {
    let changed = false;
    for (const root of this.texts.roots()) {
      const length = this.lengthOf({ variable: root, steps: [] });
      const { least, most } = this.numbers.bounds(length);
      const found = this.texts.search(root, Number(least), Number(most));
      if (found === "none") throw INFEASIBLE;
      if (found === "unknown") continue;
      const shortest = BigInt([...found.text].length);
      if (shortest <= least) continue;
      this.numbers.compare({ factors: new Map(), constant: shortest }, "<=", length);
      changed = true;
    }
    return changed;
  }
}

/** Requires a condition of an element, unless it is left out. */
export function applyUniversal({ check, except }: Universal, element: Node): void {
  if (!except.some((other) => find(other) === find(element))) check(element);
}

const ANY_LENGTH: Interval = { least: 0n, most: BigInt(LONGEST_TEXT) };
const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;

function memberLabel(name: string): string {
  return IDENTIFIER.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

const ANY_KEY: Shape = {
  kinds: KIND.text,
  field: () => undefined,
  required: [],
  names: [],
  values: undefined,
  get items(): Shape {
    return ANY_KEY;
  },
  languages: [],
  lengths: { least: 0n, most: MOST_ITEMS },
  numbers: { least: 0n, most: 0n },
  sizes: { least: 0n, most: 0n },
  notZero: false,
  schema: undefined,
};
