// Every expression of the inputs with its estimated cost, its measured cost on the given objects, and the versions of Kubernetes
// that reject it.

import { createSchemas, type Schemas } from "@celadon/admission/memory";
import { estimateExpressions } from "@celadon/admission/resources";
import { type JsonPath, pushAll, valueAt } from "@celadon/base";
import { RULE_COST_LIMIT } from "@celadon/certpolicy";
import { type CustomResourceDefinition, validateDefinition } from "@celadon/crd";
import type { RuleCost } from "@celadon/crd/rules";
import { type KubeObject, nameOf } from "@celadon/kube";
import type { FieldError, FieldPath } from "@celadon/kube/errors";
import {
  CURRENT,
  compareMinors,
  type Minor,
  PerCallLimit,
  RuntimeCELCostBudget,
  RuntimeCELCostBudgetMatchConditions,
  StaticEstimatedCostLimit,
  StaticEstimatedCRDCostLimit,
} from "@celadon/kube-cel";
import { type AcceptedSetUp, acceptSetUp } from "@celadon/simulator";
import { expressionsIn, type Manifest } from "@celadon/simulator/manifests";
import { CostHelp, fieldName } from "../help/cost-help.ts";
import type { CostRow, RowEstimate } from "./cost-row.ts";
import type { Measurements } from "./measurements.ts";

/** Every expression of the manifests, and every group of them that shares a budget. */
export async function costRows<S>(
  manifests: readonly Manifest[],
  minors: readonly Minor[],
  measurements: Measurements<S>,
): Promise<CostRow<S>[]> {
  const newest = minors.toSorted(compareMinors).at(-1) ?? CURRENT;
  const accepted = manifests.flatMap((manifest) => {
    const answer = acceptSetUp(manifest.object, { kubeVersion: newest });
    return answer === undefined ? [] : [{ manifest, answer }];
  });
  const definitions = accepted.flatMap(({ manifest, answer }): KubeObject[] =>
    answer.role === "definition" && answer.status === undefined ? [manifest.object] : [],
  );
  const schemas = createSchemas({ definitions });
  const rows: CostRow<S>[] = [];
  for (const { manifest, answer } of accepted) {
    const estimates = await estimatesOf(answer, schemas, newest);
    pushAll(rows, resourceRows({ manifest, accepted: answer, newest, minors, measurements, estimates }));
  }
  return rows;
}

interface Looking<S> {
  readonly manifest: Manifest;
  readonly accepted: AcceptedSetUp;
  /** The minor whose answer `accepted` is. */
  readonly newest: Minor;
  readonly minors: readonly Minor[];
  readonly measurements: Measurements<S>;
  readonly estimates: Estimates;
}

/** Estimates by the path of their expression. */
class Estimates {
  readonly #found = new Map<string, { readonly path: JsonPath; readonly estimate: RowEstimate }>();

  add(path: JsonPath, estimate: RowEstimate): void {
    this.#found.set(keyOf(path), { path, estimate });
  }

  at(path: JsonPath): RowEstimate | undefined {
    return this.#found.get(keyOf(path))?.estimate;
  }

  below(path: JsonPath): readonly RowEstimate[] {
    return [...this.#found.values()]
      .filter((found) => path.every((step, i) => found.path[i] === step))
      .map(({ estimate }) => estimate);
  }
}

function resourceRows<S>(looking: Looking<S>): CostRow<S>[] {
  const { manifest, accepted, newest, minors, measurements, estimates } = looking;
  const { object } = manifest;
  const [kind, name] = [String(object.kind), nameOf(object)];
  const refusals = new Refusals(manifest, accepted, newest, minors);
  const help = new CostHelp(manifest, accepted);
  const rows = expressionsIn(object).map(({ path, text }): CostRow<S> => {
    const { refused, tooCostly } = refusals.of(path);
    const [measured, estimate] = [measurements.of(kind, name, path), estimates.at(path)];
    return {
      manifest,
      path,
      what: whatOf(object, path),
      expression: text,
      ...(estimate && { estimate }),
      ...(measured && { measured }),
      limit: accepted.role === "certificatePolicy" ? RULE_COST_LIMIT : PerCallLimit,
      refused,
      tooCostly,
      ...(tooCostly && help.of(path)),
    };
  });
  return [...rows, ...totals(looking, refusals, help)];
}

/** Groups that share a budget. */
function totals<S>(
  { manifest, accepted, measurements, estimates }: Looking<S>,
  refusals: Refusals,
  help: CostHelp,
): CostRow<S>[] {
  const { object } = manifest;
  const [kind, name] = [String(object.kind), nameOf(object)];
  const total = (path: JsonPath, what: string, limit: number, estimate?: RowEstimate, at = path): CostRow<S>[] => {
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
        ...(tooCostly && help.of(path)),
      },
    ];
  };
  switch (accepted.role) {
    case "policy":
      return [
        ...total(["spec", "matchConditions"], "all match conditions", RuntimeCELCostBudgetMatchConditions),
        ...total(["spec", "validations"], "all validations and messages", RuntimeCELCostBudget),
        ...total(["spec", "auditAnnotations"], "all audit annotations", RuntimeCELCostBudget),
      ];
    case "mutatingPolicy":
      return [
        ...total(["spec", "matchConditions"], "all match conditions", RuntimeCELCostBudgetMatchConditions),
        ...(accepted.resource?.spec.mutations ?? []).flatMap((_, i) =>
          total(["spec", "mutations", i], `mutation ${i} and its variables`, RuntimeCELCostBudget),
        ),
      ];
    case "webhooks":
      return (accepted.resource?.webhooks ?? []).flatMap(({ name: webhook }, i) => {
        const path = ["webhooks", i, "matchConditions"];
        return total(path, `all match conditions of ${webhook}`, RuntimeCELCostBudgetMatchConditions);
      });
    case "definition":
      return (accepted.resource?.spec.versions ?? []).flatMap(({ name: version = "" }, i) => {
        const path = ["spec", "versions", i, "schema", "openAPIV3Schema"];
        const own = estimates.below(path);
        const max = own.reduce((sum, { max, times }) => sum + max * times, 0n);
        const estimate = own.length === 0 ? undefined : { max, times: 1n, limit: StaticEstimatedCRDCostLimit };
        return total(path, `all rules of ${version}`, RuntimeCELCostBudget, estimate, ["spec", "versions", i]);
      });
    default:
      return [];
  }
}

