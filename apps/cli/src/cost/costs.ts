// Every expression of the inputs with what it may cost, what it did cost on the objects given, and the minors that refuse it.

import { createSchemas, type Schemas } from "@celadon/admission/memory";
import { estimateExpressions } from "@celadon/admission/resources";
import { RULE_COST_LIMIT } from "@celadon/certpolicy";
import { type CustomResourceDefinition, type RuleCost, validateDefinition } from "@celadon/crd";
import { fieldPath, type KubeObject, nameOf } from "@celadon/kube";
import {
  CURRENT,
  type Minor,
  PerCallLimit,
  RuntimeCELCostBudget,
  RuntimeCELCostBudgetMatchConditions,
  StaticEstimatedCostLimit,
  StaticEstimatedCRDCostLimit,
} from "@celadon/kube-cel";
import { fieldPathIn, type Manifest, valueAt } from "@celadon/simulator";
import { expressionsIn } from "../fmt/expressions.ts";
import { CostHelp, fieldName } from "../lint/cost-help.ts";
import { writtenField } from "../lint/hoisted.ts";
import { type Judged, judge } from "../lint/judge.ts";
import type { Path } from "../lint/problem.ts";
import type { Measurements } from "./measure.ts";
import type { CostRow, Estimate } from "./row.ts";

export async function costRows(
  manifests: readonly Manifest[],
  minors: readonly Minor[],
  measurements: Measurements,
): Promise<CostRow[]> {
  const judged = manifests.flatMap((manifest) => {
    const answer = judge(manifest.object);
    return answer === undefined ? [] : [{ manifest, answer }];
  });
  const definitions = judged.flatMap(({ manifest, answer }): KubeObject[] =>
    answer.role === "definition" && answer.errors.length === 0 && answer.resource ? [manifest.object] : [],
  );
  const schemas = createSchemas({ definitions });
  const rows: CostRow[] = [];
  for (const { manifest, answer } of judged) {
    const estimates = await estimatesOf(manifest, answer, schemas);
    rows.push(...resourceRows({ manifest, judged: answer, minors, measurements, estimates }));
  }
  return rows;
}

interface Looking {
  readonly manifest: Manifest;
  readonly judged: Judged;
  readonly minors: readonly Minor[];
  readonly measurements: Measurements;
  /** By the path of the expression. */
  readonly estimates: ReadonlyMap<string, Estimate>;
}

function resourceRows(looking: Looking): CostRow[] {
  const { manifest, judged, minors, measurements, estimates } = looking;
  const { object } = manifest;
  const [kind, name] = [String(object.kind), nameOf(object)];
  const refusals = new Refusals(manifest, judged, minors);
  const help = new CostHelp(manifest, judged);
  const rows = expressionsIn(object).map(({ path, text }): CostRow => {
    const field = textOf(path);
    const { refused, tooCostly } = refusals.of(path);
    const [measured, estimate] = [measurements.of(kind, name, path), estimates.get(field)];
    return {
      manifest,
      path,
      what: whatOf(object, path),
      expression: text,
      ...(estimate && { estimate }),
      ...(measured && { measured }),
      limit: judged.role === "certificatePolicy" ? RULE_COST_LIMIT : PerCallLimit,
      refused,
      tooCostly,
      ...(tooCostly && help.of(schemaField(path))),
    };
  });
  return [...rows, ...totals(looking, refusals, help)];
}

/** Groups that share a budget. */
function totals({ manifest, judged, measurements, estimates }: Looking, refusals: Refusals, help: CostHelp): CostRow[] {
  const { object } = manifest;
  const [kind, name] = [String(object.kind), nameOf(object)];
  const total = (path: Path, what: string, limit: number, estimate?: Estimate, at = path): CostRow[] => {
    const measured = measurements.of(kind, name, at);
    if (measured === undefined && estimate === undefined) return [];
    const { refused, tooCostly } = refusals.of(path);
    return [
      {
        manifest,
        path,
        what,
        expression: "",
        ...(estimate && { estimate }),
        ...(measured && { measured }),
        limit,
        refused,
        tooCostly,
        ...(tooCostly && help.of(schemaField(path))),
      },
    ];
  };
  switch (judged.role) {
    case "policy":
      return [
        ...total(["spec", "matchConditions"], "all match conditions", RuntimeCELCostBudgetMatchConditions),
        ...total(["spec", "validations"], "all validations and messages", RuntimeCELCostBudget),
        ...total(["spec", "auditAnnotations"], "all audit annotations", RuntimeCELCostBudget),
      ];
    case "webhooks":
      return (judged.resource?.webhooks ?? []).flatMap(({ name: webhook }, i) => {
        const path = ["webhooks", i, "matchConditions"];
        return total(path, `all match conditions of ${webhook}`, RuntimeCELCostBudgetMatchConditions);
      });
    case "definition":
      return (judged.resource?.spec.versions ?? []).flatMap(({ name: version = "" }, i) => {
        const path = ["spec", "versions", i, "schema", "openAPIV3Schema"];
        const start = textOf(path);
        const own = [...estimates].filter(([field]) => field.startsWith(`${start}.`) || field.startsWith(`${start}[`));
        const max = own.reduce((sum, [, one]) => sum + one.max * one.times, 0n);
        const estimate = own.length === 0 ? undefined : { max, times: 1n, limit: StaticEstimatedCRDCostLimit };
        return total(path, `all rules of ${version}`, RuntimeCELCostBudget, estimate, ["spec", "versions", i]);
      });
    default:
      return [];
  }
}

