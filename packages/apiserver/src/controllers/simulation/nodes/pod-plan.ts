// The life of a simulated pod, by its annotations. Pods of Jobs end at once with success, others run until they are deleted.

import type { Pod } from "@celadon/kube/api/core-v1";
import { controllerOf, metaOf } from "../frame/stand-in.ts";

const PREFIX = "simulation.celadon.dev/";
/** The time from the start of a pod until it is ready: `5s`; `never`. */
const READY_AFTER = `${PREFIX}ready-after`;
/** The time from the start of its containers until they end: `500ms`; `never`. */
const EXIT_AFTER = `${PREFIX}exit-after`;
/** The exit code of its containers: `0`. */
const EXIT_CODE = `${PREFIX}exit-code`;
/** The time that a deleted pod takes to stop, at most its grace period. */
const STOP_AFTER = `${PREFIX}stop-after`;
/** The pod's address, where something else answers for it. */
const ADDRESS = `${PREFIX}address`;

export interface PodPlan {
  readonly readyAfterMs: number;
  readonly exitAfterMs: number;
  readonly exitCode: number;
  readonly stopAfterMs: number;
  readonly address: string | undefined;
}

export function planOf(pod: Pod): PodPlan {
  const annotations = (metaOf(pod).annotations ?? {}) as Readonly<Record<string, string>>;
  const isOfJob = controllerOf(pod)?.kind === "Job";
  const code = Number(annotations[EXIT_CODE] ?? 0);
  // A pod with an exit code does end.
  const isEnding = isOfJob || annotations[EXIT_CODE] !== undefined;
  return {
    readyAfterMs: durationOf(annotations[READY_AFTER], 0),
    exitAfterMs: durationOf(annotations[EXIT_AFTER], isEnding ? 0 : Number.POSITIVE_INFINITY),
    exitCode: Number.isInteger(code) && code >= 0 && code < 256 ? code : 1,
    stopAfterMs: durationOf(annotations[STOP_AFTER], 0),
    address: annotations[ADDRESS],
  };
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** `1m30s` in milliseconds; the fallback for anything else. */
function durationOf(text: string | undefined, fallback: number): number {
  if (text === "never") return Number.POSITIVE_INFINITY;
  if (text === undefined || !/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(text)) return fallback;
  let sum = 0;
  for (const [, number, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)) sum += Number(number) * UNITS[unit!]!;
  return sum;
}
