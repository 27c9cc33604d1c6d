// Custom resources of one definition, compiled: one immutable object per version, shared by all requests. Validation follows
// apiextensions-apiserver pkg/registry/customresource.

import { isRecord, type JsonObject, own, pushAll } from "@celadon/base";
import { gvkOf, type ObjectMeta } from "@celadon/kube";
import { type FieldError, FieldPath, fieldPath, invalidValue } from "@celadon/kube/errors";
import { validateObjectMeta, validateObjectMetaUpdate } from "@celadon/kube/metadata";
import { checkDns1123Subdomain } from "@celadon/kube/names";
import type { Status } from "@celadon/kube/status";
import { type Emulation, emulationOf } from "@celadon/kube/versions";
import type { CustomResourceDefinition, DefinitionVersion } from "./definition/definition.ts";
import { deprecationWarning } from "./deprecation.ts";
import {
  type DecodeContext,
  type DecodedObject,
  decodeConverted,
  decodeObject,
  decodeStored,
} from "./object/decode.ts";
import { embeddedErrors } from "./object/embedded.ts";
import { uniquenessErrors } from "./object/list-uniqueness.ts";
import { type ScaleSubresource, scaleSpecErrors, scaleStatusErrors } from "./object/scale.ts";
import type { RuleOptions } from "./rules/compile-rules.ts";
import { type EvaluationInput, evaluateRules, type RuleNode } from "./rules/evaluate.ts";
import type { RuleObserver } from "./rules/observe.ts";
import { compileRuleTree } from "./rules/rule-tree.ts";
import { type JsonSchema, propertyOf } from "./schema/json-schema.ts";
import { Correlation } from "./value/correlation.ts";
import { wordedValues } from "./value/unstructured-go.ts";
import { ValueValidator } from "./value/validator.ts";

/** The result of validation. */
export interface Findings {
  readonly errors: readonly FieldError[];
  /** Failures of rules that unchanged values may keep. */
  readonly ratcheted: readonly FieldError[];
}

/** Converts an object to another version; undefined where only the apiVersion changes. */
export type Convert = (object: JsonObject, apiVersion: string) => JsonObject;

/** Options for compiling the versions of a definition. */
export interface CompileDefinitionOptions {
  /** Converts objects of other versions; by default only their apiVersion is changed. */
  readonly convert?: Convert;
  readonly rules?: RuleOptions;
}

/** Options for validating an object. */
export interface ValidateObjectOptions {
  /** Told of every rule that is evaluated. */
  readonly observer?: RuleObserver | undefined;
  /** Ends the evaluation of rules at a time in milliseconds as `Date.now()` counts; the remaining rules are not evaluated. */
  readonly deadline?: number | undefined;
}

/** A definition whose objects can be admitted. */
export class CustomResourceType {
  readonly definition: CustomResourceDefinition;
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  private readonly options: CompileDefinitionOptions;
  private readonly compiled = new Map<string, ResourceVersion>();

  constructor(definition: CustomResourceDefinition, options: CompileDefinitionOptions = {}) {
    this.definition = definition;
    const { spec } = definition;
    this.group = spec.group ?? "";
    this.kind = spec.names.kind ?? "";
    this.plural = spec.names.plural ?? "";
    this.namespaced = spec.scope === "Namespaced";
    this.options = options;
  }

  /** A version by name, served or not; compiled on first use. */
  version(name: string): ResourceVersion | undefined {
    const known = this.compiled.get(name);
    if (known !== undefined) return known;
    const version = this.definition.spec.versions?.find((definitionVersion) => definitionVersion.name === name);
    if (version === undefined) return undefined;
    const made = new ResourceVersion(this, version, this.options.rules);
    this.compiled.set(name, made);
    return made;
  }

  get storageVersion(): string {
    return this.definition.spec.versions?.find(({ storage }) => storage)?.name ?? "";
  }

  /** An object of any version in another one. */
  convert(object: JsonObject, version: string): JsonObject {
    const apiVersion = `${this.group}/${version}`;
    if (object.apiVersion === apiVersion) return object;
    return this.options.convert ? this.options.convert(object, apiVersion) : { ...object, apiVersion };
  }
}

