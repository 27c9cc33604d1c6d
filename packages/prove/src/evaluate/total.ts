// Functions that never fail for arguments of their types, and those that fail for some.

import { isError } from "@celadon/cel";
import type { CallStep } from "@celadon/cel/plan";
import type { Symbolic } from "../path/symbolic.ts";
import { applyTo } from "./apply.ts";

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** For any arguments of their types. */
const TOTAL: ReadonlySet<string> = words(
  [
    "split trim replace lowerAscii upperAscii reverse distinct isQuantity isSemver isIP isCIDR isURL",
    "family isLoopback isUnspecified isGlobalUnicast isLinkLocalUnicast isLinkLocalMulticast prefixLength masked",
    "getScheme getHost getHostname getPort getEscapedPath getQuery isGreaterThan isLessThan compareTo sign major minor patch",
    "group resource subresource namespace name check fieldSelector labelSelector allowed reason error errored",
    "sets.contains sets.equivalent sets.intersects validate format.named startsWith endsWith contains type",
    "asApproximateFloat isInteger hasValue optional.ofNonZeroValue",
  ].join(" "),
);

/** Unless an offset or a time zone is given, which may not exist. */
const WITHOUT_LAST: ReadonlyMap<string, number> = new Map([
  ["indexOf", 2],
  ["lastIndexOf", 2],
  ...[
    ..."getSeconds getMinutes getHours getDate getDayOfWeek getDayOfMonth getDayOfYear getFullYear getMonth getMilliseconds".split(
      " ",
    ),
  ].map((name): [string, number] => [name, 1]),
]);

/** With a pattern that is one. */
const WITH_PATTERN: ReadonlySet<string> = words("matches find findAll");

/** Whether a call cannot fail, whatever the open arguments are; their kinds are known to fit. */
export function neverFailsOn(step: CallStep, args: readonly Symbolic[]): boolean {
  const { name } = step;
  if (WITHOUT_LAST.has(name)) return args.length === WITHOUT_LAST.get(name);
  if (WITH_PATTERN.has(name)) return args[1]?.is === "value" && !isError(applyTo(step, ["", ...rest(args)]));
  if (name === "path") return args[1]?.is === "value" && args[1].value !== "";
  return TOTAL.has(name);
}

function rest(args: readonly Symbolic[]): unknown[] {
  return args.slice(1).map((arg) => (arg.is === "value" ? arg.value : 0));
}
