// Macros over lists and maps. Conditions on all elements are kept with the list; a condition on one names a witness.

import type { Collect, Count, LoopVars, Quantifier, Step } from "@celadon/cel/plan";
import { isMap, mapFind } from "@celadon/cel/values";
import { GaveUp, INFEASIBLE } from "../path/choices.ts";
import { boolOf, constantOf, ERROR, type Part, type Stage, type Symbolic } from "../path/symbolic.ts";
import { find, Node } from "../tree/node.ts";
import { neverFails } from "./element-failure.ts";
import { type Evaluation, type Frame, type Truth, truth } from "./evaluation.ts";
import { forAll, isListLike, partsOf, type Witness, witness } from "./lists.ts";

/** A loop over parts: the value of its body for one element. */
interface Loop {
  readonly parts: readonly Part[];
  readonly body: (step: Step, element: Witness) => Symbolic;
}

function loopOf(evaluation: Evaluation, step: Step & LoopVars, frame: Frame): Loop | undefined {
  const range = evaluation.run(step.range, frame);
  if (range.is === "error") return undefined;
  const parts = partsOf(evaluation, range);
  if (parts === undefined) return undefined;
  // Later loops use slots again; conditions kept with a list must see the present ones.
  const locals = [...frame.locals];
  return {
    parts,
    body(part, element) {
      const own = { ...frame, locals: [...locals] };
      if (step.slot2 < 0) own.locals[step.slot] = element.value;
      else {
        const [first, second] = both(evaluation, range, element);
        own.locals[step.slot] = first;
        own.locals[step.slot2] = second;
      }
      return evaluation.run(part, own);
    },
  };
}

/** Index and element of a list, key and value of a map. */
function both({ path }: Evaluation, range: Symbolic, { value, node, index }: Witness): [Symbolic, Symbolic] {
  if (range.is === "map") {
    const entry = range.entries.find(([key]) => key === value);
    if (entry !== undefined) return [entry[0], entry[1]];
  }
  if (index !== undefined && isListLike(range)) return [index, value];
  if (range.is === "value" && isMap(range.value) && value.is === "value")
    return [value, constantOf(mapFind(range.value, value.value))];
  if (node === undefined || range.is !== "node") throw new GaveUp("the place of an element in a list that is computed");
  if (find(range.node).elements.includes(node)) {
    const key = `index of ${node.id}`;
    path.numbers.declare(key, { least: 0n, most: 3_145_728n });
    path.unfollowed.add("the index of an element");
    return [
      { is: "int", sum: { factors: new Map([[key, 1n]]), constant: 0n } },
      { is: "node", node },
    ];
  }
  const name: Symbolic = node.key instanceof Node ? { is: "node", node: node.key } : constantOf(node.key);
  return [name, { is: "node", node }];
}

const isListed = (parts: readonly Part[]): boolean => parts.every((part) => part.of === "items");

function listed(parts: readonly Part[]): Witness[] {
  const items = parts.flatMap((part) => (part.of === "items" ? part.items : []));
  return items.map((value, i) => ({ value, node: undefined, index: constantOf(i) }));
}

/** `all` and `exists`: `&&` and `||` over the elements. */
export function quantify(evaluation: Evaluation, step: Quantifier, frame: Frame, only?: "failure"): Symbolic {
  const loop = loopOf(evaluation, step, frame);
  if (loop === undefined) return ERROR;
  const { parts, body } = loop;
  const decisive = step.op === "exists";
  const of = (element: Witness): Truth => truth(evaluation, body(step.predicate, element));
  if (isListed(parts)) {
    let failed = false;
    for (const element of listed(parts)) {
      const result = of(element);
      if (result === decisive) return boolOf(decisive);
      if (result === "error") failed = true;
    }
    return failed ? ERROR : boolOf(!decisive);
  }
  const each = (allowed: (result: Truth) => boolean): void =>
    everyElement(evaluation, parts, (element) => {
      if (!allowed(of(element))) throw INFEASIBLE;
    });
  const safe = neverFails(evaluation, step.predicate, step.slot, parts, frame);
  const chosen = only === "failure" ? 2 : evaluation.path.choose(safe ? 2 : 3);
  if (chosen === 2 && safe) throw INFEASIBLE;
  if (chosen === 0) {
    each((result) => result === !decisive);
    return boolOf(!decisive);
  }
  if (chosen === 1) {
    witness(evaluation, parts, (element) => of(element) === decisive);
    return boolOf(decisive);
  }
  witness(evaluation, parts, (element) => of(element) === "error");
  each((result) => result !== decisive);
  return ERROR;
}

