// A checked (or merely parsed) expression becomes a plan: names are resolved, overloads chosen, macros recognised, and constants folded as
// the reference folds them, which affects the cost of an evaluation.

import type { Ast, Call, Comprehension, Expr, Ident, ListExpr, MapExpr, Select, StructExpr } from "../ast/expr.ts";
import type { Overload } from "../call/overload.ts";
import type { Checked, Declarations, Reference } from "../check/checked.ts";
import { candidateNames, createNamespace, type Namespace } from "../check/names.ts";
import { unwrapOptional } from "../check/unify.ts";
import { invalidQualifier, isQualifier } from "../types/access.ts";
import { type CelError, celError, isError } from "../value/error.ts";
import { hasChange } from "../value/release.ts";
import { DYN, INT, type Type } from "../value/type.ts";
import { goTypeName } from "../value/type-of.ts";
import { foldCall, foldList, foldMap, specializeCall } from "./fold.ts";
import { shapeOf } from "./macro-shape.ts";
import { isSizedByServer, olderEquality, RANGE_OR_ERROR } from "./older-servers.ts";
import { type Origin, Origins } from "./origin.ts";
import { lookup, type Scope } from "./scope.ts";
import type {
  AmbiguousRoot,
  Attr,
  LoopVars,
  Name,
  Plan,
  PlanFailure,
  PlanOptions,
  Qualifier,
  Root,
  Step,
} from "./step.ts";

export function plan(input: Checked | Ast, declarations: Declarations, options: PlanOptions): Plan | PlanFailure {
  const planner = new Planner(input, declarations, options);
  const ast = "ast" in input ? input.ast : input;
  const step = planner.plan(ast.expr, undefined);
  if (planner.failure) return { error: planner.failure };
  return { step, slots: planner.slots, options };
}

class Planner {
  slots = 0;
  failure: CelError | undefined;
  private readonly checked: Checked | undefined;
  private readonly declarations: Declarations;
  private readonly namespace: Namespace;
  private readonly options: PlanOptions;
  private readonly origins: Origins;

  constructor(input: Checked | Ast, declarations: Declarations, options: PlanOptions) {
    this.checked = "ast" in input ? input : undefined;
    this.declarations = declarations;
    this.namespace = createNamespace(declarations.container, declarations.aliases);
    this.options = options;
    this.origins = new Origins(declarations.provider);
  }

  plan(expr: Expr, scope: Scope | undefined): Step {
    switch (expr.kind) {
      case "literal":
        return { op: "const", id: expr.id, type: this.typeOf(expr), value: expr.value };
      case "ident":
        return this.planIdent(expr, scope);
      case "select":
        return this.planSelect(expr, scope);
      case "call":
        return this.planCall(expr, scope);
      case "list":
        return this.planList(expr, scope);
      case "map":
        return this.planMap(expr, scope);
      case "struct":
        return this.planStruct(expr, scope);
      case "comprehension":
        return this.planComprehension(expr, scope);
    }
  }

  private typeOf(expr: { readonly id: number }): Type {
    return this.checked?.types.get(expr.id) ?? DYN;
  }

  private referenceOf(expr: { readonly id: number }): Reference | undefined {
    return this.checked?.references.get(expr.id);
  }

  // ---- names ----

  private planIdent(expr: Ident, scope: Scope | undefined): Step {
    const reference = this.referenceOf(expr);
    if (reference) return this.planReference(expr, reference, scope);
    const local = expr.name.startsWith(".") ? undefined : lookup(scope, expr.name);
    if (local) return { op: "attr", id: expr.id, type: local.type, root: local, path: [], test: false };
    const root: Root = { kind: "ambiguous", candidates: [{ names: this.namesFor(expr.name), taken: 0 }] };
    return { op: "attr", id: expr.id, type: DYN, root, path: [], test: false };
  }

