// Type checks the expressions of policies against the schemas of the kinds they match: the warnings of status.typeChecking, and those
// beyond the API server's checks. Kinds with the same problem share one report.

import type { Schemas } from "@celadon/admission/memory";
import type { Policy } from "@celadon/admission/policy";
import { checkTypes, isQuantityName, type TypeWarning } from "@celadon/admission/resources";
import { valueAt } from "@celadon/base";
import type { Issue } from "@celadon/cel";
import { type GroupVersionKind, gvkText } from "@celadon/kube";
import type { Schema } from "@celadon/kube/schemas";
import type { SimulatedCluster } from "@celadon/simulator";
import type { Manifest } from "@celadon/simulator/manifests";
import type { LintLevel } from "../codes.ts";
import { expressionHelp, guessed } from "../help/expression-help.ts";
import type { Vocabulary } from "../help/vocabulary.ts";
import { type LintProblem, problem } from "../problem.ts";
import { atomicFieldProblems } from "./atomic-fields.ts";
import { impossibleValueProblems } from "./impossible-values.ts";
import { wordLength } from "./word-length.ts";

export async function typeProblems(
  manifest: Manifest,
  policy: Policy,
  schemas: Schemas,
  vocabulary: Vocabulary,
  simulated: SimulatedCluster,
): Promise<LintProblem[]> {
  const { warnings, kinds, kindsBeyond } = await checkTypes(policy, schemas);
  const wildcard = new Set(kindsBeyond.map(keyOf));
  const found = new Map<string, Mismatch>();
  for (const warning of warnings) {
    for (const issue of warning.issues) {
      const beyond = wildcard.has(keyOf(warning.kind));
      const { code, name, kinds: types, span } = issue;
      // Types contain the name of their kind, so texts differ: `Deployment.spec.template`.
      const key = JSON.stringify([warning.path.steps, beyond, code, name, types, span?.at]);
      const known = found.get(key);
      if (known === undefined) found.set(key, { warning, issue, beyond, kinds: [warning.kind] });
      else known.kinds.push(warning.kind);
    }
  }
  const mismatches = [...found.values()].map((mismatch) => {
    const { issue, kinds: wrong } = mismatch;
    const elsewhere = isMissing(issue) ? fieldElsewhere(schemas.schema(wrong[0]!), issue.name ?? "") : undefined;
    return toProblem(manifest, mismatch, vocabulary, wrong.length < kinds.length, elsewhere);
  });
  const matched = [...kinds, ...kindsBeyond];
  return [
    ...mismatches,
    ...(await impossibleValueProblems(manifest, policy, matched, schemas, vocabulary)),
    ...(await atomicFieldProblems(manifest, policy, kinds, simulated, vocabulary)),
  ];
}

interface Mismatch {
  readonly warning: TypeWarning;
  readonly issue: Issue;
  readonly beyond: boolean;
  readonly kinds: GroupVersionKind[];
}

const SHOWN_KINDS = 3;

/**
 * Expressions that ask which kind it is, themselves or through a variable, may well be wrong for the other kinds: the checker does
 * not follow such questions.
 */
const ASKS_FOR_KIND = /\b(?:object|oldObject|request)\.(?:kind|resource|requestKind|requestResource)\b|\bvariables\./;

function toProblem(
  manifest: Manifest,
  { warning, issue, beyond, kinds }: Mismatch,
  vocabulary: Vocabulary,
  fitsOthers: boolean,
  elsewhere: string | undefined,
): LintProblem {
  const path = warning.path.steps;
  const text = String(valueAt(manifest.object, path) ?? "");
  const offset = Math.max(0, issue.span?.at ?? 0);
  const shown = kinds.slice(0, SHOWN_KINDS).map(gvkText).join("; ");
  const rest = kinds.length - SHOWN_KINDS;
  const more = rest > 0 ? ` and ${rest} more ${rest === 1 ? "kind" : "kinds"}` : "";
  const message = `${issue.message} (for ${shown}${more})`;
  const level = levelOf(issue, beyond, fitsOthers, text, elsewhere);
  return problem(beyond ? "type_mismatch_by_wildcard" : "type_mismatch", manifest, path, message, {
    offset,
    length: wordLength(text, offset),
    ...level,
    // An error for some of several kinds is an error wherever the field is read: one correction, or none.
    ...((level.level === "note" || beyond) && { cause: JSON.stringify([beyond, issue.code, issue.name, issue.kinds]) }),
    help: helpOf(issue, text, vocabulary, elsewhere),
  });
}

/** A misspelt or misplaced field exists in no kind: the expression can only fail. */
function levelOf(
  issue: Issue,
  beyond: boolean,
  fitsOthers: boolean,
  text: string,
  elsewhere: string | undefined,
): { readonly level?: LintLevel } {
  if (fitsOthers) return ASKS_FOR_KIND.test(text) ? { level: "note" } : {};
  const misspelt = issue.code === "undefined_field" && guessed(issue.name ?? "", issue.known ?? []) !== undefined;
  return (misspelt || elsewhere !== undefined) && !beyond ? { level: "error" } : {};
}

const QUANTITY_HELP =
  "the API server's type checker does not support quantities here, but evaluation does. To avoid the warning, wrap the part before the dot in dyn(…), and compare with quantity(…).compareTo(quantity(…))";

function helpOf(issue: Issue, text: string, vocabulary: Vocabulary, elsewhere: string | undefined): string | undefined {
  const help = expressionHelp({ issue, text, names: [] }, vocabulary);
  if (help !== undefined || issue.code !== "undefined_field") return help;
  if (isQuantityName(issue.name ?? "")) return QUANTITY_HELP;
  return elsewhere && `did you mean "object.${elsewhere}"?`;
}

/** Quantities exist, though the type checker does not see them. */
const isMissing = ({ code, name = "" }: Issue): boolean => code === "undefined_field" && !isQuantityName(name);

const DEEPEST = 6;

/** The path of the one field of that name, as `spec.template.spec.containers` of a Deployment; undefined for none or several. */
function fieldElsewhere(schema: Schema | undefined, name: string): string | undefined {
  let level: readonly (readonly [path: readonly string[], schema: Schema])[] = schema ? [[[], schema]] : [];
  for (let depth = 0; depth < DEEPEST && level.length > 0; depth++) {
    const below = level.flatMap(([path, { properties = new Map<string, Schema>() }]) =>
      [...properties].map(([field, inner]) => [[...path, field], inner] as const),
    );
    const found = below.filter(([path]) => path.at(-1) === name);
    if (found.length > 0) return found.length === 1 ? found[0]![0].join(".") : undefined;
    level = below;
  }
  return undefined;
}

const keyOf = ({ group, version, kind }: GroupVersionKind): string => `${group}/${version}/${kind}`;
