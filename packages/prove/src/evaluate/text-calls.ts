// Functions of texts whose meaning is a language: prefixes, suffixes, parts and patterns with constant arguments, and ASCII case.

import type { CallStep } from "@celadon/cel/plan";
import { boolOf, ERROR, type Symbolic } from "../path/symbolic.ts";
import type { TextTerm } from "../path/texts.ts";
import { containing, endingWith, holds, type Language, startingWith } from "../text/language.ts";
import { patternLanguage } from "../text/pattern.ts";
import { KIND } from "../tree/node.ts";
import { type Evaluation, keyOfSymbolic } from "./evaluation.ts";

const PREDICATES: ReadonlyMap<string, (argument: string) => Language | undefined> = new Map([
  ["startsWith", startingWith],
  ["endsWith", endingWith],
  ["contains", containing],
  ["matches", patternLanguage],
]);

export function textCall(evaluation: Evaluation, step: CallStep, args: readonly Symbolic[]): Symbolic | undefined {
  const [target, argument] = args;
  // A value without a known kind may be a text.
  if (target === undefined || target.is === "opaque") return undefined;
  const { path } = evaluation;
  const predicate = PREDICATES.get(step.name);
  if (predicate !== undefined && args.length === 2) {
    if (argument?.is !== "value" || typeof argument.value !== "string") return undefined;
    const language = predicate(argument.value);
    if (language === undefined) return undefined;
    const text = asText(evaluation, target);
    if (text === undefined) return ERROR;
    const fixed = path.fixedText(text);
    if (fixed !== undefined) return boolOf(holds(language, fixed));
    const rooted = { ...text, variable: path.texts.root(text.variable) };
    const key = `${keyOfSymbolic({ is: "text", text: rooted })} ${language.key}`;
    return boolOf(path.decide(key, (wanted) => path.texts.require(text, language, wanted)));
  }
  if ((step.name === "lowerAscii" || step.name === "upperAscii") && args.length === 1) {
    const text = asText(evaluation, target);
    if (text === undefined) return ERROR;
    const kind = step.name === "lowerAscii" ? "lower" : "upper";
    return { is: "text", text: { ...text, steps: [...text.steps, { kind }] } };
  }
  if (step.name === "string" && (target.is === "text" || (target.is === "node" && target.node.kinds === KIND.text)))
    return target;
  return undefined;
}

/** Undefined where a value is no text. */
function asText({ path }: Evaluation, value: Symbolic): TextTerm | undefined {
  if (value.is === "text") return value.text;
  return value.is === "node" && path.isKind(value.node, KIND.text) ? path.textOf(value.node) : undefined;
}
