// The costs of expressions, as bars: the estimate if the API server makes one, otherwise the cost of the present request, and the versions
// of Kubernetes that accept the expression.

import { nameOf } from "@celadon/kube";
import { CURRENT, compareMinors, FIRST, type Minor, minorsBetween, PerCallLimit } from "@celadon/kube-cel";
import { type CostRow, costRows, estimateTotal, shareOf } from "@celadon/lint/costs";
import { Evaluator } from "@celadon/simulator";
import type { Cost } from "../model/answer.ts";
import { EXTRA_VARIABLES, expressionVariables } from "./expression-review.ts";
import type { LastReview, Session } from "./session.ts";

const MINORS: readonly Minor[] = minorsBetween(FIRST, CURRENT);

/** The first versions of Kubernetes that had expressions in these at all. */
const SINCE: Readonly<Record<string, Minor>> = {
  ValidatingAdmissionPolicy: "1.26",
  ValidatingWebhookConfiguration: "1.27",
  MutatingWebhookConfiguration: "1.27",
  MutatingAdmissionPolicy: "1.32",
};

export async function costsOf(session: Session, { measurements }: LastReview): Promise<readonly Cost[]> {
  if (session.mode === "cel") return expressionCost(session);
  const manifests = session.texts.manifests("policy");
  const rows = await costRows(manifests, MINORS, measurements);
  return rows.map((row) => costOf(row, session));
}

function costOf(row: CostRow<string>, session: Session): Cost {
  const { manifest, path, what, expression, estimate, measured, limit, refused, tooCostly, help } = row;
  const share = shareOf(row);
  const spot = session.texts.spotOf(manifest, path);
  const estimated = estimate?.limit === undefined ? undefined : estimateTotal(estimate);
  const byEstimate = estimated !== undefined && Number(estimated) / estimate!.limit! >= (measured?.max ?? 0) / limit;
  const text = byEstimate
    ? `up to ${number(estimated)} of ${number(estimate!.limit!)} (estimated)`
    : measured !== undefined
      ? `${number(measured.max)} of ${number(limit)}`
      : estimate !== undefined
        ? `up to ${number(estimate.max)}; not evaluated`
        : "not evaluated";
  return {
    what,
    resource: `${String(manifest.object.kind)} ${nameOf(manifest.object)}`,
    text,
    ...(share !== undefined && { share }),
    isTotal: expression === "",
    tone: tooCostly || (share ?? 0) > 100 ? "bad" : (share ?? 0) > 50 ? "warn" : "good",
    ...acceptance(refused, SINCE[String(manifest.object.kind)]),
    ...(help !== undefined && { help }),
    spots: spot === undefined ? [] : [spot],
  };
}

function expressionCost(session: Session): readonly Cost[] {
  const text = session.texts.text("policy");
  if (text.trim() === "") return [];
  const refused = new Map<Minor, string>();
  const variables = expressionVariables(session);
  let cost: number | undefined;
  for (const minor of MINORS) {
    const evaluated = new Evaluator(minor, {}, EXTRA_VARIABLES).evaluate(text, variables);
    if ("compileError" in evaluated) refused.set(minor, evaluated.issues[0]?.message ?? evaluated.compileError);
    else if (minor === (session.kubeVersion ?? CURRENT)) cost = evaluated.cost;
  }
  const share = cost === undefined ? undefined : (cost / PerCallLimit) * 100;
  return [
    {
      what: "expression",
      resource: "CEL",
      text: cost === undefined ? "not evaluated" : `${number(cost)} of ${number(PerCallLimit)}`,
      ...(share !== undefined && { share }),
      isTotal: false,
      tone: (share ?? 0) > 100 ? "bad" : "good",
      ...acceptance(refused),
      spots: [{ text: "policy", from: 0, to: text.length }],
    },
  ];
}

/** Versions as ranges: those that accept it, and the reasons of the others. */
function acceptance(refused: ReadonlyMap<Minor, string>, since: Minor = FIRST): Pick<Cost, "accepted" | "refused"> {
  const minors = MINORS.filter((minor) => compareMinors(minor, since) >= 0);
  const accepted = minors.filter((minor) => !refused.has(minor));
  const reasons = new Map<string, Minor[]>();
  for (const [minor, reason] of refused) {
    if (minors.includes(minor)) reasons.set(reason, [...(reasons.get(reason) ?? []), minor]);
  }
  return {
    accepted: rangesText(accepted),
    refused: [...reasons].map(([reason, minors]) => `${rangesText(minors)}: ${reason}`),
  };
}

function rangesText(minors: readonly Minor[]): string {
  const runs: Minor[][] = [];
  for (const minor of minors) {
    const run = runs.at(-1);
    if (run !== undefined && MINORS.indexOf(minor) === MINORS.indexOf(run.at(-1)!) + 1) run.push(minor);
    else runs.push([minor]);
  }
  return runs.map((run) => (run.length === 1 ? run[0] : `${run[0]} – ${run.at(-1)}`)).join(", ");
}

const number = (value: number | bigint): string => value.toLocaleString("en");
