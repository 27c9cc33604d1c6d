// The cost of an expression by the sizes that its schemas allow, beside the limits of one evaluation.

import { PerCallLimit } from "@celadon/kube-cel";
import type { Site } from "../expression/sites.ts";

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
export function largestCost({ views }: Site, text: string): number | undefined {
  const found = views.flatMap(({ env }) => {
    const read = env.checkText(text);
    return read.ok ? [Number(env.estimate(read.checked).max)] : [];
  });
  return found.length === 0 ? undefined : Math.max(...found);
}

const grouped = (n: number): string => String(n).replace(/\B(?=(\d{3})+$)/g, ",");
