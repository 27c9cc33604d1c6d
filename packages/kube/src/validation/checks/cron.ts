// Schedules as robfig/cron reads them, with its complaints, and names of time zones.

interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const FIELDS: readonly Bounds[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: MONTHS },
  { min: 0, max: 6, names: DAYS },
];
const DESCRIPTORS = new Set(["@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"]);
const EVERY = "@every ";
const SPACE = /[\t\n\v\f\r \u0085\u00a0]+/u;

/** The problem of a schedule. */
import { quoteGo } from "@celadon/base";
export function scheduleProblem(schedule: string): string | undefined {
  let spec = schedule;
  if (/^(CRON_)?TZ=/.test(spec)) {
    const end = spec.indexOf(" ");
    const start = spec.indexOf("=") + 1;
    if (end < 0) return `invalid schedule format: runtime error: slice bounds out of range [:-1]`;
    const zone = spec.slice(start, end);
    if (!isTimeZone(zone)) return `provided bad location ${zone}: unknown time zone ${zone}`;
    spec = spec.slice(end).trim();
  }
  if (spec.startsWith("@")) return descriptorProblem(spec);
  const fields = spec.split(SPACE).filter((field) => field !== "");
  if (fields.length !== FIELDS.length) {
    return `expected exactly ${FIELDS.length} fields, found ${fields.length}: [${fields.join(" ")}]`;
  }
  for (const [i, field] of fields.entries()) {
    for (const expr of field.split(",").filter((part) => part !== "")) {
      const problem = rangeProblem(expr, FIELDS[i]!);
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
}

function descriptorProblem(text: string): string | undefined {
  if (DESCRIPTORS.has(text)) return undefined;
  if (!text.startsWith(EVERY)) return `unrecognized descriptor: ${text}`;
  const problem = durationProblem(text.slice(EVERY.length));
  return problem && `failed to parse duration ${text}: ${problem}`;
}

function rangeProblem(expr: string, bounds: Bounds): string | undefined {
  const [range = "", ...steps] = expr.split("/");
  const parts = range.split("-");
  let [start, end, step] = [bounds.min, bounds.max, 1];
  if (parts[0] !== "*" && parts[0] !== "?") {
    const low = numberOf(parts[0]!, bounds.names);
    if (typeof low === "string") return low;
    if (parts.length > 2) return `too many hyphens: ${expr}`;
    const high = parts.length === 2 ? numberOf(parts[1]!, bounds.names) : low;
    if (typeof high === "string") return high;
    [start, end] = [low, high];
  }
  if (steps.length > 1) return `too many slashes: ${expr}`;
  if (steps.length === 1) {
    const read = numberOf(steps[0]!);
    if (typeof read === "string") return read;
    step = read;
    if (parts.length === 1) end = bounds.max;
  }
  if (start < bounds.min) return `beginning of range (${start}) below minimum (${bounds.min}): ${expr}`;
  if (end > bounds.max) return `end of range (${end}) above maximum (${bounds.max}): ${expr}`;
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${expr}`;
  return step === 0 ? `step of range should be a positive number: ${expr}` : undefined;
}

/** A number, a name's place, or the complaint. */
function numberOf(text: string, names?: readonly string[]): number | string {
  const named = names?.indexOf(text.toLowerCase()) ?? -1;
  if (named >= 0) return names === MONTHS ? named + 1 : named;
  if (!/^[+-]?[0-9]+$/.test(text)) {
    return `failed to parse int from ${text}: strconv.Atoi: parsing ${quoteGo(text)}: invalid syntax`;
  }
  const n = Number(text);
  if (!Number.isSafeInteger(n)) {
    return `failed to parse int from ${text}: strconv.Atoi: parsing ${quoteGo(text)}: value out of range`;
  }
  return n < 0 ? `negative number (${n}) not allowed: ${text}` : n;
}

const DURATION = /^[+-]?(([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+$/u;

/** Go's error for a text that is no duration. */
export function durationProblem(text: string): string | undefined {
  const rest = text.replace(/^[+-]/, "");
  if (rest === "0" || DURATION.test(text)) return undefined;
  const known = /^(?:(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:ns|us|µs|μs|ms|s|m|h))*/u.exec(rest)![0];
  const left = rest.slice(known.length);
  const number = /^([0-9]+(\.[0-9]*)?|\.[0-9]+)/.exec(left)?.[0];
  if (rest === "" || number === undefined) return `time: invalid duration ${quoteGo(text)}`;
  const unit = /^[^0-9.]*/u.exec(left.slice(number.length))![0];
  if (unit === "") return `time: missing unit in duration ${quoteGo(text)}`;
  return `time: unknown unit ${quoteGo(unit)} in duration ${quoteGo(text)}`;
}

/** Whether the zone is known under exactly this name. */
export function isTimeZone(name: string): boolean {
  if (name === "" || name === "UTC" || name === "Local") return true;
  if (!/^[A-Z][A-Za-z0-9_+\-/]*$/.test(name)) return false;
  try {
    const { timeZone } = new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions();
    return timeZone.toLowerCase() !== name.toLowerCase() || timeZone === name;
  } catch {
    return false;
  }
}