  /** Plans a name by the meaning that the checker found. */
  private planReference(expr: Ident | Select, reference: Reference, scope: Scope | undefined): Step {
    const type = this.typeOf(expr);
    if (reference.kind === "constant" && isError(reference.value)) this.failure ??= reference.value.at(expr.id);
    if (reference.kind === "constant") return { op: "const", id: expr.id, type, value: reference.value };
    if (type.kind === "type" && !this.options.specification) return this.planTypeName(expr, reference.name, type);
    const passesLocals = reference.kind === "variable" && reference.root === true;
    const local = passesLocals ? undefined : lookup(scope, reference.name);
    const root: Root = local ?? { kind: "global", name: reference.name, type, ...(passesLocals && { passesLocals }) };
    return { op: "attr", id: expr.id, type, root, path: [], test: false };
  }

  /** The reference takes every name of type `type` for a type's own, be it a variable's. */
  private planTypeName({ id }: Ident | Select, name: string, type: Type): Step {
    const { constant } = this.nameFor(name);
    if (constant === undefined)
      this.failure ??= celError("invalid_argument", `reference to undefined type: ${name}`).at(id);
    return { op: "const", id, type, value: constant ?? null };
  }

  /** Everything an unchecked name could be, by container, with the constants known now. */
  private namesFor(name: string): Name[] {
    return candidateNames(this.namespace, name).map((candidate) => this.nameFor(candidate));
  }

  private nameFor(name: string): Name {
    const known = this.declarations.provider.findIdent(name);
    return { name, constant: known && ("value" in known ? known.value : known) };
  }

  // ---- selects and indexes ----

  private planSelect(expr: Select, scope: Scope | undefined): Step {
    const reference = this.referenceOf(expr);
    if (reference) return this.planReference(expr, reference, scope);
    const operand = this.plan(expr.operand, scope);
    const operandType = unwrapOptional(this.typeOf(expr.operand));
    const field =
      operandType.kind === "struct"
        ? this.declarations.provider.findStruct(operandType.name)?.field(expr.field)
        : undefined;
    const type = readType(this.typeOf(expr), this.origins.of(operand));
    const qualifier: Qualifier = { kind: "key", id: expr.id, type, key: expr.field, field, optional: false };
    return this.qualify(operand, qualifier, this.typeOf(expr), expr.test);
  }

  private planIndex(expr: Call, args: readonly Step[], optional: boolean): Step {
    const [operand, index] = args as [Step, Step];
    const type = readType(this.typeOf(expr), this.origins.of(operand));
    let qualifier: Qualifier;
    const usable = index.op === "const" && isQualifier(index.value);
    if (index.op === "const" && !usable && this.options.strictConstants)
      this.failure ??= invalidQualifier(goTypeName(index.value)).at(expr.id);
    if (index.op === "const" && usable) {
      const operandExpr = expr.args[0] as Expr;
      const operandType = unwrapOptional(this.typeOf(operandExpr));
      const field =
        operandType.kind === "struct" && typeof index.value === "string"
          ? this.declarations.provider.findStruct(operandType.name)?.field(index.value)
          : undefined;
      qualifier = { kind: "key", id: expr.id, type, key: index.value, field, optional };
    } else {
      qualifier = { kind: "step", id: expr.id, type, step: index, optional };
    }
    return this.qualify(operand, qualifier, this.typeOf(expr), false);
  }

  private qualify(operand: Step, qualifier: Qualifier, type: Type, test: boolean): Attr {
    const base: Attr =
      operand.op === "attr" && !operand.test
        ? operand
        : {
            op: "attr",
            id: operand.id,
            type: operand.type,
            root: { kind: "value", step: operand },
            path: [],
            test: false,
          };
    return appendQualifier(base, qualifier, type, test, (name) => this.nameFor(name));
  }

  // ---- calls ----

