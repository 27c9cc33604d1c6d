// The pod security levels in the labels of a namespace: a level and a version for each of three modes. Upstream:
// pod-security-admission api/helpers.go.

import { type FieldError, fieldPath, invalidValue } from "@celadon/kube/errors";

export type Level = "privileged" | "baseline" | "restricted";

export interface LevelVersion {
  readonly level: Level;
  /** A minor, or the latest there is. */
  readonly version: number | "latest";
}

export interface PodSecurityPolicy {
  readonly enforce: LevelVersion;
  readonly audit: LevelVersion;
  readonly warn: LevelVersion;
}

const PREFIX = "pod-security.kubernetes.io/";
const LEVELS: readonly string[] = ["privileged", "baseline", "restricted"];
const DEFAULT: LevelVersion = { level: "privileged", version: "latest" };

export const levelVersionText = ({ level, version }: LevelVersion): string =>
  `${level}:${version === "latest" ? version : `v1.${version}`}`;

export const isSame = (a: LevelVersion, b: LevelVersion): boolean => a.level === b.level && a.version === b.version;

/** Negative where the first is less strict. */
export const compareLevels = (a: Level, b: Level): number => LEVELS.indexOf(a) - LEVELS.indexOf(b);

export function policyOf(labels: Readonly<Record<string, string>>): {
  readonly policy: PodSecurityPolicy;
  readonly errors: readonly FieldError[];
} {
  const errors: FieldError[] = [];
  const wrong = (label: string, value: string, text: string): void => {
    errors.push(invalidValue(fieldPath("metadata", "labels").key(label), value, text));
  };
  /** Undefined where there is no label; `wrong` where it is none of the levels. */
  const levelOf = (mode: string): Level | "wrong" | undefined => {
    const value = labels[`${PREFIX}${mode}`];
    if (value === undefined || LEVELS.includes(value)) return value as Level | undefined;
    wrong(`${PREFIX}${mode}`, value, `must be one of ${LEVELS.join(", ")}`);
    return "wrong";
  };
  const versionOf = (mode: string): number | "latest" | undefined => {
    const label = `${PREFIX}${mode}-version`;
    const value = labels[label];
    if (value === undefined || value === "latest") return value;
    const minor = /^v1\.([0-9]|[1-9][0-9]*)$/.exec(value)?.[1];
    if (minor !== undefined && Number.isSafeInteger(Number(minor))) return Number(minor);
    wrong(label, value, 'must be "latest" or "v1.x"');
    return "latest";
  };
  const [enforced, enforcedVersion] = [levelOf("enforce"), versionOf("enforce")];
  const [audited, auditedVersion] = [levelOf("audit"), versionOf("audit")];
  const [warned, warnedVersion] = [levelOf("warn"), versionOf("warn")];
  // A level that cannot be read is enforced as the strictest; auditing and warnings do without it.
  const enforce: LevelVersion = {
    level: enforced === "wrong" ? "restricted" : (enforced ?? DEFAULT.level),
    version: enforcedVersion ?? DEFAULT.version,
  };
  const audit: LevelVersion = {
    level: audited === "wrong" ? "privileged" : (audited ?? DEFAULT.level),
    version: auditedVersion ?? DEFAULT.version,
  };
  let warn: LevelVersion = {
    level: warned === "wrong" ? "privileged" : (warned ?? DEFAULT.level),
    version: warnedVersion ?? DEFAULT.version,
  };
  // A namespace that enforces a level also warns of it, for workloads whose pods come later.
  const isEnforced = enforced !== undefined && enforced !== "wrong";
  if (warned === undefined && isEnforced && compareLevels(enforce.level, warn.level) > 0) {
    warn = { level: enforce.level, version: warnedVersion ?? enforce.version };
  }
  return { policy: { enforce, audit, warn }, errors };
}

export function isPrivileged({ enforce, audit, warn }: PodSecurityPolicy): boolean {
  return [enforce, audit, warn].every(({ level }) => level === "privileged");
}
