// Rules evaluated on a custom resource: a tree of the schema nodes that have rules at or below them, walked together with the new value,
// the old one, and its unchanged parts. Upstream: apiextensions-apiserver pkg/apiserver/schema/cel/validation.go.

import { isRecord, type JsonObject, own, quoteGo, utf8Length } from "@celadon/base";
import type { CelError, EvaluateOptions, EvaluationResult, Program } from "@celadon/cel";
import { Optional } from "@celadon/cel";
import { trimSpace } from "@celadon/kube";
import {
  duplicateValue,
  type FieldError,
  FieldPath,
  forbiddenField,
  invalidValue,
  MAX_FIELD_ERRORS,
  OMIT_VALUE,
  type RuleOrigin,
  requiredValue,
} from "@celadon/kube/errors";
import { type Emulation, emulationOf } from "@celadon/kube/versions";
import { MaxEvaluatedMessageExpressionSizeBytes, RuntimeCELCostBudget } from "@celadon/kube-cel";
import { adapterFor, withResourceMeta } from "@celadon/kube-cel/schema";
import type { JsonSchema, ValidationRule } from "../schema/json-schema.ts";
import { type Correlation, KeyedItems } from "../value/correlation.ts";
import type { CompiledRule } from "./compile-rules.ts";
import { type Occasion, type RuleObserver, Watch } from "./observe.ts";

/** Rules of a node and of everything below it. Shared by all requests. */
export interface RuleNode {
  readonly schema: JsonSchema;
  /** The place below the schema from which the tree was made. */
  readonly schemaPath: readonly string[];
  readonly isResource: boolean;
  readonly rules: readonly CompiledRule[];
  /** Why none of the rules could be compiled. */
  readonly problem: string | undefined;
  readonly usesOldSelf: boolean;
  readonly properties: ReadonlyMap<string, RuleNode>;
  readonly values: RuleNode | undefined;
  readonly items: RuleNode | undefined;
}

/** The failures that rules found, and the rest of the budget. */
export interface RuleResult {
  readonly errors: readonly FieldError[];
  /** Failures of unchanged values: the server only warns of them. */
  readonly ratcheted: readonly FieldError[];
  /** The rest of the budget; negative when it did not suffice. */
  readonly remaining: number;
}

/** The values on which rules are evaluated. */
export interface EvaluationInput {
  readonly value: unknown;
  /** The old value; undefined on create. */
  readonly old?: unknown;
  readonly correlation?: Correlation | undefined;
  readonly path?: FieldPath;
  readonly budget?: number;
  readonly observer?: RuleObserver | undefined;
  readonly deadline?: number | undefined;
  /** The server whose words errors have; the newest by default. */
  readonly by?: Emulation;
}

/** Since then errors of rules show the value, or none; before, they showed its type. */
const VALUES_SINCE = 35;

/** Evaluates all rules of a schema on an object, within the budget. */
export function evaluateRules(
  node: RuleNode,
  { value, old, correlation, path = FieldPath.root, budget, observer, deadline, by }: EvaluationInput,
): RuleResult {
  const options = deadline === undefined ? undefined : { deadline };
  const watch = observer && new Watch(observer, options);
  const evaluation = new Evaluation(budget ?? RuntimeCELCostBudget, watch, options, by ?? emulationOf());
  evaluation.visit(node, value, old, path, { current: correlation, nearest: undefined });
  return evaluation;
}

/** Decides whether a failure is only a warning. */
interface Ratchet {
  readonly current: Correlation | undefined;
  /** The correlation of the closest ancestor that continues an old value. */
  readonly nearest: Correlation | undefined;
}

const NO_RATCHET: Ratchet = { current: undefined, nearest: undefined };

const isUnchanged = ({ current, nearest }: Ratchet): boolean => (current ?? nearest)?.equal() === true;

function ratchetKey(ratchet: Ratchet, key: string): Ratchet {
  const { current, nearest } = ratchet;
  if (current === undefined) return ratchet;
  // Version and kind are the same on both sides, also if another version was stored.
  if (nearest === undefined && (key === "apiVersion" || key === "kind")) return NO_RATCHET;
  return { current: current.key(key), nearest: current };
}

function ratchetIndex(ratchet: Ratchet, i: number): Ratchet {
  const { current } = ratchet;
  return current === undefined ? ratchet : { current: current.index(i), nearest: current };
}

class Evaluation implements RuleResult {
  readonly errors: FieldError[] = [];
  readonly ratcheted: FieldError[] = [];
  remaining: number;
  private readonly watch: Watch | undefined;

  private readonly options: EvaluateOptions | undefined;
  private readonly by: Emulation;