/** Ends every path on which a quantifier does not fail. */
export function quantifierFails(evaluation: Evaluation, step: Quantifier, frame: Frame): void {
  if (quantify(evaluation, step, frame, "failure").is !== "error") throw INFEASIBLE;
}

function everyElement(
  evaluation: Evaluation,
  parts: readonly Part[],
  check: (element: Witness) => void,
  besides: readonly Witness[] = [],
): void {
  forAll(evaluation, parts, (value) => check({ value, node: placeOf(value, parts) }), besides);
}

/** The place of an element, where the second variable of a loop needs it. */
function placeOf(value: Symbolic, parts: readonly Part[]): Node | undefined {
  for (const part of parts) {
    if (part.of !== "node") continue;
    const owner = find(part.node);
    for (const candidate of [...owner.elements, ...owner.entries, ...owner.fields.values()]) {
      const isElement = value.is === "node" && candidate === value.node;
      const isKey =
        candidate.key instanceof Node
          ? value.is === "node" && candidate.key === value.node
          : value.is === "value" && candidate.key !== undefined && value.value === candidate.key;
      if (isElement || isKey) return candidate;
    }
  }
  return undefined;
}

/** `exists_one`: an error of any element is an error. */
export function countOne(evaluation: Evaluation, step: Count, frame: Frame): Symbolic {
  const loop = loopOf(evaluation, step, frame);
  if (loop === undefined) return ERROR;
  const { parts, body } = loop;
  const of = (element: Witness): Truth => truth(evaluation, body(step.predicate, element));
  if (isListed(parts)) {
    const results = listed(parts).map(of);
    return results.includes("error") ? ERROR : boolOf(results.filter((result) => result === true).length === 1);
  }
  const holds = (element: Witness, wanted: Truth): void => {
    if (of(element) !== wanted) throw INFEASIBLE;
  };
  const noErrors = (): void =>
    everyElement(evaluation, parts, (element) => {
      if (of(element) === "error") throw INFEASIBLE;
    });
  switch (evaluation.path.choose(4)) {
    case 0: {
      const one = witness(evaluation, parts, (element) => of(element) === true);
      everyElement(evaluation, parts, (element) => holds(element, false), [one]);
      return boolOf(true);
    }
    case 1:
      everyElement(evaluation, parts, (element) => holds(element, false));
      return boolOf(false);
    case 2: {
      const one = witness(evaluation, parts, (element) => of(element) === true);
      witness(evaluation, parts, (element) => of(element) === true, [one]);
      noErrors();
      return boolOf(false);
    }
    default:
      witness(evaluation, parts, (element) => of(element) === "error");
      return ERROR;
  }
}

/** `map`, `filter`, `transformList`: an error of any element is the result; otherwise a list that is made when it is read. */
export function collect(evaluation: Evaluation, step: Collect, frame: Frame): Symbolic {
  const loop = loopOf(evaluation, step, frame);
  if (loop === undefined) return ERROR;
  const { parts, body } = loop;
  const { predicate, transform } = step;
  const make = (element: Witness): Symbolic | undefined => {
    const fits = predicate === undefined ? true : truth(evaluation, body(predicate, element));
    if (fits === "error") return ERROR;
    return fits ? body(transform, element) : undefined;
  };
  if (isListed(parts)) {
    const items = listed(parts).map(make);
    if (items.some((item) => item?.is === "error")) return ERROR;
    return { is: "list", parts: [{ of: "items", items: items.filter((item) => item !== undefined) }] };
  }
  const { slot } = step;
  const safe =
    (predicate === undefined || neverFails(evaluation, predicate, slot, parts, frame)) &&
    predicate !== undefined &&
    transform.op === "attr" &&
    transform.path.length === 0;
  if (!safe && evaluation.path.choose(2) === 1) {
    witness(evaluation, parts, (element) => make(element)?.is === "error");
    return ERROR;
  }
  const made = new Map<string, Symbolic | undefined>();
  const stage: Stage = (value) => {
    const key =
      value.is === "node" ? `node ${value.node.id}` : value.is === "value" ? `key ${String(value.value)}` : undefined;
    if (key !== undefined && made.has(key)) return made.get(key);
    const result = make({ value, node: placeOf(value, parts) });
    if (key !== undefined) made.set(key, result);
    return result;
  };
  if (!safe)
    everyElement(evaluation, parts, ({ value }) => {
      if (stage(value)?.is === "error") throw INFEASIBLE;
    });
  return {
    is: "list",
    parts: parts.map((part): Part => {
      if (part.of === "items")
        return { of: "items", items: part.items.map(stage).filter((item) => item !== undefined) };
      return { ...part, stages: [...part.stages, stage], filtered: part.filtered || predicate !== undefined };
    }),
  };
}
