// Rules while a CustomResourceDefinition is written: every node's rules are compiled, costed with the number of places they
// may apply to, and checked for old values that can be found.

import { type FieldError, type FieldPath, internalFieldError, invalidValue, ShownText } from "@celadon/kube";
import { StaticEstimatedCostLimit } from "@celadon/kube-cel";
import { declareType } from "@celadon/kube-cel/schema";
import { isEmbedded, type JsonSchema } from "../schema/json-schema.ts";
import type { RuleScope } from "../schema/keywords.ts";
import { ruleAsGo } from "../schema/read-schema.ts";
import { type CompiledRule, compileRules, maxCardinality, type Rejected, type RuleOptions } from "./compile-rules.ts";
import { type Cardinality, costExceeded, multiplySaturating, overLimit, type TotalCost } from "./cost.ts";
import { SELF_TYPE } from "./environment.ts";

/** What a rule may cost, as it was estimated. */
export interface RuleCost {
  /** Of the rule, `….x-kubernetes-validations[0]`. What all versions share is estimated once, and stands in each. */
  readonly path: FieldPath;
  readonly schema: JsonSchema;
  readonly rule: CompiledRule;
  /** One evaluation. */
  readonly cost: bigint;
  /** How often it may be evaluated. */
  readonly cardinality: bigint;
  /** False when nothing above the rule limits how often it applies. */
  readonly bounded: boolean;
  /** Both together, which is what counts. */
  readonly total: bigint;
}

export interface ScopeOptions extends RuleOptions {
  /** Single rules may cost what they like. */
  readonly anyCost: boolean;
  readonly total: TotalCost;
  /** Told about every rule that compiles. */
  readonly onCost?: (cost: RuleCost) => void;
}

export function rootScope(options: ScopeOptions): RuleScope {
  return new Scope(options, 1n, true, false);
}

class Scope implements RuleScope {
  private readonly options: ScopeOptions;
  private readonly cardinality: Cardinality;
  private readonly isResource: boolean;
  /** A rule above could not be typed, so none below can. */
  private readonly untyped: boolean;

  constructor(options: ScopeOptions, cardinality: Cardinality, isResource: boolean, untyped: boolean) {
    this.options = options;
    this.cardinality = cardinality;
    this.isResource = isResource;
    this.untyped = untyped;
  }

  below(schema: JsonSchema, child: JsonSchema): RuleScope {
    const factor = maxElements(schema);
    const cardinality =
      this.cardinality === undefined || factor === undefined ? undefined : multiplySaturating(this.cardinality, factor);
    const hidden =
      this.untyped ||
      (schema["x-kubernetes-validations"] !== undefined &&
        declareType(schema, SELF_TYPE, { resource: this.isResource }) === undefined);
    return new Scope(this.options, cardinality, isEmbedded(child), hidden);
  }

  check(schema: JsonSchema, path: FieldPath, uncorrelatable: FieldPath | undefined): FieldError[] {
    const rules = path.child("x-kubernetes-validations");
    const node = this.untyped ? undefined : compileRules(schema, this.isResource, this.options);
    if (node === undefined) return [internalFieldError(rules, NO_TYPE)];
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
    const shown = (): ShownText => new ShownText(ruleAsGo(rule));
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

function rejected({ message, issues }: Rejected, text: string, path: FieldPath, shown: ShownText): FieldError {
  return { ...invalidValue(path, shown, message), expression: { steps: path.steps, text, offset: 0, issues } };
}

const NO_TYPE =
  "internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations";

/** By how much a schema multiplies what is below it. */
function maxElements(schema: JsonSchema): bigint | undefined {
  const limit =
    schema.type === "array"
      ? schema.maxItems
      : schema.type === "object" && schema.additionalProperties !== undefined
        ? schema.maxProperties
        : 1;
  return limit === undefined ? undefined : BigInt(Math.max(0, Math.trunc(limit)));
}