  constructor(budget: number, watch: Watch | undefined, options: EvaluateOptions | undefined, by: Emulation) {
    this.by = by;
    this.remaining = budget;
    this.watch = watch;
    this.options = options;
  }

  /** False once no further rule may run. */
  visit(node: RuleNode, value: unknown, old: unknown, path: FieldPath, ratchet: Ratchet): boolean {
    if (value === null || value === undefined) return true;
    if (!this.runRules(node, value, old, path, ratchet)) return false;
    if (Array.isArray(value))
      return node.items === undefined || this.visitItems(node, node.items, value, old, path, ratchet);
    if (!isRecord(value)) return true;
    return this.visitMembers(node, value, isRecord(old) ? old : undefined, path, ratchet);
  }

  private visitItems(
    node: RuleNode,
    items: RuleNode,
    list: readonly unknown[],
    old: unknown,
    path: FieldPath,
    ratchet: Ratchet,
  ): boolean {
    const keyed = node.schema["x-kubernetes-list-type"] === "map" && Array.isArray(old);
    const before = keyed ? new KeyedItems(old, node.schema) : undefined;
    for (let i = 0; i < list.length; i++) {
      if (!this.visit(items, list[i], before?.find(list[i]), path.index(i), ratchetIndex(ratchet, i))) return false;
    }
    return true;
  }

  private visitMembers(
    node: RuleNode,
    object: JsonObject,
    old: JsonObject | undefined,
    path: FieldPath,
    ratchet: Ratchet,
  ): boolean {
    const { values, properties } = node;
    if (values === undefined && properties.size === 0) return true;
    for (const key of Object.keys(object)) {
      const before = old && own(old, key);
      const property = properties.get(key);
      if (values && !this.visit(values, object[key], before, path.key(key), ratchetKey(ratchet, key))) return false;
      if (property && !this.visit(property, object[key], before, path.child(key), ratchetKey(ratchet, key)))
        return false;
    }
    return true;
  }

  private runRules(node: RuleNode, value: unknown, given: unknown, path: FieldPath, ratchet: Ratchet): boolean {
    const type = node.schema.type ?? "";
    if (node.problem !== undefined) {
      if (this.isFull(this.errors)) return true;
      this.errors.push(invalidValue(path, type, `rule compiler initialization error: ${node.problem}`));
      return true;
    }
    const [first] = node.rules;
    if (first === undefined) return true;
    if (this.remaining <= 0) return this.stop(invalidValue(path, type, OUT_OF_BUDGET), node, first);
    const old = given ?? undefined;
    const self = { self: value };
    const both = node.usesOldSelf && old !== undefined ? { self: value, oldSelf: old } : self;
    for (const compiled of node.rules) {
      const { rule, program } = compiled;
      if (compiled.error !== undefined && !this.isFull(this.errors)) {
        const error = invalidValue(path, type, `rule compile error: ${compiled.error.message}`);
        this.errors.push(found(error, node, compiled, "uncompiled"));
      }
      if (program === undefined) continue;
      const optional = rule.optionalOldSelf === true;
      const { watch } = this;
      const occasion = watch && { node, compiled, path, unchanged: () => isUnchanged(ratchet) };
      if (compiled.usesOldSelf && old === undefined && !optional) {
        if (occasion) watch.skip(occasion);
        continue;
      }
      const variables = optional ? { self: value, oldSelf: optionalOld(node, old) } : both;
      const outcome: EvaluationResult = occasion
        ? watch.evaluate(program, variables, occasion, "rule")
        : program.evaluate(variables, this.options);
      if (outcome.cost > this.remaining) return this.stop(invalidValue(path, type, OUT_OF_BUDGET), node, compiled);
      this.remaining -= outcome.cost;
      if (outcome.error !== undefined) {
        if (!this.failed(outcome.error, node, compiled, path)) return false;
      } else if (outcome.value !== true && !this.denied(compiled, node, value, both, path, ratchet, occasion))
        return false;
    }
    return true;
  }

  private stop(error: FieldError, node: RuleNode, compiled: CompiledRule): false {
    this.errors.push(found(error, node, compiled, "budget"));
    this.remaining = -1;
    return false;
  }