/** One version of a custom resource: reads and validates its objects, and evaluates their rules. */
export class ResourceVersion {
  readonly type: CustomResourceType;
  readonly name: string;
  readonly apiVersion: string;
  /** Requests for a version that is not served find nothing. */
  readonly isServed: boolean;
  readonly schema: JsonSchema | undefined;
  readonly hasStatus: boolean;
  readonly scale: ScaleSubresource | undefined;
  /** The warning that every request gets. */
  readonly deprecation: string | undefined;
  private readonly ruleOptions: RuleOptions | undefined;
  private readonly by: Emulation;
  private validators: { readonly whole: ValueValidator; readonly status: ValueValidator } | undefined;
  private compiledRules: { readonly tree: RuleNode | undefined } | undefined;

  constructor(type: CustomResourceType, version: DefinitionVersion, rules: RuleOptions | undefined) {
    this.type = type;
    this.name = version.name ?? "";
    this.apiVersion = `${type.group}/${this.name}`;
    this.isServed = version.served === true;
    this.schema = version.schema?.openAPIV3Schema;
    this.hasStatus = version.subresources?.status !== undefined;
    this.scale = version.subresources?.scale;
    this.deprecation = deprecationWarning(type.definition.spec, this.name);
    this.ruleOptions = rules;
    this.by = emulationOf(rules?.kubeVersion);
  }

  /** The rules of the schema, compiled when first needed. */
  get rules(): RuleNode | undefined {
    this.compiledRules ??= { tree: this.schema && compileRuleTree(this.schema, true, this.ruleOptions) };
    return this.compiledRules.tree;
  }

  private get values(): { readonly whole: ValueValidator; readonly status: ValueValidator } {
    const schema = this.schema ?? {};
    this.validators ??= {
      whole: new ValueValidator(schema, { by: this.by }),
      status: new ValueValidator(propertyOf(schema, "status") ?? {}, { by: this.by }),
    };
    return this.validators;
  }

  private get context(): DecodeContext {
    const { group, kind, definition } = this.type;
    const preserveUnknownFields = definition.spec.preserveUnknownFields === true;
    return { group, version: this.name, kind, schema: this.schema, preserveUnknownFields };
  }

  /** An object as a client sent it, or as it was merged from an applied configuration: pruned and defaulted. */
  decode(object: JsonObject, origin?: "client" | "merge"): DecodedObject | Status {
    return decodeObject(object, this.context, origin);
  }

  /**
   * A stored object of any version as this version's clients see it. Only the version it is stored in fills in defaults: after the
   * conversion, fields that this version lacks are dropped, and nothing is added.
   */
  read(object: JsonObject): JsonObject {
    const { group, version } = gvkOf(object as { apiVersion?: unknown; kind?: unknown });
    const stored = group === this.type.group && version !== this.name ? this.type.version(version) : undefined;
    if (stored === undefined) return decodeStored(this.type.convert(object, this.name), this.context);
    return this.readConverted(this.type.convert(stored.read(object), this.name));
  }

  /** An object of this version as it was converted from another one. */
  readConverted(object: JsonObject): JsonObject {
    return decodeConverted(object, this.context);
  }

  /** An object as it comes back once it was stored, which may be in another version. */
  stored(object: JsonObject): JsonObject {
    const { storageVersion } = this.type;
    const storage = storageVersion === this.name ? undefined : this.type.version(storageVersion);
    return storage === undefined ? object : this.read(storage.read(object));
  }

  validateCreate(object: JsonObject, options: ValidateObjectOptions = {}): Findings {
    return this.withRules(this.errorsWithoutRules(object), { value: object, ...options });
  }

  /** The errors of an update that changes nothing, without ratcheting. */
  validateUnchanged(object: JsonObject): readonly FieldError[] {
    const errors = this.errorsWithoutRules(object);
    // Errors that are overlooked do not keep rules from running.
    if (this.rules) pushAll(errors, evaluateRules(this.rules, { value: object, old: object, by: this.by }).errors);
    return wordedValues(this.by, errors);
  }

  private errorsWithoutRules(object: JsonObject): FieldError[] {
    const errors = this.typeMetaErrors(object);
    if (errors.length === 0) {
      const metadata = validateObjectMeta(metadataOf(object), this.type.namespaced, checkDns1123Subdomain);
      pushAll(errors, metadata.map(ofMetadata));
      pushAll(errors, this.values.whole.validate(object));
      pushAll(errors, scaleSpecErrors(object, this.scale), scaleStatusErrors(object, this.scale));
    }
    if (this.schema) {
      pushAll(errors, embeddedErrors(object, this.schema, FieldPath.root));
      pushAll(errors, uniquenessErrors(object, this.schema));
    }
    return errors;
  }