  private planCall(expr: Call, scope: Scope | undefined): Step {
    const resolved = this.resolveFunction(expr);
    const args: Step[] = [];
    if (expr.target && !resolved.qualified) args.push(this.plan(expr.target, scope));
    if (resolved.name === "cel.@block" && isBlock(expr)) return this.planBlock(expr, scope);
    for (const arg of expr.args) args.push(this.plan(arg, scope));
    const { id } = expr;
    const type = this.typeOf(expr);
    const [left, right] = args as [Step, Step];
    // Imported trees may give operators any number of operands; with the wrong number they are calls without an overload.
    const fits = args.length === (OPERANDS.get(resolved.name) ?? args.length);
    switch (fits ? resolved.name : undefined) {
      case "_&&_":
        return { op: "and", id, type, left, right };
      case "_||_":
        return { op: "or", id, type, left, right };
      case "_==_":
        return this.olderComparison(expr, resolved.name, args) ?? { op: "eq", id, type, left, right };
      case "_!=_":
        return this.olderComparison(expr, resolved.name, args) ?? { op: "ne", id, type, left, right };
      case "_?_:_":
        return this.planConditional(expr, args);
      case "_[_]":
        return this.planIndex(expr, args, false);
      case "_?._":
      case "_[?_]":
        return this.planIndex(expr, args, true);
      case "or":
      case "orValue":
        if (
          args.length === 2 &&
          this.declarations.functions.get(resolved.name)?.some((row) => row.id.startsWith("optional_or"))
        )
          return { op: "optionalOr", id, type, unwrap: resolved.name === "orValue", left, right };
    }
    const { overloads } = resolved;
    const overload = overloads.length === 1 && fits ? overloads[0] : undefined;
    const candidates = (fits && this.declarations.functions.get(resolved.name)) || [];
    const call = { op: "call", id, type, name: resolved.name, overload, candidates, args, special: undefined } as const;
    const folded = foldCall(call) ?? specializeCall(call);
    if (folded === undefined) return call;
    if ("error" in folded) {
      if (this.options.strictConstants) this.failure ??= folded.error.at(id);
      return call;
    }
    return folded;
  }

  /** A comparison that the emulated server charges otherwise. */
  private olderComparison(expr: Call, name: string, args: readonly Step[]): Step | undefined {
    const row = this.declarations.functions.get(name)?.[0];
    const overload = row && olderEquality(row, this.options);
    if (overload === undefined || !args.some((arg) => isSizedByServer(arg, this.origins))) return undefined;
    const type = this.typeOf(expr);
    return { op: "call", id: expr.id, type, name, overload, candidates: [overload], args, special: undefined };
  }

  private resolveFunction(expr: Call): { name: string; overloads: readonly Overload[]; qualified: boolean } {
    const reference = this.referenceOf(expr);
    if (reference?.kind === "function") return reference;
    const { functions } = this.declarations;
    const candidates = expr.target ? qualifiedName(expr.target, expr.function) : expr.function;
    if (candidates !== undefined) {
      for (const name of candidateNames(this.namespace, candidates))
        if (functions.has(name)) return { name, overloads: [], qualified: expr.target !== undefined };
    }
    return { name: expr.function.replace(/^\./, ""), overloads: [], qualified: false };
  }

  private planConditional(expr: Call, args: readonly Step[]): Attr {
    const [test, then, otherwise] = args as [Step, Step, Step];
    const root: Root = { kind: "conditional", test, whenTrue: asBranch(then), whenFalse: asBranch(otherwise) };
    return { op: "attr", id: expr.id, type: this.typeOf(expr), root, path: [], test: false };
  }

  private planBlock(expr: Call, scope: Scope | undefined): Step {
    const [list, body] = expr.args as [ListExpr, Expr];
    const slots: number[] = [];
    let inner = scope;
    list.elements.forEach((element, index) => {
      const slot = this.slots++;
      const type = this.typeOf(element);
      inner = {
        name: `@index${index}`,
        local: { kind: "lazy", slot, init: this.plan(element, inner), type },
        outer: inner,
      };
      slots.push(slot);
    });
    return { op: "block", id: expr.id, type: this.typeOf(expr), slots, body: this.plan(body, inner) };
  }

  // ---- literals ----

  private planList(expr: ListExpr, scope: Scope | undefined): Step {
    const elements = expr.elements.map((element) => this.plan(element, scope));
    const optional = expr.optional.length > 0 ? elements.map((_, index) => expr.optional.includes(index)) : undefined;
    return foldList({ op: "list", id: expr.id, type: this.typeOf(expr), elements, optional });
  }

