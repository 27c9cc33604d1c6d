// Inputs for one policy and kind: first every decision of generation by itself, the operations taking turns, then all at
// random. The same seed gives the same inputs in the same order.

import type { WriteOperation } from "@celadon/admission/memory";
import type { Schema } from "@celadon/kube/schemas";
import { accepts } from "../generate/accepts.ts";
import { type Chooser, chooserOf, type Plan, plansOf, randomChooser } from "../generate/chooser.ts";
import type { Focus } from "../generate/focus.ts";
import { type Generated, generateObject } from "../generate/generate.ts";
import { withMember } from "../generate/plain.ts";
import type { Random } from "../generate/random.ts";

/** Everything that differs from one evaluation to the next. A part that the operation does not have is absent. */
export interface Input {
  readonly operation: WriteOperation;
  readonly object?: Generated;
  readonly oldObject?: Generated;
  readonly params?: Generated;
  readonly namespaceObject?: Generated;
  readonly request?: Generated;
}

/** A part of an input, with its recipe. */
export interface Part {
  readonly schema: Schema;
  readonly focus: Focus;
  readonly least: Readonly<Record<string, unknown>>;
  /** Objects to choose from, where they are given instead of generated; undefined among them stands for none. */
  readonly given?: readonly (Generated | undefined)[];
  /** Whether undescribed values have the types that expressions expect. */
  readonly asExpected?: boolean;
}

export interface Recipe {
  readonly operations: readonly WriteOperation[];
  readonly object: Part;
  /** The shape of created objects: without fields that only exist later. */
  readonly created: Part;
  readonly params?: Part | undefined;
  readonly namespaceObject?: Part | undefined;
  readonly request?: Part | undefined;
  readonly serverDefaults: boolean;
  /** An update keeps the old status: it has its own endpoint. */
  readonly keepsStatus: boolean;
  /** The greatest size of an object, if it is not left to a server's limit. */
  readonly room?: number;
}

const ORDINARY = chooserOf({ take: "full" });
const SIDES = ["params", "namespaceObject", "request"] as const;

export function* inputsOf(recipe: Recipe, random: Random): Generator<Input, never> {
  const queues = recipe.operations.map((operation) => systematic(recipe, operation));
  for (let open = true; open; ) {
    open = false;
    for (const queue of queues) {
      const next = queue.next();
      if (next.done) continue;
      open = true;
      yield next.value;
    }
  }
  for (;;) yield atRandom(recipe, random);
}

/** Whether all parts are such as a server may show: what shrinking must keep. */
export function isLegal(recipe: Recipe, input: Input): boolean {
  const { operation, object, oldObject } = input;
  const part = operation === "CREATE" ? recipe.created : recipe.object;
  if (operation !== "DELETE" && !legal(part, object, recipe)) return false;
  if (operation !== "CREATE" && !legal(recipe.object, oldObject, recipe)) return false;
  return SIDES.every((side) => recipe[side] === undefined || legal(recipe[side], input[side], recipe));
}

function legal(part: Part, value: Generated | undefined, { serverDefaults }: Recipe): boolean {
  const { schema, focus, least, given } = part;
  if (given !== undefined) return given.includes(value);
  return value !== undefined && accepts(schema, value, { focus, least, serverDefaults });
}

function* systematic(recipe: Recipe, operation: WriteOperation): Generator<Input> {
  const make = (part: Part, chooser: Chooser): Generated | undefined => generate(part, chooser, recipe);
  const part = operation === "CREATE" ? recipe.created : recipe.object;
  const ordinary = make(part, ORDINARY);
  const rest = sides(recipe, () => ORDINARY);
  for (const plan of plansFor(part, recipe)) {
    for (const pair of pairs(operation, ordinary, make(part, chooserOf(plan)), plan, recipe))
      yield { operation, ...pair, ...rest };
  }
  for (const side of SIDES) {
    const item = recipe[side];
    if (item === undefined) continue;
    for (const plan of plansFor(item, recipe)) {
      const other = sides(recipe, (name) => (name === side ? chooserOf(plan) : ORDINARY));
      for (const pair of pairs(operation, ordinary, ordinary, plan, recipe)) yield { operation, ...pair, ...other };
    }
  }
}

function plansFor(part: Part, recipe: Recipe): readonly Plan[] {
  return plansOf((chooser) => generate(part, chooser, recipe));
}

function pairs(
  operation: WriteOperation,
  ordinary: Generated | undefined,
  other: Generated | undefined,
  { take }: Plan,
  { keepsStatus }: Recipe,
): Pick<Input, "object" | "oldObject">[] {
  switch (operation) {
    case "CREATE":
      return [{ ...(other && { object: other }) }];
    case "DELETE":
      return [{ ...(other && { oldObject: other }) }];
    case "UPDATE": {
      const same = take === "minimal" || take === "full" || ordinary === other;
      const pair = keepsStatus ? pairKeepingStatus : plainPair;
      return same ? [pair(other, other)] : [pair(other, ordinary), pair(ordinary, other)];
    }
  }
}

function plainPair(
  object: Generated | undefined,
  oldObject: Generated | undefined,
): Pick<Input, "object" | "oldObject"> {
  return object === undefined || oldObject === undefined ? {} : { object, oldObject };
}

function pairKeepingStatus(
  object: Generated | undefined,
  oldObject: Generated | undefined,
): Pick<Input, "object" | "oldObject"> {
  if (object === undefined || oldObject === undefined) return {};
  const { status } = oldObject;
  const kept = withMember(object, "status", undefined);
  return { object: status === undefined ? kept : { ...kept, status }, oldObject };
}

function atRandom(recipe: Recipe, random: Random): Input {
  const operation = recipe.operations[random.below(recipe.operations.length)] ?? "CREATE";
  const part = operation === "CREATE" ? recipe.created : recipe.object;
  const generated = generate(part, randomChooser(random), recipe);
  const other = operation !== "UPDATE" || random.oneIn(4) ? generated : generate(part, randomChooser(random), recipe);
  const [first = {}] = pairs(operation, other, generated, { take: "without", path: "" }, recipe);
  return { operation, ...first, ...sides(recipe, () => (random.oneIn(3) ? ORDINARY : randomChooser(random))) };
}

function sides(recipe: Recipe, chooser: (side: (typeof SIDES)[number]) => Chooser): Omit<Input, "operation"> {
  const made: Record<string, Generated> = {};
  for (const side of SIDES) {
    const part = recipe[side];
    const value = part && generate(part, chooser(side), recipe);
    if (value !== undefined) made[side] = value;
  }
  return made;
}

function generate(
  { schema, focus, least, given, asExpected = false }: Part,
  chooser: Chooser,
  { serverDefaults, room }: Recipe,
): Generated | undefined {
  if (given !== undefined) return given[chooser.option("", given.length)];
  return generateObject(schema, {
    chooser,
    focus,
    least,
    serverDefaults,
    asExpected,
    ...(room !== undefined && { room }),
  });
}
