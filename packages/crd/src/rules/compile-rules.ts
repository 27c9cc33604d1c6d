// Rules of one schema node → programs, with the error texts and the estimates that decide whether an API server accepts them. Upstream:
// apiextensions-apiserver pkg/apiserver/schema/cel/compilation.go.

import {
  BOOL,
  type Checked,
  type Env,
  type Issue,
  type Program,
  type Rejection,
  STRING,
  type Type,
} from "@celadon/cel";
import type { SizeEstimator } from "@celadon/cel/cost";
import { trimSpace } from "@celadon/kube";
import type { FieldPath } from "@celadon/kube/errors";
import { MaxRequestSizeBytes, type Minor, newMeansStored } from "@celadon/kube-cel";
import { createSizeEstimator, type DeclType, declareType, withResourceMeta } from "@celadon/kube-cel/schema";
import { findField } from "../schema/field-path.ts";
import { isEmbedded, type JsonSchema, rulesOf, type ValidationRule } from "../schema/json-schema.ts";
import type { Declared } from "./declared.ts";
import { NodeEnvironments, SELF_TYPE } from "./environment.ts";

/** The largest cost of an expression under an assumption about sizes. */
export type Estimate = (sizes: SizeEstimator) => bigint;

/** A rule of a schema, compiled. */
export interface CompiledRule {
  readonly rule: ValidationRule;
  /** Absent when the rule is blank or does not compile. */
  readonly program: Program | undefined;
  readonly checked: Checked | undefined;
  /** The error of the rule. */
  readonly error: RejectedExpression | undefined;
  /** It compares with the old value. */
  readonly usesOldSelf: boolean;
  /** The greatest cost of one evaluation. */
  readonly maxCost: bigint;
  /** The same, were sizes other than the schema says. */
  readonly estimate: Estimate | undefined;
  readonly message: Program | undefined;
  readonly messageChecked: Checked | undefined;
  readonly messageError: RejectedExpression | undefined;
  readonly messageMaxCost: bigint;
  readonly estimateMessage: Estimate | undefined;
  /** `fieldPath` as a field path, to be appended to the node's. */
  readonly fieldPath: FieldPath | undefined;
}

/** An expression that is not accepted. */
export interface RejectedExpression {
  /** The message in the API server's words. */
  readonly message: string;
  readonly issues: readonly Issue[];
}

/** Options for compiling rules. */
export interface RuleOptions {
  /** Expressions that existed before may use everything that was ever allowed; by default all count as such. */
  readonly isKnownRule?: (rule: string) => boolean;
  readonly isKnownMessage?: (expression: string) => boolean;
  /** The way in which programs run; for comparing the two ways. */
  readonly mode?: "auto" | "compiled" | "interpreted";
  /** The minor of the API server; the current one when absent. */
  readonly kubeVersion?: Minor;
}

/** A node's declared type and its rules. */
export interface NodeRules {
  readonly type: DeclType;
  readonly rules: readonly CompiledRule[];
}

interface Remembered {
  readonly resource: WeakMap<JsonSchema, NodeRules>;
  readonly part: WeakMap<JsonSchema, NodeRules>;
}
/** Rules for objects of the current minor. */
const compiled: Remembered = { resource: new WeakMap(), part: new WeakMap() };
/** Rules that were compiled when a definition was admitted serve its objects too, if all of it was accepted. */
const validated: Remembered = { resource: new WeakMap(), part: new WeakMap() };

let isOneMeaning: boolean | undefined;

/** Why rules cannot be compiled where data has no type. */
export const NO_TYPE = "failed to convert to declType for CEL validation rules";

/** The rules of a node, which are written for data of the declared type. */
export function compileRules(schema: JsonSchema, declared: Declared, options: RuleOptions = {}): NodeRules {
  const { resource } = declared;
  const isOwn = declared.schema === schema;
  const isShared = isOwn && options.mode === undefined && options.kubeVersion === undefined;
  const isValidation = options.isKnownRule !== undefined || options.isKnownMessage !== undefined;
  const place = resource ? "resource" : "part";
  const known = isShared && !isValidation ? knownRules(schema, place) : undefined;
  if (known !== undefined) return known;
  const data = isOwn ? {} : { data: isEmbedded(schema) ? withResourceMeta(schema) : schema };
  const type = declareType(declared.schema, SELF_TYPE, { resource, ...data });
  if (type === undefined) throw new Error("declared type of a schema that is hidden");
  const environments = new NodeEnvironments(type, options.kubeVersion);
  const rules = rulesOf(schema).map((rule) => compileRule(rule, schema, type, environments, options));
  const made = { type, rules };
  if (isShared) (isValidation ? validated : compiled)[place].set(schema, made);
  return made;
}