  private planMap(expr: MapExpr, scope: Scope | undefined): Step {
    const entries = expr.entries.map((entry) => {
      const key = this.plan(entry.key, scope);
      return { key, value: this.plan(entry.value, scope), optional: entry.optional, apart: this.makesNew(key) };
    });
    return foldMap({ op: "map", id: expr.id, type: this.typeOf(expr), entries, strict: this.options.specification });
  }

  /** Whether evaluating a step again makes another value of the reference's: reading data does, and so do most calls. */
  private makesNew(step: Step): boolean {
    if (step.op === "call") return step.name !== "dyn" || step.args.every((arg) => this.makesNew(arg));
    if (step.op !== "attr") return false;
    return this.origins.of(step) === "data" && (step.path.length > 0 || step.root.kind === "global");
  }

  private planStruct(expr: StructExpr, scope: Scope | undefined): Step {
    const fields = expr.fields.map(({ name, value, optional }) => ({ name, value: this.plan(value, scope), optional }));
    const { provider } = this.declarations;
    for (const name of candidateNames(this.namespace, expr.type)) {
      const struct = provider.findStruct(name);
      if (struct) return { op: "struct", id: expr.id, type: this.typeOf(expr), struct, fields };
    }
    this.failure ??= celError("invalid_argument", `unknown type: ${expr.type}`).at(expr.id);
    return { op: "const", id: expr.id, type: DYN, value: null };
  }

  // ---- macros ----

  private planRange({ id, range, iterVar2 }: Comprehension, scope: Scope | undefined): Step {
    const planned = this.plan(range, scope);
    if (iterVar2 === "" || hasChange(this.options.release, "rangeErrorsPass")) return planned;
    const row = RANGE_OR_ERROR;
    const args = [planned];
    const type = this.typeOf(range);
    return { op: "call", id, type, name: row.name, overload: row, candidates: [row], args, special: undefined };
  }

  private planComprehension(expr: Comprehension, scope: Scope | undefined): Step {
    const { id } = expr;
    const type = this.typeOf(expr);
    const shape = shapeOf(expr);
    if (shape.kind === "bind") {
      const slot = this.slots++;
      const init = this.plan(expr.init, scope);
      const local = { kind: "lazy", slot, init, type: this.typeOf(expr.init) } as const;
      const inner = { name: expr.accuVar, local, outer: scope };
      this.plan(expr.step, inner); // never evaluated, but its names have to mean something
      const eager = hasChange(this.options.release, "lazyBindings") ? undefined : local;
      return { op: "bind", id, type, slot, eager, body: this.plan(expr.result, inner) };
    }
    const range = this.planRange(expr, scope);
    const origin = this.origins.of(range);
    const [declared1, declared2] = iterationTypes(this.typeOf(expr.range), expr.iterVar2 !== "");
    const [type1, type2] = [readType(declared1, origin), readType(declared2, origin)];
    const slot = this.slots++;
    const slot2 = expr.iterVar2 === "" ? -1 : this.slots++;
    const vars: LoopVars = { range, slot, slot2, type1, type2, origin };
    let inner: Scope = { name: expr.iterVar, local: { kind: "local", slot, type: type1, origin }, outer: scope };
    if (slot2 >= 0)
      inner = { name: expr.iterVar2, local: { kind: "local", slot: slot2, type: type2, origin }, outer: inner };
    switch (shape.kind) {
      case "all":
      case "exists":
      case "existsOne":
        return { op: shape.kind, id, type, ...vars, predicate: this.plan(shape.predicate, inner) };
      case "collect":
        return {
          op: "collect",
          id,
          type,
          ...vars,
          predicate: shape.predicate && this.plan(shape.predicate, inner),
          transform: this.plan(shape.transform, inner),
        };
      case "collectMap":
        return {
          op: "collectMap",
          id,
          type,
          ...vars,
          predicate: shape.predicate && this.plan(shape.predicate, inner),
          key: shape.key && this.plan(shape.key, inner),
          transform: this.plan(shape.transform, inner),
        };
      case "fold":
        return this.planFold(expr, vars, scope, inner);
    }
  }

