// kubernetes.Semver: semantic versions. Upstream: apiserver pkg/cel/library/semverlib.go, pkg/cel/semver.go.

import {
  BOOL,
  type CelError,
  celError,
  fn,
  INT,
  type Int,
  type Library,
  method,
  Opaque,
  STRING,
  type Type,
  type Value,
} from "@celadon/cel";
import { fixed } from "@celadon/cel/cost";
import { specialized } from "@celadon/cel/lib";
import { abstractStruct } from "@celadon/cel/types";
import { notFromHost } from "@celadon/cel/values";
import {
  compareVersions,
  formatVersion,
  normalizeVersion,
  parseVersion,
  type Version,
  VersionFailure,
} from "../semver/version.ts";
import { constantText } from "./constant-text.ts";
import { scan } from "./costs.ts";
import { equalityUnsupported } from "./unlike.ts";

/** The type of semantic versions. */
export const SEMVER: Type<Semver> = abstractStruct("kubernetes.Semver");

/** A `kubernetes.Semver`. Build metadata takes no part in comparisons. */
export class Semver extends Opaque {
  override readonly type: Type = SEMVER;
  override readonly goType = "cel.Semver";
  override readonly equalityCost = 1;
  override get hashable(): boolean {
    return false;
  }
  readonly version: Version;
  constructor(version: Version) {
    super();
    this.version = version;
  }
  override equals(other: Value): boolean | CelError {
    return other instanceof Semver ? compare(this, other) === 0 : equalityUnsupported(other);
  }
  override get hostName(): string {
    return "Semver";
  }
  override get hostText(): string {
    return this.toString();
  }
  override throughHost(): CelError {
    return notFromHost("semver.Version", this.toString());
  }
  override toString(): string {
    return formatVersion(this.version);
  }
}

const compare = (a: Semver, b: Semver): -1 | 0 | 1 => compareVersions(a.version, b.version);

/** `semver` and its methods. */
// biome-ignore format: one overload per line
export const semverLibrary: Library = {
  name: "kubernetes.Semver", version: 1, costBy: "function",
  overloads: [
    //     name             overload id               arguments         result  cost      implementation
    specialized(
      fn(  "semver",        "string_to_semver",       [STRING],         SEMVER, scan(0),  toSemver), constantText(toSemver)),
    fn(    "semver",        "string_bool_to_semver",  [STRING, BOOL],   SEMVER, scan(0),  toSemver),
    fn(    "isSemver",      "is_semver_string",       [STRING],         BOOL,   scan(0),  isSemver),
    fn(    "isSemver",      "is_semver_string_bool",  [STRING, BOOL],   BOOL,   scan(0),  isSemver),
    method("isGreaterThan", "semver_is_greater_than", [SEMVER, SEMVER], BOOL,   fixed(1), (a, b) => compare(a, b) > 0),
    method("isLessThan",    "semver_is_less_than",    [SEMVER, SEMVER], BOOL,   fixed(1), (a, b) => compare(a, b) < 0),
    method("compareTo",     "semver_compare_to",      [SEMVER, SEMVER], INT,    fixed(1), compare),
    method("major",         "semver_major",           [SEMVER],         INT,    fixed(1), ({ version }) => toInt(version.major)),
    method("minor",         "semver_minor",           [SEMVER],         INT,    fixed(1), ({ version }) => toInt(version.minor)),
    method("patch",         "semver_patch",           [SEMVER],         INT,    fixed(1), ({ version }) => toInt(version.patch)),
  ],
};

function parse(text: string, normalize: boolean): Version | VersionFailure {
  const normal = normalize ? normalizeVersion(text) : text;
  return normal instanceof VersionFailure ? normal : parseVersion(normal);
}

function toSemver(text: string, normalize = false): Semver | CelError {
  const version = parse(text, normalize);
  return version instanceof VersionFailure ? celError("invalid_argument", version.message) : new Semver(version);
}

function isSemver(text: string, normalize = false): boolean {
  return !(parse(text, normalize) instanceof VersionFailure);
}

/** Numbers are unsigned upstream and wrap around when they become ints. */
function toInt(n: bigint): Int {
  const wrapped = BigInt.asIntN(64, n);
  const small = Number(wrapped);
  return Number.isSafeInteger(small) ? small : wrapped;
}