  validateUpdate(object: JsonObject, old: JsonObject, options: ValidateObjectOptions = {}): Findings {
    const correlation = this.correlate(object, old);
    const errors = this.typeMetaErrors(object);
    if (errors.length === 0) {
      pushAll(errors, validateObjectMetaUpdate(metadataOf(object), metadataOf(old)).map(ofMetadata));
      pushAll(errors, this.values.whole.validate(object, { correlation }));
      pushAll(errors, scaleSpecErrors(object, this.scale), scaleStatusErrors(object, this.scale));
    }
    if (this.schema) {
      pushAll(errors, embeddedErrors(object, this.schema, FieldPath.root));
      pushAll(errors, this.newDuplicates(object, old, this.schema));
    }
    return this.withRules(errors, { value: object, old, correlation, ...options });
  }

  /** Only `status` is checked against its schema, but all rules run. */
  validateStatusUpdate(object: JsonObject, old: JsonObject, options: ValidateObjectOptions = {}): Findings {
    const correlation = this.correlate(object, old);
    const errors = this.typeMetaErrors(object);
    if (errors.length === 0) {
      pushAll(errors, validateObjectMetaUpdate(metadataOf(object), metadataOf(old)).map(ofMetadata));
      if (Object.hasOwn(object, "status")) {
        const below = correlation?.key("status");
        pushAll(
          errors,
          this.values.status.validate(object.status, { prefix: fieldPath("status"), correlation: below }),
        );
      }
      pushAll(errors, scaleStatusErrors(object, this.scale));
    }
    if (this.schema) pushAll(errors, this.newDuplicates(object, old, this.schema));
    return this.withRules(errors, { value: object, old, correlation, ...options });
  }

  /** Relates an object to the old one. */
  correlate(object: JsonObject, old: JsonObject): Correlation | undefined {
    return this.schema && this.by.since(RATCHETING_SINCE) ? new Correlation(object, old, this.schema) : undefined;
  }

  /** Duplicates in lists that may have none, unless the old object had any. */
  private newDuplicates(object: JsonObject, old: JsonObject, schema: JsonSchema): FieldError[] {
    const errors = uniquenessErrors(object, schema);
    return errors.length > 0 && uniquenessErrors(old, schema).length > 0 ? [] : errors;
  }

  private typeMetaErrors(object: JsonObject): FieldError[] {
    const errors: FieldError[] = [];
    const kind = own(object, "kind") ?? "";
    const apiVersion = own(object, "apiVersion") ?? "";
    if (kind !== this.type.kind) errors.push(invalidValue(fieldPath("kind"), kind, `must be ${this.type.kind}`));
    if (apiVersion !== this.apiVersion) {
      errors.push(invalidValue(fieldPath("apiVersion"), apiVersion, `must be ${this.apiVersion}`));
    }
    return errors;
  }

  private withRules(errors: FieldError[], input: EvaluationInput): Findings {
    const { rules, by } = this;
    if (rules === undefined) return { errors: wordedValues(by, errors), ratcheted: [] };
    if (errors.some(({ type }) => BLOCKING.has(type))) {
      return { errors: wordedValues(by, [...errors, NOT_CHECKED]), ratcheted: [] };
    }
    const found = evaluateRules(rules, { ...input, by });
    return { errors: wordedValues(by, [...errors, ...found.errors]), ratcheted: wordedValues(by, found.ratcheted) };
  }
}

/** Since then unchanged values are not reported, unless a gate is turned on. */
const RATCHETING_SINCE = 30;

/** Errors after which rules would meet data they do not expect. */
const BLOCKING: ReadonlySet<FieldError["type"]> = new Set([
  "FieldValueNotSupported",
  "FieldValueRequired",
  "FieldValueTooLong",
  "FieldValueTooMany",
  "FieldValueTypeInvalid",
]);

const NOT_CHECKED: FieldError = {
  ...invalidValue(
    FieldPath.root,
    null,
    "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation",
  ),
  code: "rules_not_checked",
};

function metadataOf(object: JsonObject): ObjectMeta {
  const metadata = own(object, "metadata");
  return isRecord(metadata) ? (metadata as ObjectMeta) : {};
}

/** An error that the API server reports about every object, under every schema. */
const ofMetadata = (error: FieldError): FieldError => ({ code: "object_metadata", ...error });
