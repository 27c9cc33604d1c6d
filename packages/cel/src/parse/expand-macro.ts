// Expands one macro call. Nodes the macro makes stand where the call stands; copies stand where their originals do.

import { ACCUMULATOR, type Expr, type MapEntry, type StructField } from "../ast/expr.ts";
import type { Issue } from "../ast/issue.ts";
import { BEFORE_TEXT } from "../ast/source.ts";
import { macroIssue } from "./issues.ts";
import type { ExprFactory, Macro } from "./macro.ts";
import type { TreeBuilder } from "./tree-builder.ts";

/** The expansion, an issue, or undefined when the macro leaves the call as it is. */
export function expandMacro(
  builder: TreeBuilder,
  id: number,
  macro: Macro,
  target: Expr | undefined,
  args: readonly Expr[],
): Expr | Issue | undefined {
  const made = macro.expand(new MacroFactory(builder, id), target, args);
  if (made === undefined) return undefined;
  if ("kind" in made) {
    builder.macroCalls.set(made.id, { kind: "call", id: 0, function: macro.name, target, args });
  }
  builder.release(id);
  return made;
}

class MacroFactory implements ExprFactory {
  readonly #builder: TreeBuilder;
  readonly #start: number;
  readonly #end: number;
  readonly #at: number;

  constructor(builder: TreeBuilder, callId: number) {
    const span = builder.spans.get(callId)!;
    this.#builder = builder;
    this.#start = span.start;
    this.#end = span.end;
    this.#at = span.at;
  }

  #id(): number {
    return this.#builder.open(this.#start, this.#end, this.#at);
  }

  literal(value: unknown): Expr {
    return { kind: "literal", id: this.#id(), value };
  }
  ident(name: string): Expr {
    return { kind: "ident", id: this.#id(), name };
  }
  accuIdent(): Expr {
    return this.ident(this.#builder.accumulator);
  }
  get hiddenAccumulator(): boolean {
    return this.#builder.accumulator === ACCUMULATOR;
  }
  select(operand: Expr, field: string): Expr {
    return { kind: "select", id: this.#id(), operand, field, test: false };
  }
  presenceTest(operand: Expr, field: string): Expr {
    return { kind: "select", id: this.#id(), operand, field, test: true };
  }
  call(name: string, ...args: Expr[]): Expr {
    return { kind: "call", id: this.#id(), function: name, target: undefined, args };
  }
  memberCall(name: string, target: Expr, ...args: Expr[]): Expr {
    return { kind: "call", id: this.#id(), function: name, target, args };
  }
  list(...elements: Expr[]): Expr {
    return { kind: "list", id: this.#id(), elements, optional: [] };
  }
  map(...entries: MapEntry[]): Expr {
    return { kind: "map", id: this.#id(), entries };
  }
  mapEntry(key: Expr, value: Expr, optional = false): MapEntry {
    return { id: this.#id(), key, value, optional };
  }
  struct(type: string, fields: readonly { name: string; value: Expr; optional?: boolean }[]): Expr {
    const made: StructField[] = fields.map(({ name, value, optional }) => ({
      id: this.#id(),
      name,
      value,
      optional: optional ?? false,
    }));
    return { kind: "struct", id: this.#id(), type, fields: made };
  }
  fold(
    range: Expr,
    iterVar: string,
    iterVar2: string,
    accuVar: string | undefined,
    init: Expr,
    condition: Expr,
    step: Expr,
    result: Expr,
  ): Expr {
    const id = this.#id();
    const accumulator = accuVar ?? this.#builder.accumulator;
    return { kind: "comprehension", id, iterVar, iterVar2, range, accuVar: accumulator, init, condition, step, result };
  }

  copy(expr: Expr): Expr {
    const builder = this.#builder;
    const span = builder.spans.get(expr.id);
    const id = span === undefined ? this.#id() : builder.open(span.start, span.end, span.at);
    switch (expr.kind) {
      case "literal":
      case "ident":
        return { ...expr, id };
      case "select":
        return { ...expr, id, operand: this.copy(expr.operand) };
      case "call": {
        const args = expr.args.map((arg) => this.copy(arg));
        return { ...expr, id, args, target: expr.target && this.copy(expr.target) };
      }
      case "list":
        return { ...expr, id, elements: expr.elements.map((element) => this.copy(element)) };
      case "map":
        return {
          ...expr,
          id,
          entries: expr.entries.map((entry) => ({
            ...entry,
            id: this.#id(),
            key: this.copy(entry.key),
            value: this.copy(entry.value),
          })),
        };
      case "struct":
        return {
          ...expr,
          id,
          fields: expr.fields.map((field) => ({ ...field, id: this.#id(), value: this.copy(field.value) })),
        };
      case "comprehension": {
        const range = this.copy(expr.range);
        const init = this.copy(expr.init);
        const condition = this.copy(expr.condition);
        const step = this.copy(expr.step);
        return { ...expr, id, range, init, condition, step, result: this.copy(expr.result) };
      }
    }
  }

  issue(message: string, expr?: Expr): Issue {
    if (expr === undefined) return macroIssue(message, { start: this.#start, end: this.#end, at: this.#at });
    return macroIssue(message, this.#builder.spans.get(expr.id) ?? BEFORE_TEXT);
  }
}
