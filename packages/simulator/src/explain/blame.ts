// Finds the place in the data at which a false expression was decided: the element of the loop, the field of the clause. One place, for
// editors and CI annotations; an explanation shows the whole. A variable stands for its expression: the value that its expression read is
// to blame.

import type { DataPath, ExplainedNode } from "@celadon/cel/explain";
import { elementPlace, throughVariables, VARIABLES_DEEP, type VariableTrees } from "./variable-places.ts";

const NONE: VariableTrees = new Map();

/** Undefined when nothing of the object was read. */
export function blameOf(tree: ExplainedNode, variables: VariableTrees = NONE): DataPath | undefined {
  return new Blame(variables).of(tree);
}

class Blame {
  readonly #variables: VariableTrees;
  /** Each variable is searched once; one in progress, or too deep, has no result. */
  readonly #answers = new Map<string, DataPath | undefined>();
  #depth = 0;

  constructor(variables: VariableTrees) {
    this.#variables = variables;
  }

  of(tree: ExplainedNode): DataPath | undefined {
    if (!tree.evaluated) return undefined;
    const { loop, dataPath, children } = tree;
    const decidedBy = loop?.deciding ?? loop?.kept?.[0];
    const [range] = children;
    const element = this.#place(decidedBy?.dataPath ?? (decidedBy && range && elementPlace(range, decidedBy.index)));
    if (element !== undefined) {
      const body = loop?.deciding && children.at(-1);
      const inside = body && this.of(body);
      return inside && startsWith(inside, element) ? inside : element;
    }
    const place = this.#place(dataPath);
    if (place !== undefined) return place;
    if (dataPath?.root === "variables") return this.#variable(dataPath);
    // A loop that no element decided: it is about all of them.
    if (loop !== undefined) return this.#first(children);
    return this.#clauses(tree) ?? this.#operands(children.filter((child) => !decides(child)));
  }

  /**
   * The last of several false or failed clauses settled it. A clause that read an element of a list says more than one that only asked
   * whether the list exists; and if the whole failed, a clause that failed is the cause.
   */
  #clauses({ children, error }: ExplainedNode): DataPath | undefined {
    const failing = error === undefined ? [] : children.filter((child) => child.error !== undefined);
    const deciding = (failing.length > 0 ? failing : children.filter(decides)).reverse();
    const places = deciding.map((child) => this.of(child)).filter((place) => place !== undefined);
    return places.find(({ path }) => path.some((step) => typeof step === "number")) ?? places[0];
  }

  #first(children: readonly ExplainedNode[]): DataPath | undefined {
    for (const child of children) {
      const found = this.of(child);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** The first; but where a part is held against its whole, as in `good.size() == all.size()`, it is not the part that is wrong. */
  #operands(children: readonly ExplainedNode[]): DataPath | undefined {
    const places = children.map((child) => this.of(child)).filter((place) => place !== undefined);
    return places.reduce<DataPath | undefined>(
      (first, place) => (first === undefined || startsWith(first, place) ? place : first),
      undefined,
    );
  }

  #place(path: DataPath | undefined): DataPath | undefined {
    const place = path && throughVariables(path, this.#variables);
    return place?.root === "object" && place.path.length > 0 ? place : undefined;
  }

  #variable({ path: [name] }: DataPath): DataPath | undefined {
    const tree = typeof name === "string" ? this.#variables.get(name) : undefined;
    if (typeof name !== "string" || tree === undefined) return undefined;
    if (!this.#answers.has(name)) {
      this.#answers.set(name, undefined);
      this.#depth++;
      if (this.#depth <= VARIABLES_DEEP) this.#answers.set(name, this.of(tree));
      this.#depth--;
    }
    return this.#answers.get(name);
  }
}

function decides({ value, error }: ExplainedNode): boolean {
  return value === false || error !== undefined;
}

function startsWith({ root, path }: DataPath, start: DataPath): boolean {
  return root === start.root && start.path.every((step, i) => step === path[i]);
}
