// Rules while a CustomResourceDefinition is written: every node's rules are compiled, costed with the number of places they
// may apply to, and checked for old values that can be found.

import {
  type FieldError,
  type FieldPath,
  internalFieldError,
  invalidValue,
  JSON_SINCE,
  ShownBy,
} from "@celadon/kube/errors";
import { StaticEstimatedCostLimit } from "@celadon/kube-cel";
import { isEmbedded, type JsonSchema, rulesOf } from "../schema/json-schema.ts";
import type { RuleScope } from "../schema/keywords.ts";
import { ruleAsGo } from "../schema/read-schema.ts";
import { ruleAsGoSyntax } from "../schema/rule-go-syntax.ts";
import {
  type CompiledRule,
  compileRules,
  maxCardinality,
  NO_TYPE,
  type RejectedExpression,
  type RuleOptions,
} from "./compile-rules.ts";
import { type Cardinality, costExceeded, multiplySaturating, overLimit, type TotalCost } from "./cost.ts";
import { type Declared, declaredAlone, declaredElement, declaredProperty } from "./declared.ts";

/** The estimated cost of a rule. */
export interface RuleCost {
  /** The path of the rule, `….x-kubernetes-validations[0]`. Parts that all versions share are estimated once, and stand in each. */
  readonly path: FieldPath;
  readonly schema: JsonSchema;
  readonly rule: CompiledRule;
  /** One evaluation. */
  readonly cost: bigint;
  /** The greatest number of evaluations. */
  readonly cardinality: bigint;
  /** False when nothing above the rule limits how often it applies. */
  readonly bounded: boolean;
  /** Both together, which is what counts. */
  readonly total: bigint;
}

export interface ScopeOptions extends RuleOptions {
  /** Single rules have no cost limit. */
  readonly anyCost: boolean;
  readonly total: TotalCost;
  /** Told about every rule that compiles. */
  readonly onCost?: (cost: RuleCost) => void;
}

export function rootScope(schema: JsonSchema, options: ScopeOptions): RuleScope {
  return new Scope(options, 1n, rulesOf(schema).length === 0 ? undefined : typedAlone(schema, true));
}

/**
 * The type of a node for the rules at it and around it. Hidden data hides everything inside it; a node that its outer type does not know as
 * an element has no type, but is not hidden.
 */
type Typing = "hidden" | { readonly declared: Declared | undefined };

function typedAlone(schema: JsonSchema, resource: boolean): Typing {
  const declared = declaredAlone(schema, resource);
  return declared === undefined ? "hidden" : { declared };
}

/** The typing of a node inside a typed one. */
function typedBelow(outer: Typing, child: JsonSchema, property: string | undefined): Typing {
  if (outer === "hidden") return outer;
  if (property === undefined) return { declared: outer.declared && declaredElement(outer.declared) };
  const declared = outer.declared && declaredProperty(outer.declared, property);
  return declared === undefined ? typedAlone(child, isEmbedded(child)) : { declared };
}

class Scope implements RuleScope {
  private readonly options: ScopeOptions;
  private readonly cardinality: Cardinality;
  /** Undefined where no rule is at the node or around it. */
  private readonly typing: Typing | undefined;

  constructor(options: ScopeOptions, cardinality: Cardinality, typing: Typing | undefined) {
    this.options = options;
    this.cardinality = cardinality;
    this.typing = typing;
  }

  below(schema: JsonSchema, child: JsonSchema, property?: string): RuleScope {
    const factor = maxElements(schema);
    const cardinality =
      this.cardinality === undefined || factor === undefined ? undefined : multiplySaturating(this.cardinality, factor);
    const { typing } = this;
    if (typing !== undefined) return new Scope(this.options, cardinality, typedBelow(typing, child, property));
    const own = rulesOf(child).length === 0 ? undefined : typedAlone(child, isEmbedded(child));
    return new Scope(this.options, cardinality, own);
  }

  check(schema: JsonSchema, path: FieldPath, uncorrelatable: FieldPath | undefined): FieldError[] {
    const rules = path.child("x-kubernetes-validations");
    const { typing } = this;
    if (typing === undefined || typing === "hidden") return [internalFieldError(rules, HIDDEN)];
    if (typing.declared === undefined) return [internalFieldError(rules, NO_TYPE)];
    const node = compileRules(schema, typing.declared, this.options);
    const errors: FieldError[] = [];
    const places = this.cardinality ?? maxCardinality(node.type);
    node.rules.forEach((compiled, i) => {
      const total = multiplySaturating(compiled.maxCost, places);
      const here = rules.index(i);
      if (compiled.program) {
        const bounded = this.cardinality !== undefined;
        const { maxCost: cost } = compiled;
        this.options.onCost?.({
          path: here,
          schema,
          rule: compiled,
          cost,
          cardinality: places,
          bounded,
          total,
        });
      }
      this.checkRule(compiled, total, here, uncorrelatable, errors);
    });
    return errors;
  }

  private checkRule(
    compiled: CompiledRule,
    cost: bigint,
    path: FieldPath,
    uncorrelatable: FieldPath | undefined,
    errors: FieldError[],
  ): void {
    const { anyCost, total } = this.options;
    const { rule } = compiled;
    const rulePath = path.child("rule");
    const messagePath = path.child("messageExpression");
    const shown = (): ShownBy =>
      new ShownBy((by) => (by.before(JSON_SINCE) ? ruleAsGoSyntax(rule, by) : ruleAsGo(rule)));
    if (!anyCost && cost > StaticEstimatedCostLimit) {
      errors.push(overLimit(rulePath, costExceeded("estimated rule cost", cost, StaticEstimatedCostLimit)));
    }
    total.observe(rulePath, cost);
    const { error, messageError } = compiled;
    if (error !== undefined) errors.push(rejected(error, rule.rule, rulePath, shown()));
    if (messageError !== undefined) {
      errors.push(rejected(messageError, rule.messageExpression ?? "", messagePath, shown()));
    } else if (compiled.message !== undefined) {
      const { messageMaxCost } = compiled;
      if (!anyCost && messageMaxCost > StaticEstimatedCostLimit) {
        const detail = costExceeded("estimated messageExpression cost", messageMaxCost, StaticEstimatedCostLimit);
        errors.push(overLimit(messagePath, detail));
      }
      total.observe(messagePath, messageMaxCost);
    }
    if (compiled.usesOldSelf) {
      if (uncorrelatable !== undefined) {
        const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelatable}`;
        errors.push(invalidValue(rulePath, rule.rule, detail));
      }
    } else if (rule.optionalOldSelf !== undefined) {
      const detail = "may not be set if oldSelf is not used in rule";
      errors.push(invalidValue(path.child("optionalOldSelf"), rule.optionalOldSelf, detail));
    }
  }
}

function rejected({ message, issues }: RejectedExpression, text: string, path: FieldPath, shown: ShownBy): FieldError {
  return { ...invalidValue(path, shown, message), expression: { steps: path.steps, text, offset: 0, issues } };
}

const HIDDEN =
  "internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations";

/** The factor by which a schema multiplies the cost of its members. */
function maxElements(schema: JsonSchema): bigint | undefined {
  const limit =
    schema.type === "array"
      ? schema.maxItems
      : schema.type === "object" && schema.additionalProperties !== undefined
        ? schema.maxProperties
        : 1;
  return limit === undefined ? undefined : BigInt(Math.max(0, Math.trunc(limit)));
}
