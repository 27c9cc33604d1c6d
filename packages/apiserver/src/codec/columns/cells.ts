// Cells of tables: how values read in a column, in the words people know from kubectl.

import { isRecord } from "@celadon/base";
import type { KubeObject } from "@celadon/kube";
import { Invalid } from "@celadon/kube/errors";
import { toLabelSelector } from "@celadon/kube/selectors";

export type Cell = (object: KubeObject, now: number) => unknown;
/** A priority above 0 is for `-o wide`. A cell without a name has no column: kube-apiserver writes one such. */
export type Column = readonly [name: string, cell: Cell, type?: string, priority?: number];
export type Fields = Readonly<Record<string, unknown>>;

export const NONE = "<none>";
export const UNSET = "<unset>";
const UNKNOWN = "<unknown>";

export const NAME: Column = ["Name", ({ metadata }) => metadata?.name ?? ""];
export const AGE: Column = [
  "Age",
  ({ metadata }, now) => ageOf((metadata?.creationTimestamp as string | null | undefined) ?? undefined, now),
];

/** Only for `-o wide`. */
export const wide = (name: string, cell: Cell, type = "string"): Column => [name, cell, type, 1];

/** The value at a dotted path. */
export function at(path: string, absent: unknown = ""): Cell {
  const steps = path.split(".");
  return (object) => {
    let value: unknown = object;
    for (const step of steps) value = (value as Fields | null | undefined)?.[step];
    return value ?? absent;
  };
}

/** The same where an empty text counts as absent. */
export const text = (path: string, absent: string): Cell => {
  const read = at(path);
  return (object, now) => read(object, now) || absent;
};

export const listAt = (object: KubeObject, path: string): readonly Fields[] => at(path, [])(object, 0) as Fields[];

export const sizeOf = (path: string): Cell => {
  const read = at(path, {});
  return (object, now) => Object.keys(read(object, now) as object).length;
};

export const flagAt = (path: string, absent: boolean): Cell => at(path, absent);

/** The names or images of a pod template's containers. */
export const containers =
  (template: string, field: "name" | "image"): Cell =>
  (object) =>
    listAt(object, `${template}.spec.containers`)
      .map((container) => container[field])
      .join(",");

/** The columns of a workload that only `-o wide` shows. */
export const workload = (template: string, selector?: Cell): readonly Column[] => [
  wide("Containers", containers(template, "name")),
  wide("Images", containers(template, "image")),
  ...(selector === undefined ? [] : [wide("Selector", selector)]),
];

/** Labels as `a=b,c=d`. */
export const labels = (path: string): Cell => {
  const read = at(path, {});
  return (object, now) => {
    const entries = Object.entries(read(object, now) as Record<string, string>);
    return entries.length === 0 ? NONE : entries.map(([key, value]) => `${key}=${value}`).join(",");
  };
};

/** A label selector as clients write it. */
export const selector = (path: string): Cell => {
  const read = at(path, null);
  return (object, now) => selectorText(read(object, now)) || NONE;
};

/** Empty for a selector of everything. */
export function selectorText(value: unknown): string {
  if (!isRecord(value)) return "";
  const read = toLabelSelector(value as never);
  return read instanceof Invalid ? "<error>" : read.toString();
}

export const isCondition = (object: KubeObject, type: string): boolean =>
  listAt(object, "status.conditions").some((condition) => condition.type === type && condition.status === "True");

/** At most so many items, and how many more there are. */
export function firstOf(items: readonly unknown[], most: number, absent: string): string {
  if (items.length === 0) return absent;
  const shown = items.slice(0, most).join(",");
  return items.length > most ? `${shown} + ${items.length - most} more...` : shown;
}

/** Addresses of load balancers, each once. */
export const balancers = (object: KubeObject): string =>
  [...new Set(listAt(object, "status.loadBalancer.ingress").map(({ ip, hostname }) => ip || hostname || ""))]
    .filter((address) => address !== "")
    .sort()
    .join(",");

/** The age, as kubectl shortens durations. */
export function ageOf(time: string | undefined, now: number): string {
  if (time === undefined || time === "") return UNKNOWN;
  const then = Date.parse(time);
  return Number.isNaN(then) ? "<invalid>" : durationText((now - then) / 1000);
}

/** `45s`, `3m20s`, `5h2m`, `12d`. */
export function durationText(exact: number): string {
  if (exact < -1) return "<invalid>";
  const seconds = Math.max(0, Math.floor(exact));
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const days = Math.floor(hours / 24);
  if (seconds < 120) return `${seconds}s`;
  if (minutes < 10) return withRest(minutes, "m", seconds % 60, "s");
  if (minutes < 180) return `${minutes}m`;
  if (hours < 8) return withRest(hours, "h", minutes % 60, "m");
  if (hours < 48) return `${hours}h`;
  if (hours < 192) return withRest(days, "d", hours % 24, "h");
  if (days < 730) return `${days}d`;
  const years = Math.floor(days / 365);
  return years < 8 ? withRest(years, "y", days % 365, "d") : `${years}y`;
}

const withRest = (whole: number, unit: string, rest: number, lesser: string): string =>
  rest === 0 ? `${whole}${unit}` : `${whole}${unit}${rest}${lesser}`;