async function estimatesOf(accepted: AcceptedSetUp, schemas: Schemas, minor: Minor): Promise<Estimates> {
  if (accepted.role === "definition" && accepted.resource !== undefined) return ruleEstimates(accepted.resource, minor);
  const found = new Estimates();
  if ((accepted.role !== "policy" && accepted.role !== "mutatingPolicy") || accepted.resource === undefined)
    return found;
  for (const { path, cost } of await estimateExpressions(accepted.resource, schemas, minor)) {
    const known = found.at(path);
    // The kind with which it may cost the most.
    if (known === undefined || known.max < cost.max) found.add(path, { min: cost.min, max: cost.max, times: 1n });
  }
  return found;
}

/** Estimates rules as the API server does; rules that all versions share are estimated once and are in each. */
function ruleEstimates(definition: CustomResourceDefinition, kubeVersion: Minor): Estimates {
  const found = new Estimates();
  const limit = StaticEstimatedCostLimit;
  const versions = definition.spec.versions ?? [];
  const add = (path: FieldPath, name: string, estimate: RowEstimate): void => {
    const [spec, list, own, ...inside] = path.steps;
    const isShared = path.writtenText() !== path.toString();
    for (const i of isShared ? versions.keys() : [own!]) {
      found.add([spec!, list!, i, ...inside, name], estimate);
    }
  };
  validateDefinition(definition, {
    kubeVersion,
    onCost: ({ path, cost, cardinality, rule }: RuleCost) => {
      add(path, "rule", { max: cost, times: cardinality, limit });
      if (rule.message) add(path, "messageExpression", { max: rule.messageMaxCost, times: 1n, limit });
    },
  });
  return found;
}

/** The estimates of a definition's rules by path, as `costRows` has them; undefined for other resources. */
export function definitionCosts(
  accepted: AcceptedSetUp,
  minor: Minor = CURRENT,
): ((path: JsonPath) => RowEstimate | undefined) | undefined {
  if (accepted.role !== "definition" || accepted.resource === undefined) return undefined;
  const estimates = ruleEstimates(accepted.resource, minor);
  return (path) => estimates.at(path);
}

interface Refusal {
  readonly refused: ReadonlyMap<Minor, string>;
  readonly tooCostly: boolean;
}

/** The minors that reject an expression, and whether for its cost. */
class Refusals {
  readonly #found = new Map<string, { readonly refused: Map<Minor, string>; tooCostly: boolean }>();

  constructor({ object }: Manifest, accepted: AcceptedSetUp, newest: Minor, minors: readonly Minor[]) {
    for (const minor of minors) {
      const answer = minor === newest ? accepted : acceptSetUp(object, { kubeVersion: minor });
      for (const error of answer?.errors ?? []) {
        const key = keyOf(error.expression?.steps ?? error.path.steps);
        const known = this.#found.get(key) ?? { refused: new Map(), tooCostly: false };
        // The first is the expression's own; the rest says that it counts in a sum.
        if (!known.refused.has(minor)) known.refused.set(minor, reasonOf(error));
        known.tooCostly ||= error.code === "cost_over_limit";
        this.#found.set(key, known);
      }
    }
  }

  of(path: JsonPath): Refusal {
    return this.#found.get(keyOf(path)) ?? { refused: new Map(), tooCostly: false };
  }
}

/** In one line. */
function reasonOf({ detail, expression }: FieldError): string {
  const [issue] = expression?.issues ?? [];
  const isWhole = issue === undefined || issue.code === "wrong_result_type" || issue.code === "invalid_constant";
  return isWhole ? detail.split("\n", 1)[0]! : `does not compile: ${issue.message}`;
}

/** A path as text that no two paths share. */
const keyOf = (path: JsonPath): string => JSON.stringify(path);

const textOf = (path: JsonPath): string =>
  path.reduce<string>((text, step) => (typeof step === "number" ? `${text}[${step}]` : `${text}.${step}`), "").slice(1);

/** `validations[0].expression`; of a rule the version and the field it stands at: `v1 spec.list[*]: rule 0`. */
function whatOf(object: KubeObject, path: JsonPath): string {
  const at = path.indexOf("x-kubernetes-validations");
  if (at === -1) return textOf(path[0] === "spec" ? path.slice(1) : path);
  const version = String(valueAt(object, [...path.slice(0, 3), "name"]) ?? "");
  const [index, field] = path.slice(at + 1);
  const what = field === "rule" ? `rule ${index}` : `rule ${index} ${field}`;
  return `${version} ${fieldName(path.slice(0, at))}: ${what}`;
}
