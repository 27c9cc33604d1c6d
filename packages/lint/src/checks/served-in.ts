// The minors that serve a version of a kind and know its fields, with default flags.

import { type JsonPath, valueAt } from "@celadon/base";
import { apiVersionOf, gvkOf, valuesAt } from "@celadon/kube";
import { compareMinors, type Minor } from "@celadon/kube-cel";
import { AUTHENTICATION_CONFIGURATION, AUTHORIZATION_CONFIGURATION } from "@celadon/kube-cel/access";
import type { AcceptedSetUp } from "@celadon/simulator";
import type { Manifest } from "@celadon/simulator/manifests";
import { type LintProblem, problem } from "../problem.ts";
import { minorsText } from "./server-problems.ts";

/**
 * The first minor that serves a version unasked. No version with CEL serves the others: v1alpha1 and v1beta1 of policies were never served
 * by default, and those of webhooks and definitions had gone before.
 */
const VERSIONS: ReadonlyMap<string, Minor> = new Map([
  ["ValidatingAdmissionPolicy v1", "1.30"],
  ["ValidatingAdmissionPolicyBinding v1", "1.30"],
  ["MutatingAdmissionPolicy v1", "1.36"],
  ["MutatingAdmissionPolicyBinding v1", "1.36"],
  ["ValidatingWebhookConfiguration v1", "1.16"],
  ["MutatingWebhookConfiguration v1", "1.16"],
  ["CustomResourceDefinition v1", "1.16"],
  ...[AUTHENTICATION_CONFIGURATION, AUTHORIZATION_CONFIGURATION].flatMap(({ kind, since }) =>
    Object.entries(since).map(([version, minor]) => [`${kind} ${version}`, minor] as const),
  ),
]);

/** Fields that came later than their kind; an older server drops them. */
const WEBHOOK_FIELDS: readonly (readonly [pattern: string, since: Minor])[] = [["webhooks.*.matchConditions", "1.28"]];
const DEFINITION_FIELDS: readonly (readonly [pattern: string, since: Minor])[] = [
  ["spec.versions.*.selectableFields", "1.31"],
];
/** The fields of a rule. */
const RULE_FIELDS: readonly (readonly [name: string, since: Minor])[] = [
  ["rule", "1.25"],
  ["messageExpression", "1.27"],
  ["reason", "1.28"],
  ["fieldPath", "1.28"],
  ["optionalOldSelf", "1.30"],
];

export function servedProblems(
  manifest: Manifest,
  { role }: AcceptedSetUp,
  minors: readonly Minor[],
  rules: readonly JsonPath[],
): LintProblem[] {
  const { object } = manifest;
  const { kind, version } = gvkOf(object);
  if (role === "certificatePolicy") return [];
  const served = VERSIONS.get(`${kind} ${version}`);
  const without = minors.filter((minor) => served === undefined || compareMinors(minor, served) < 0);
  if (without.length > 0) {
    const help = served !== undefined ? `${apiVersionOf(gvkOf(object))} is served from ${served} on` : "use v1";
    const message = `${minorsText(without)} ${without.length === 1 ? "does" : "do"} not serve ${kind} in ${version}`;
    return [problem("not_served", manifest, ["apiVersion"], message, { help })];
  }
  const fields = role === "webhooks" ? WEBHOOK_FIELDS : role === "definition" ? DEFINITION_FIELDS : [];
  const found = fields.flatMap(([pattern, since]) =>
    valuesAt(object, pattern.split(".")).flatMap(({ path }) => late(manifest, path, since, minors)),
  );
  const inRules = rules.flatMap((path) =>
    RULE_FIELDS.flatMap(([name, since]) => {
      const at = [...path, name];
      return valueAt(object, at) === undefined ? [] : late(manifest, at, since, minors);
    }),
  );
  return [...found, ...inRules];
}

function late(manifest: Manifest, path: JsonPath, since: Minor, minors: readonly Minor[]): LintProblem[] {
  const before = minors.filter((minor) => compareMinors(minor, since) < 0);
  if (before.length === 0) return [];
  const message = `${minorsText(before)} ${before.length === 1 ? "drops" : "drop"} the field "${String(path.at(-1))}"`;
  const help = `${since} and later accept it`;
  return [problem("not_in_minor", manifest, path, message, { key: true, help })];
}
