// Defaults in a schema must themselves be valid: pruned, of the right type, and accepted by the rules of their own node, both
// as something new and as something that stays. Upstream: apiextensions-apiserver pkg/apiserver/schema/defaulting/validation.go.

import { deepEqual, type JsonObject, pushAll, setOwn } from "@celadon/base";
import {
  type FieldError,
  type FieldPath,
  fieldErrorsText,
  invalidValue,
  FieldPath as Path,
} from "@celadon/kube/errors";
import { type Emulation, emulationOf, type Minor } from "@celadon/kube/versions";
import { RuntimeCELCostBudget } from "@celadon/kube-cel";
import { coerceEmbedded, embeddedErrors } from "../object/embedded.ts";
import { prune } from "../object/prune.ts";
import { evaluateRules } from "../rules/evaluate.ts";
import { compileRuleTree } from "../rules/rule-tree.ts";
import { isEmbedded, type JsonSchema, META_FIELDS, propertiesOf, valuesOf } from "../schema/json-schema.ts";
import { ValueValidator } from "../value/validator.ts";

/** Puts a value where a default would be, in an otherwise empty resource. */
type Surround = (value: unknown) => unknown;

interface Place {
  /** The resource that the default is part of. */
  readonly root: JsonSchema;
  readonly surround: Surround;
  /** Inside apiVersion, kind or metadata of that resource. */
  readonly insideMeta: boolean;
}

export function defaultErrors(
  schema: JsonSchema,
  path: FieldPath,
  prunedOnly: boolean,
  kubeVersion?: Minor,
): FieldError[] {
  const checker = new DefaultChecker(prunedOnly, kubeVersion);
  const root: JsonSchema = { ...schema, "x-kubernetes-embedded-resource": true };
  checker.visit(root, path, { root, surround: withTypeMeta, insideMeta: false });
  return checker.errors;
}

function withTypeMeta(value: unknown): unknown {
  return { kind: "Validation", apiVersion: "validation/v1", ...(value as JsonObject) };
}

class DefaultChecker {
  readonly errors: FieldError[] = [];
  private readonly prunedOnly: boolean;
  private readonly kubeVersion: Minor | undefined;
  private readonly by: Emulation;
  private budget: number = RuntimeCELCostBudget;

  constructor(prunedOnly: boolean, kubeVersion: Minor | undefined) {
    this.prunedOnly = prunedOnly;
    this.kubeVersion = kubeVersion;
    this.by = emulationOf(kubeVersion);
  }

  /** Defaults below additionalProperties are not checked. */
  visit(schema: JsonSchema, path: FieldPath, given: Place): void {
    const place = isEmbedded(schema) ? { root: schema, surround: withTypeMeta, insideMeta: false } : given;
    if (schema.default !== undefined) this.check(schema, schema.default, path.child("default"), place);
    if (this.budget < 0) return;
    const { root, surround, insideMeta } = place;
    if (schema.items) {
      this.visit(schema.items, path.child("items"), { root, surround: (value) => surround([value]), insideMeta });
    }
    for (const [name, property] of propertiesOf(schema)) {
      if (this.budget < 0) return;
      const inMeta = insideMeta || (isEmbedded(schema) && META_FIELDS.has(name));
      const member: Surround = (value) => surround(singleMember(name, value));
      this.visit(property, path.child("properties").key(name), { root, surround: member, insideMeta: inMeta });
    }
  }

  private check(schema: JsonSchema, value: unknown, path: FieldPath, place: Place): void {
    const isResource = isEmbedded(schema);
    if (place.insideMeta) {
      const problem = metadataProblem(place.surround(value), place.root);
      if (problem !== undefined) {
        this.errors.push(invalidValue(path, value, `must result in valid metadata: ${problem}`));
        return;
      }
    } else {
      if (this.prunedOnly && !deepEqual(prune(value, schema, isResource), value)) {
        this.errors.push(invalidValue(path, value, "must not have unknown fields"));
      }
      const coerced = coerceEmbedded(value, schema, false);
      if (!("unknown" in coerced)) {
        this.errors.push({ ...coerced, path: path.below(coerced.path) });
        return;
      }
      const embedded = embeddedErrors(value, schema, path, isResource);
      if (embedded.length > 0) {
        pushAll(this.errors, embedded);
        return;
      }
    }
    const wrong = new ValueValidator(schema, { literal: true, by: this.by }).validate(value, { prefix: path });
    if (wrong.length > 0) pushAll(this.errors, wrong);
    else this.checkRules(schema, value, path, schema === place.root);
  }

  private checkRules(schema: JsonSchema, value: unknown, path: FieldPath, isResource: boolean): void {
    const { kubeVersion, by } = this;
    const rules = compileRuleTree(schema, isResource, kubeVersion && { kubeVersion });
    if (rules === undefined) return;
    const staying = evaluateRules(rules, { value, old: value, path, budget: this.budget, by });
    pushAll(this.errors, staying.errors);
    let { remaining } = staying;
    if (staying.errors.length === 0) {
      const appearing = evaluateRules(rules, { value, path, budget: this.budget, by });
      pushAll(this.errors, appearing.errors);
      remaining = Math.min(remaining, appearing.remaining);
    }
    this.budget = remaining;
  }
}

function singleMember(name: string, value: unknown): JsonObject {
  const object: JsonObject = {};
  setOwn(object, name, value);
  return object;
}

function metadataProblem(object: unknown, root: JsonSchema): string | undefined {
  const schema: JsonSchema = isEmbedded(root) ? root : { ...root, "x-kubernetes-embedded-resource": true };
  const coerced = coerceEmbedded(object, schema, false);
  if (!("unknown" in coerced)) return fieldErrorsText([coerced]);
  const errors = embeddedErrors(object, schema, Path.root, true);
  return errors.length === 0 ? undefined : fieldErrorsText(errors);
}

/** Whether any default holds what pruning would take out. */
export function hasUnprunedDefaults(schema: JsonSchema): boolean {
  return unpruned(schema, true);
}

function unpruned(schema: JsonSchema, isRoot: boolean): boolean {
  if (schema.default !== undefined) {
    const pruned = prune(schema.default, schema, isRoot || isEmbedded(schema));
    if (!deepEqual(pruned, schema.default)) return true;
  }
  const children = [...propertiesOf(schema).map(([, property]) => property), schema.items, valuesOf(schema)];
  return children.some((child) => child !== undefined && unpruned(child, false));
}