  private planFold(expr: Comprehension, vars: LoopVars, scope: Scope | undefined, inner: Scope): Step {
    const accu = this.slots++;
    const local = { kind: "local", slot: accu, type: this.typeOf(expr.init), origin: "computed" } as const;
    const loop: Scope = { name: expr.accuVar, local, outer: inner };
    const after: Scope = { name: expr.accuVar, local, outer: scope };
    return {
      op: "fold",
      id: expr.id,
      type: this.typeOf(expr),
      ...vars,
      accu,
      init: this.plan(expr.init, scope),
      condition: this.plan(expr.condition, loop),
      step: this.plan(expr.step, loop),
      result: this.plan(expr.result, after),
    };
  }
}

/** The number of operands of each operator. */
const OPERANDS: ReadonlyMap<string, number> = new Map([
  ...["!_", "-_"].map((name) => [name, 1] as const),
  ...["_&&_", "_||_", "_==_", "_!=_", "_<_", "_<=_", "_>_", "_>=_", "@in"].map((name) => [name, 2] as const),
  ...["_+_", "_-_", "_*_", "_/_", "_%_", "_[_]", "_[?_]", "_?._"].map((name) => [name, 2] as const),
  ["_?_:_", 3],
]);

const isBlock = ({ args }: Call): boolean => args.length === 2 && args[0]?.kind === "list";

/** A ternary's branch: a variable path or a presence test as it is, anything else as a path of no steps on its value. */
function asBranch(step: Step): Attr {
  return step.op === "attr" ? step : asPath(step);
}

function asPath(step: Step): Attr {
  return { op: "attr", id: step.id, type: step.type, root: { kind: "value", step }, path: [], test: false };
}

/** Further fields can be selected from this: of a presence test, from its value. */
const selectable = (attr: Attr): Attr => (attr.test ? asPath(attr) : attr);

/** Selecting from a ternary selects from both its branches; from an unchecked name, it may lengthen the name. */
function appendQualifier(
  attr: Attr,
  qualifier: Qualifier,
  type: Type,
  test: boolean,
  nameFor: (name: string) => Name,
): Attr {
  const { root } = attr;
  if (root.kind === "conditional") {
    const whenTrue = appendQualifier(selectable(root.whenTrue), qualifier, type, test, nameFor);
    const whenFalse = appendQualifier(selectable(root.whenFalse), qualifier, type, test, nameFor);
    return { ...attr, id: qualifier.id, type, root: { ...root, whenTrue, whenFalse }, test };
  }
  const path = [...attr.path, qualifier];
  const longer =
    root.kind === "ambiguous" ? lengthen(root.candidates, attr.path.length, qualifier, nameFor) : undefined;
  return { op: "attr", id: qualifier.id, type, root: longer ?? root, path, test };
}

function lengthen(
  candidates: AmbiguousRoot["candidates"],
  depth: number,
  qualifier: Qualifier,
  nameFor: (name: string) => Name,
): Root | undefined {
  const longest = candidates[0];
  if (!longest || longest.taken !== depth || qualifier.kind !== "key" || typeof qualifier.key !== "string")
    return undefined;
  const names = longest.names.map(({ name }) => nameFor(`${name}.${qualifier.key as string}`));
  return { kind: "ambiguous", candidates: [{ names, taken: depth + 1 }, ...candidates] };
}

function qualifiedName(target: Expr, last: string): string | undefined {
  if (target.kind === "ident") return `${target.name}.${last}`;
  if (target.kind !== "select" || target.test) return undefined;
  return qualifiedName(target.operand, `${target.field}.${last}`);
}

/**
 * The type that parts of a value are read under. Only data given under a declared type is converted to it; types that the checker inferred
 * for other data do not change it.
 */
function readType(type: Type, origin: Origin): Type {
  if (origin === "declared" || (origin === "data" && type.adapter)) return type;
  return type.kind === "double" || type.kind === "uint" || type.kind === "timestamp" ? DYN : type;
}

/** The declared types of loop variables over a range: element or key; with two, index or key and element or value. */
function iterationTypes(range: Type, two: boolean): [Type, Type] {
  const [first = DYN, second = DYN] = range.params;
  if (range.kind === "list") return two ? [INT, first] : [first, DYN];
  if (range.kind === "map") return [first, second];
  return [DYN, DYN];
}