async function estimatesOf(manifest: Manifest, judged: Judged, schemas: Schemas): Promise<Map<string, Estimate>> {
  if (judged.role === "definition" && judged.resource !== undefined) return ruleEstimates(manifest, judged.resource);
  const found = new Map<string, Estimate>();
  if (judged.role !== "policy" || judged.resource === undefined) return found;
  for (const { path, cost } of await estimateExpressions(judged.resource, schemas)) {
    const field = textOf(path);
    const known = found.get(field);
    // The kind with which it may cost the most.
    if (known === undefined || known.max < cost.max) found.set(field, { min: cost.min, max: cost.max, times: 1n });
  }
  return found;
}

/** As the API server estimates rules; rules that all versions share stand in each. */
function ruleEstimates({ object }: Manifest, definition: CustomResourceDefinition): Map<string, Estimate> {
  const found = new Map<string, Estimate>();
  const limit = StaticEstimatedCostLimit;
  const versions = definition.spec.versions ?? [];
  const add = (field: string, name: string, estimate: Estimate): void => {
    const shared = /^spec\.validation\./.test(field);
    for (const i of shared ? versions.keys() : [0]) {
      const written = shared ? field.replace("spec.validation", `spec.versions[${i}].schema`) : field;
      found.set(textOf([...fieldPathIn(written, object), name]), estimate);
    }
  };
  validateDefinition(definition, {
    onCost: ({ path, cost, cardinality, rule }: RuleCost) => {
      add(path, "rule", { max: cost, times: cardinality, limit });
      if (rule.message) add(path, "messageExpression", { max: rule.messageMaxCost, times: 1n, limit });
    },
  });
  return found;
}

const COST = /exceeds budget by factor|exceeding cost limit/;

interface Refusal {
  readonly refused: ReadonlyMap<Minor, string>;
  readonly tooCostly: boolean;
}

/** Which minors refuse an expression, and whether for what it costs. */
class Refusals {
  readonly #found = new Map<string, { readonly refused: Map<Minor, string>; tooCostly: boolean }>();

  constructor({ object }: Manifest, current: Judged, minors: readonly Minor[]) {
    for (const minor of minors) {
      const answer = minor === CURRENT ? current : judge(object, minor);
      for (const { path: at, detail } of answer?.errors ?? []) {
        const path = fieldPathIn(writtenField(at.toString()), object);
        const entry = valueAt(object, [...path, "rule"]);
        const key = textOf(typeof entry === "string" ? [...path, "rule"] : path);
        const known = this.#found.get(key) ?? { refused: new Map(), tooCostly: false };
        // The first is the expression's own; what follows says that it counts in a sum.
        if (!known.refused.has(minor)) known.refused.set(minor, plainText(detail));
        known.tooCostly ||= COST.test(detail);
        this.#found.set(key, known);
      }
    }
  }

  of(path: Path): Refusal {
    return this.#found.get(textOf(path)) ?? { refused: new Map(), tooCostly: false };
  }
}

/** The first line, without what places an issue in the expression. */
function plainText(detail: string): string {
  return detail.split("\n", 1)[0]!.replace(/^.*?ERROR: <input>:-?\d+:\d+: /, "does not compile: ");
}

/** A path as text that no two paths share. */
const textOf = (path: Path): string =>
  path.reduce<string>((text, step) => (typeof step === "number" ? `${text}[${step}]` : `${text}.${step}`), "").slice(1);

/** As explanations of costs name it: properties in brackets. */
function schemaField(path: Path): string {
  let field = fieldPath(String(path[0] ?? ""));
  path.slice(1).forEach((step, i) => {
    const isProperty = path[i] === "properties";
    field = typeof step === "number" ? field.index(step) : isProperty ? field.key(step) : field.child(step);
  });
  return field.toString();
}

/** `validations[0].expression`; of a rule the version and the field it stands at: `v1 spec.list[*]: rule 0`. */
function whatOf(object: KubeObject, path: Path): string {
  const at = path.indexOf("x-kubernetes-validations");
  if (at === -1) return textOf(path[0] === "spec" ? path.slice(1) : path);
  const version = String(valueAt(object, [...path.slice(0, 3), "name"]) ?? "");
  const [index, field] = path.slice(at + 1);
  const what = field === "rule" ? `rule ${index}` : `rule ${index} ${field}`;
  return `${version} ${fieldName(schemaField(path.slice(0, at)))}: ${what}`;
}