  /** A rule that could not be evaluated; false when nothing may run after it. */
  private failed({ code, message }: CelError, node: RuleNode, compiled: CompiledRule, path: FieldPath): boolean {
    const named = shownRule(compiled.rule);
    const type = node.schema.type ?? "";
    if (code === "cost_limit") {
      const detail = `'${message}': no further validation rules will be run due to call cost exceeds limit for rule: ${named}`;
      return this.stop(invalidValue(path, type, detail), node, compiled);
    }
    if (code === "interrupted") {
      const detail = `${message} evaluating rule: ${named}: no further validation rules will be run`;
      return this.stop(invalidValue(path, type, detail), node, compiled);
    }
    const detail =
      code === "no_such_overload"
        ? `'${message}': call arguments did not match a supported operator, function or macro signature for rule: ${named}`
        : `${message} evaluating rule: ${named}`;
    if (!this.isFull(this.errors)) this.errors.push(found(invalidValue(path, type, detail), node, compiled, "error"));
    return true;
  }

  /** Rules that fail after so many are evaluated, because of the budget, and not listed. */
  private isFull(list: readonly FieldError[]): boolean {
    return list.length >= MAX_FIELD_ERRORS;
  }

  /** A rule that is false. */
  private denied(
    compiled: CompiledRule,
    node: RuleNode,
    value: unknown,
    variables: Variables,
    path: FieldPath,
    ratchet: Ratchet,
    occasion: Occasion | undefined,
  ): boolean {
    const { rule, message, fieldPath } = compiled;
    const type = node.schema.type ?? "";
    const place = fieldPath === undefined ? path : path.below(fieldPath);
    const add = (error: FieldError, outcome: RuleOrigin["outcome"]): void => {
      const list = !compiled.usesOldSelf && isUnchanged(ratchet) ? this.ratcheted : this.errors;
      if (outcome === "budget" || !this.isFull(list)) list.push(found(error, node, compiled, outcome));
    };
    let detail: string | undefined;
    if (message !== undefined) {
      const said = this.message(message, rule.messageExpression ?? "", variables, occasion);
      if (said.stop !== undefined) {
        add(invalidValue(place, type, said.stop), "budget");
        this.remaining = -1;
        return false;
      }
      detail = said.text;
    }
    const omitted = type === "object" || type === "array";
    const shown = this.by.before(VALUES_SINCE) ? type : omitted ? OMIT_VALUE : value;
    add(fieldErrorFor(rule.reason, place, shown, detail ?? defaultMessage(rule)), "false");
    return true;
  }

  private message(
    program: Program,
    expression: string,
    variables: Variables,
    occasion: Occasion | undefined,
  ): { readonly text?: string; readonly stop?: string } {
    const outcome: EvaluationResult =
      this.watch && occasion
        ? this.watch.evaluate(program, variables, occasion, "messageExpression")
        : program.evaluate(variables, this.options);
    if (outcome.cost > this.remaining) {
      return {
        stop: "messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run",
      };
    }
    if (outcome.error?.code === "cost_limit") {
      const limit = "no further validation rules will be run due to call cost exceeds limit for messageExpression: ";
      return { stop: limit + quoteGo(expression) };
    }
    this.remaining -= outcome.cost;
    const { value } = outcome;
    if (typeof value !== "string") return {};
    const text = trimSpace(value);
    const usable = text !== "" && !text.includes("\n") && utf8Length(text) <= MaxEvaluatedMessageExpressionSizeBytes;
    return usable ? { text } : {};
  }
}

/** The error with the rule it comes from. */
function found(error: FieldError, node: RuleNode, compiled: CompiledRule, outcome: RuleOrigin["outcome"]): FieldError {
  const { schemaPath, rules } = node;
  const expression = compiled.rule.rule ?? "";
  return { ...error, rule: { schemaPath, index: rules.indexOf(compiled), expression, outcome } };
}

type Variables = { readonly self: unknown; readonly oldSelf?: unknown };

const OUT_OF_BUDGET = "validation failed due to running out of cost budget, no further validation rules will be run";

/** The old value as an optional one, which rules with `optionalOldSelf` see. */
function optionalOld(node: RuleNode, old: unknown): Optional {
  if (old === undefined) return Optional.none;
  const schema = node.isResource ? withResourceMeta(node.schema) : node.schema;
  return Optional.of(adapterFor(schema).toValue(old));
}

/** The name of a rule in errors: by its message if it has one. */
function shownRule({ rule, message }: ValidationRule): string {
  return trimSpace(message || rule);
}

function defaultMessage(rule: ValidationRule): string {
  return rule.message ? trimSpace(rule.message) : `failed rule: ${trimSpace(rule.rule)}`;
}

function fieldErrorFor(reason: string | undefined, path: FieldPath, value: unknown, detail: string): FieldError {
  switch (reason) {
    case "FieldValueForbidden":
      return forbiddenField(path, detail);
    case "FieldValueRequired":
      return requiredValue(path, detail);
    case "FieldValueDuplicate":
      return duplicateValue(path, value);
    default:
      return invalidValue(path, value, detail);
  }
}
