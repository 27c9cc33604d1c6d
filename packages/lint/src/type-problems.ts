// Expressions of policies against the schemas of the kinds they match: what status.typeChecking would say, and what the API server
// does not look at. One problem for all kinds that have the same one.

import type { ValidatingAdmissionPolicy } from "@celadon/admission";
import type { Schemas } from "@celadon/admission/memory";
import { checkTypes, type TypeWarning } from "@celadon/admission/resources";
import { nearestName, valueAt } from "@celadon/base";
import type { Issue } from "@celadon/cel";
import { type GroupVersionKind, gvkText, type Schema } from "@celadon/kube";
import type { Manifest } from "@celadon/simulator";
import { type LintProblem, problem } from "./problem.ts";
import { schemaAt } from "./unknown-fields.ts";
import { wordLength } from "./word-length.ts";

export async function typeProblems(
  manifest: Manifest,
  policy: ValidatingAdmissionPolicy,
  schemas: Schemas,
): Promise<LintProblem[]> {
  const { warnings, kinds, kindsBeyond } = await checkTypes(policy, schemas);
  const wildcard = new Set(kindsBeyond.map(keyOf));
  const found = new Map<string, Mismatch>();
  for (const warning of warnings) {
    for (const issue of warning.issues) {
      const beyond = wildcard.has(keyOf(warning.kind));
      const key = `${warning.path} ${beyond} ${issue.span?.at} ${kindless(issue.message, warning.kind)}`;
      const known = found.get(key);
      if (known === undefined) found.set(key, { warning, issue, beyond, kinds: [warning.kind] });
      else known.kinds.push(warning.kind);
    }
  }
  return [...found.values()].map((one) => toProblem(manifest, one, schemas, one.kinds.length < kinds.length));
}

interface Mismatch {
  readonly warning: TypeWarning;
  readonly issue: Issue;
  readonly beyond: boolean;
  readonly kinds: GroupVersionKind[];
}

/** Types are named after the kind they are of: `Deployment.spec.template`. */
function kindless(message: string, { kind }: GroupVersionKind): string {
  return message.replaceAll(/(?<![\w.])\w+/g, (word) => (word === kind ? "KIND" : word));
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
  schemas: Schemas,
  fitsOthers: boolean,
): LintProblem {
  const path = warning.path.steps;
  const text = String(valueAt(manifest.object, path) ?? "");
  const offset = Math.max(0, issue.span?.at ?? 0);
  const shown = kinds.slice(0, SHOWN_KINDS).map(gvkText).join("; ");
  const rest = kinds.length - SHOWN_KINDS;
  const more = rest > 0 ? ` and ${rest} more ${rest === 1 ? "kind" : "kinds"}` : "";
  const message = `${issue.message} (for ${shown}${more})`;
  return problem(beyond ? "type_mismatch_by_wildcard" : "type_mismatch", manifest, path, message, {
    offset,
    length: wordLength(text, offset),
    ...(fitsOthers && ASKS_FOR_KIND.test(text) && { level: "note" }),
    help: fieldHelp(issue, text, offset, schemas.schema(kinds[0]!)),
  });
}

/** `object.spec.replica` → `replicas`, where the schema has something like it. */
function fieldHelp(
  { code, name }: Issue,
  text: string,
  offset: number,
  schema: Schema | undefined,
): string | undefined {
  const steps = /(?:^|[^.\w])(?:object|oldObject)((?:\??\.\w+)*)$/.exec(text.slice(0, offset))?.[1];
  if (code !== "undefined_field" || name === undefined || steps === undefined) return undefined;
  const holder = schemaAt(schema, steps.split(/\??\./).slice(1));
  const guess = nearestName(name, [...(holder?.properties?.keys() ?? [])]);
  return guess === undefined ? undefined : `did you mean "${guess}"?`;
}

const keyOf = ({ group, version, kind }: GroupVersionKind): string => `${group}/${version}/${kind}`;
