// Problems of CRDs that the API server accepts but that do not do what they seem to: formats that are not validated, messages that are
// expressions, rules that never run or that only some versions have.

import { looksLikeExpression } from "@celadon/admission/resources";
import { knownFormat } from "@celadon/crd";
import { valuesAt } from "@celadon/kube";
import type { Manifest } from "@celadon/simulator/manifests";
import { type LintProblem, problem } from "../problem.ts";
import { type RuleNode, ruleNodes, type SchemaNode, schemaNodes } from "./schema-nodes.ts";

export function definitionProblems(manifest: Manifest): LintProblem[] {
  const nodes = schemaNodes(manifest.object);
  const rules = ruleNodes(nodes);
  return [
    ...formats(manifest, nodes),
    ...messages(manifest, rules),
    ...unserved(manifest, rules),
    ...differences(manifest, rules),
  ];
}

function formats(manifest: Manifest, nodes: readonly SchemaNode[]): LintProblem[] {
  return nodes.flatMap(({ path, schema: { type, format } }) => {
    if (typeof format !== "string" || format === "" || isKnown(type, format)) return [];
    return [
      problem("unknown_format", manifest, [...path, "format"], `unrecognized format ${JSON.stringify(format)}`, {
        help: "use a pattern or a rule; API servers do not check this format",
      }),
    ];
  });
}

const isKnown = (type: unknown, format: string): boolean =>
  knownFormat(typeof type === "string" ? type : undefined, format);

const RULE_NAMES: ReadonlySet<string> = new Set(["self", "oldSelf"]);

function messages(manifest: Manifest, rules: readonly RuleNode[]): LintProblem[] {
  return rules.flatMap(({ rule, rulePath }) => {
    const { message, messageExpression = "" } = rule;
    if (typeof message !== "string" || messageExpression !== "" || !looksLikeExpression(message, RULE_NAMES)) return [];
    const text = "the message looks like an expression, but is shown as written";
    const help = "use messageExpression instead of message";
    return [problem("message_is_expression", manifest, [...rulePath, "message"], text, { help })];
  });
}

interface Version {
  readonly index: number;
  readonly name: string;
  readonly served: boolean;
}

function versionsOf({ object }: Manifest): readonly Version[] {
  return valuesAt(object, ["spec", "versions", "*"]).map(({ value }, index) => {
    const { name, served } = Object(value) as { name?: unknown; served?: unknown };
    return { index, name: String(name ?? ""), served: served === true };
  });
}

function unserved(manifest: Manifest, rules: readonly RuleNode[]): LintProblem[] {
  return versionsOf(manifest).flatMap(({ index, name, served }) => {
    const own = rules.filter(({ version }) => version === index);
    if (served || own.length === 0) return [];
    const message = `version ${name} is not served, so its ${count(own.length)} ${own.length === 1 ? "is" : "are"} never evaluated`;
    return [problem("rule_never_runs", manifest, ["spec", "versions", index, "served"], message)];
  });
}

/** Rules are known by the field they stand at and their text. */
const keyOf = ({ inside, rule }: RuleNode): string => JSON.stringify([inside, rule.rule]);

function differences(manifest: Manifest, rules: readonly RuleNode[]): LintProblem[] {
  const served = versionsOf(manifest).filter((version) => version.served);
  const byVersion = served.map((version) => ({
    ...version,
    rules: new Map(rules.filter((rule) => rule.version === version.index).map((rule) => [keyOf(rule), rule])),
  }));
  const [most] = [...byVersion].sort((a, b) => b.rules.size - a.rules.size);
  if (most === undefined) return [];
  return byVersion.flatMap(({ index, name, rules: own }) => {
    const missing = [...most.rules].filter(([key]) => !own.has(key)).map(([, node]) => node);
    if (missing.length === 0) return [];
    const message = `version ${name} has ${count(own.size)} and lacks ${missing.length} of the ${count(most.rules.size)} of ${most.name}, so objects that ${most.name} rejects can be written through ${name}`;
    const related = missing.slice(0, SHOWN).map(({ rulePath }) => ({
      message: `only in ${most.name}`,
      manifest,
      path: [...rulePath, "rule"],
    }));
    return [problem("rules_differ_by_version", manifest, ["spec", "versions", index, "name"], message, { related })];
  });
}

const SHOWN = 3;

const count = (rules: number): string => `${rules} ${rules === 1 ? "rule" : "rules"}`;