function knownRules(schema: JsonSchema, place: keyof Remembered): NodeRules | undefined {
  const known = compiled[place].get(schema);
  if (known !== undefined) return known;
  const accepted = validated[place].get(schema);
  if (accepted?.rules.some(({ error, messageError }) => error !== undefined || messageError !== undefined) !== false)
    return undefined;
  isOneMeaning ??= newMeansStored();
  return isOneMeaning ? accepted : undefined;
}

type Compiled = {
  readonly program: Program;
  readonly checked: Checked;
  readonly maxCost: bigint;
  readonly estimate: Estimate;
};

function compileRule(
  rule: ValidationRule,
  schema: JsonSchema,
  type: DeclType,
  environments: NodeEnvironments,
  options: RuleOptions,
): CompiledRule {
  const nothing: CompiledRule = {
    rule,
    program: undefined,
    checked: undefined,
    error: undefined,
    usesOldSelf: false,
    maxCost: 0n,
    estimate: undefined,
    message: undefined,
    messageChecked: undefined,
    messageError: undefined,
    messageMaxCost: 0n,
    estimateMessage: undefined,
    fieldPath: undefined,
  };
  if (trimSpace(rule.rule ?? "") === "") return nothing;
  const env = (known: boolean): Env =>
    environments.env(known ? "storedExpressions" : "newExpressions", rule.optionalOldSelf === true);
  const compile = (text: string, known: boolean, result: Type, words: RejectionTexts): Compiled | Failed =>
    compileText(env(known), text, result, type, words, options.mode);
  const main = compile(rule.rule, options.isKnownRule?.(rule.rule) ?? true, BOOL, RULE_WORDS);
  if ("error" in main)
    return { ...nothing, error: main.error, usesOldSelf: main.checked ? usesOldSelf(main.checked) : false };
  const result: CompiledRule = {
    ...nothing,
    program: main.program,
    checked: main.checked,
    maxCost: main.maxCost,
    estimate: main.estimate,
    usesOldSelf: usesOldSelf(main.checked),
  };
  const { messageExpression } = rule;
  if (!messageExpression) return { ...result, fieldPath: fieldPathOf(rule, schema) };
  const message = compile(
    messageExpression,
    options.isKnownMessage?.(messageExpression) ?? true,
    STRING,
    MESSAGE_WORDS,
  );
  if ("error" in message) return { ...result, messageError: message.error };
  return {
    ...result,
    message: message.program,
    messageChecked: message.checked,
    messageMaxCost: message.maxCost,
    estimateMessage: message.estimate,
    fieldPath: fieldPathOf(rule, schema),
  };
}

/** The API server's words for an error, by the stage that found it. */
type RejectionTexts = Readonly<Record<Rejection["stage"], (rejection: Rejection) => string>>;

function wordsOf(lead: string, type: string): RejectionTexts {
  const compilation = (rejection: Rejection): string => `${lead}compilation failed: ${rejection}`;
  const instance = lead === "" ? "program " : lead;
  return {
    parse: compilation,
    check: compilation,
    type: () => type,
    plan: ({ issues }) => `${instance}instantiation failed: ${issues.map(({ message }) => message).join()}`,
  };
}

const RULE_WORDS: RejectionTexts = wordsOf("", "cel expression must evaluate to a bool");
const MESSAGE_WORDS: RejectionTexts = wordsOf("messageExpression ", "messageExpression must evaluate to a string");

interface Failed {
  readonly error: RejectedExpression;
  /** Set when only the program could not be made. */
  readonly checked?: Checked;
}

function compileText(
  env: Env,
  text: string,
  result: Type,
  type: DeclType,
  words: RejectionTexts,
  mode: RuleOptions["mode"],
): Compiled | Failed {
  const accepts = (found: Type): boolean => found.kind === result.kind;
  const compiled = env.compile(text, { accepts, ...(mode !== undefined && { mode }) });
  if (!compiled.ok) {
    const { issues, stage, checked } = compiled;
    const message = words[stage](compiled);
    // A wrong result type has the API server's message.
    const reported = stage === "type" ? issues.map((issue) => ({ ...issue, message })) : issues;
    return { error: { message, issues: reported }, ...(stage === "plan" && checked && { checked }) };
  }
  const { program, checked } = compiled;
  const estimate: Estimate = (sizes) => env.estimate(checked, { sizes }).max;
  return { program, checked, maxCost: estimate(createSizeEstimator(type)), estimate };
}

/** Whether the type checker resolved anything to `oldSelf`. */
function usesOldSelf({ references }: Checked): boolean {
  for (const reference of references.values()) if (reference.name === "oldSelf") return true;
  return false;
}

function fieldPathOf({ fieldPath }: ValidationRule, schema: JsonSchema): FieldPath | undefined {
  if (!fieldPath) return undefined;
  const found = findField(fieldPath, schema);
  return typeof found === "string" ? undefined : found.path;
}

/** The greatest number of values of a type in one request, where no limit says otherwise. */
export function maxCardinality(type: DeclType): bigint {
  return BigInt(Math.floor(MaxRequestSizeBytes / (type.minSerializedSize + 1)));
}
