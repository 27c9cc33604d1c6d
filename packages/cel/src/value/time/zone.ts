// Time zones: seconds east of UTC at an instant, for IANA names (through Intl) and for offsets such as +05:30.
// Names are taken as Go takes them from a zone database on disk: with their exact case, links included, abbreviations only
// where the database has a file of that name. Before 1970 databases differ in how much local history they keep, and so may
// the answers.

import { utf8Length } from "@celadon/base";
import { CelError, isError } from "../error.ts";
import { walk } from "../size/work.ts";
import { quoteText } from "../text/quote-text.ts";
import { secondsFromCivil } from "./calendar.ts";

/** Seconds east of UTC in a zone, at an instant given in seconds since the epoch. */
export function zoneOffset(zone: string, seconds: number): number | CelError {
  if (UTC_NAMES.has(zone)) return 0;
  walk(zone.length);
  const known = zones.get(zone) ?? loadZone(zone);
  if (isError(known)) return known;
  return typeof known === "number" ? known : known.offsetAt(seconds);
}

/** The host's own zone counts as UTC, so that an expression means the same everywhere; Factory is the database's placeholder. */
const UTC_NAMES = new Set(["", "UTC", "Local", "Factory"]);

/** A zone of the database, a fixed offset, or why it is neither. Unknown names are not kept: they may be endless. */
const zones = new Map<string, NamedZone | number>();

function loadZone(zone: string): NamedZone | number | CelError {
  const loaded = zone.includes(":") ? parseOffset(zone) : loadNamed(zone);
  if (!isError(loaded) && zones.size < 1000) zones.set(zone, loaded);
  return loaded;
}

const zoneError = (message: string): CelError => new CelError("invalid_argument", message);

/** `[+-]hh:mm`, with Go's leniency: any integers, wrapped as its 64-bit arithmetic wraps them. */
function parseOffset(zone: string): number | CelError {
  const colon = zone.indexOf(":");
  const hours = parseAtoi(zone.slice(0, colon));
  if (isError(hours)) return hours;
  const minutes = parseAtoi(zone.slice(colon + 1));
  if (isError(minutes)) return minutes;
  const total = BigInt.asIntN(64, hours * 60n + (zone.startsWith("-") ? -minutes : minutes));
  return Number(BigInt.asIntN(64, total * 60_000_000_000n) / 1_000_000_000n);
}

function parseAtoi(text: string): bigint | CelError {
  if (!/^[+-]?\d+$/.test(text)) return zoneError(`strconv.Atoi: parsing ${quoteText(text)}: invalid syntax`);
  const digits = text.replace(/^[+-]?0*/, "");
  // More than nineteen digits are out of range in any case, and need not become a number to see it.
  const value = digits.length > 19 ? undefined : BigInt(`${text.startsWith("-") ? "-" : ""}${digits || "0"}`);
  if (value !== undefined && BigInt.asIntN(64, value) === value) return value;
  return zoneError(`strconv.Atoi: parsing ${quoteText(text)}: value out of range`);
}

// Intl ignores case and knows abbreviations of its own. The database's names are words that start with a capital, behind
// one of its regions, and a few words that stand alone.
const REGIONS =
  "Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Brazil|Canada|Chile|Etc|Europe|Indian|Mexico|Pacific|US";
const DIRECTORY = new RegExp(`^(?:${REGIONS}|America/(?:Argentina|Indiana|Kentucky|North_Dakota))$`);
const WORD = "(?:(?:[A-Z][a-z]+)+|DumontDUrville|ACT|IN|LHI|NSW|au|es|of)";
const IN_REGION = new RegExp(
  `^(?:${REGIONS})(?:/${WORD}(?:[_-]${WORD})*){1,2}$|^Etc/(?:GMT(?:[+-]?\\d{1,2})?|UTC|UCT)$`,
);
const ALONE = new Set(
  (
    "CET CST6CDT Cuba EET EST EST5EDT Egypt Eire GB GB-Eire GMT GMT+0 GMT-0 GMT0 Greenwich HST Hongkong Iceland Iran Israel " +
    "Jamaica Japan Kwajalein Libya MET MST MST7MDT NZ NZ-CHAT Navajo PRC PST8PDT Poland Portugal ROC ROK Singapore Turkey " +
    "UCT Universal W-SU WET Zulu"
  ).split(" "),
);

/** Names that Intl knows and the database has given up. */
const DROPPED = new Set(["US/Pacific-New"]);

function loadNamed(zone: string): NamedZone | number | CelError {
  if (zone.includes("..") || zone.startsWith("/") || zone.startsWith("\\"))
    return zoneError("time: invalid location name");
  if (zone.includes("\0")) return zoneError("invalid argument");
  if (isLongerThan(LONGEST_PATH, zone)) return zoneError("file name too long");
  return follow(zone.split("/")) ?? zoneError(`unknown time zone ${zone}`);
}

/** Follows the parts of a name below the database, like a path in a file system: part by part, each in a directory, none too long. */
function follow(parts: readonly string[]): NamedZone | number | CelError | undefined {
  let path = "";
  let file: NamedZone | number | undefined;
  for (const part of parts) {
    if (file !== undefined) return zoneError("not a directory");
    if (part === "" || part === ".") continue;
    if (isLongerThan(LONGEST_NAME, part)) return zoneError("file name too long");
    path += path === "" ? part : `/${part}`;
    if (DIRECTORY.test(path)) continue;
    file = openFile(path);
    if (file === undefined) return undefined;
  }
  return file ?? zoneError("is a directory");
}

function openFile(path: string): NamedZone | number | undefined {
  if (path === "UTC" || path === "Factory") return 0;
  if (!ALONE.has(path) && (!IN_REGION.test(path) || DROPPED.has(path))) return undefined;
  try {
    return new NamedZone(path);
  } catch {
    return undefined;
  }
}

/** Linux's limits. Go looks in several directories; the longest path has 24 characters. */
const LONGEST_NAME = 255;
const LONGEST_PATH = 4095 - 24;
const isLongerThan = (bytes: number, text: string): boolean => text.length > bytes || utf8Length(text) > bytes;

/** The last second that JavaScript has a date for, 275,000 years from now. */
const LAST_DATE = 8.64e12 - 86400;

/** One zone of the database; its formatter is expensive to make and cheap to keep. */
class NamedZone {
  readonly #format: Intl.DateTimeFormat;
  #lastSeconds = Number.NaN;
  #lastOffset = 0;

  constructor(zone: string) {
    this.#format = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      calendar: "gregory",
      numberingSystem: "latn",
      hourCycle: "h23",
      era: "short",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
  }

  offsetAt(instant: number): number {
    const seconds = Math.max(-LAST_DATE, Math.min(LAST_DATE, instant)); // where clocks have long stopped changing
    if (seconds !== this.#lastSeconds) {
      this.#lastOffset = this.#localSeconds(seconds) - seconds;
      this.#lastSeconds = seconds;
    }
    return this.#lastOffset;
  }

  /** The time on the zone's clock, read as if it were UTC. */
  #localSeconds(seconds: number): number {
    const fields: Record<string, string> = {};
    const ms = seconds * 1000;
    for (const part of this.#format.formatToParts(ms)) fields[part.type] = part.value;
    const field = (name: string): number => Number(fields[name]);
    // Year 1 in a western zone begins in 1 BC, which is year 0.
    const year = fields.era?.startsWith("B") === true ? 1 - field("year") : field("year");
    return secondsFromCivil(year, field("month"), field("day"), field("hour"), field("minute"), field("second"));
  }
}
