// The cost of an expression by the sizes that its schemas allow, beside its limit. Rules of definitions are estimated as the API server does
// it, with the sizes that a request can have; other expressions have no estimate of the server's own.

import type { JsonPath } from "@celadon/base";
import type { KubeObject } from "@celadon/kube";
import { PerCallLimit } from "@celadon/kube-cel";
import { definitionCosts, estimateTotal, type RowEstimate } from "@celadon/lint/costs";
import type { SimulatedCluster } from "@celadon/simulator";
import type { Site } from "../expression/sites.ts";

type Estimates = (path: JsonPath) => RowEstimate | undefined;

/** The estimates of definitions: a definition of many rules takes a while. */
const KNOWN = new WeakMap<KubeObject, Estimates>();

/** The API server's own estimate of a rule; undefined for other expressions. */
export function ruleCost(simulated: SimulatedCluster, object: KubeObject, path: JsonPath): LargestCost | undefined {
  if (object.kind !== "CustomResourceDefinition") return undefined;
  let estimates = KNOWN.get(object);
  if (estimates === undefined) {
    const accepted = simulated.accepted(object);
    estimates = (accepted && definitionCosts(accepted, simulated.options.kubeVersion)) ?? NOTHING;
    KNOWN.set(object, estimates);
  }
  const estimate = estimates(path);
  if (estimate?.limit === undefined) return undefined;
  return { cost: Number(estimateTotal(estimate)), limit: estimate.limit };
}

const NOTHING: Estimates = () => undefined;

/** The greatest cost of an expression, for all its evaluations, and the limit of that. */
export interface LargestCost {
  readonly cost: number;
  readonly limit: number;
}

/** As a sentence. */
export const ruleCostText = ({ cost, limit }: LargestCost): string =>
  `Estimated cost: up to ${grouped(cost)} for one object. The limit is ${grouped(limit)}.`;

/** Undefined where it does not compile. */
export function expressionCost({ views, system }: Site, text: string): string | undefined {
  const found = views.flatMap(({ env }) => {
    const read = env.checkText(text);
    return read.ok ? [env.estimate(read.checked)] : [];
  });
  if (found.length === 0) return undefined;
  const least = Math.min(...found.map(({ min }) => Number(min)));
  const most = Math.max(...found.map(({ max }) => Number(max)));
  const limit = system === "certificate" ? 1_000_000 : Number(PerCallLimit);
  const range =
    most === least ? `${least}` : `${least} to ${most >= Number.MAX_SAFE_INTEGER ? "unbounded" : grouped(most)}`;
  return `Estimated cost: ${range}. The limit for one evaluation is ${grouped(limit)}.`;
}

/** At most, over the kinds it may meet; undefined where it does not compile. */
export function largestCost({ views }: Site, text: string): LargestCost | undefined {
  const found = views.flatMap(({ env }) => {
    const read = env.checkText(text);
    return read.ok ? [Number(env.estimate(read.checked).max)] : [];
  });
  return found.length === 0 ? undefined : { cost: Math.max(...found), limit: Number(PerCallLimit) };
}

const grouped = (n: number): string => String(n).replace(/\B(?=(\d{3})+$)/g, ",");
