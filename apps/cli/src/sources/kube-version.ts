// `--kube-version`: one minor, several, or a range. `1.30`, `v1.30.2`, `1.30,1.32`, `1.30..1.37`.

import { CURRENT, compareMinors, FIRST, type Minor, minorsBetween, toMinor } from "@celadon/kube-cel";
import { UsageError } from "../program/exit.ts";

const VERSION = /^v?[0-9]+\.[0-9]+(?:\.[0-9]+)?(?:[-+][0-9A-Za-z.+-]*)?$/;
const FORMS = `write 1.30, v1.30.2, 1.30,1.32 or 1.30..1.37; minors from ${FIRST} to ${CURRENT} are known`;

/** The minors a text names, each once, oldest first; the current one when nothing is given. */
export function parseKubeVersions(text: string | undefined): Minor[] {
  if (text === undefined) return [CURRENT];
  const minors = new Set(text.split(",").flatMap((part) => parsePart(part.trim(), text)));
  return [...minors].sort(compareMinors);
}

/** For commands that emulate one version; `fallback` is the version without the flag. */
export function parseKubeVersion(text: string | undefined, fallback: Minor = CURRENT): Minor {
  if (text === undefined) return fallback;
  const minors = parseKubeVersions(text);
  if (minors.length === 1) return minors[0]!;
  throw new UsageError(
    `--kube-version "${text}" names ${minors.length} versions; this command takes one`,
    "`celadon diff --kube-version` compares versions; test, lint and cost take several",
  );
}

/** For `diff`, which compares versions if several are named. */
export function comparesVersions(text: string | undefined): boolean {
  return text !== undefined && parseKubeVersions(text).length > 1;
}

function parsePart(part: string, whole: string): Minor[] {
  const ends = part.split("..");
  if (ends.length > 2) throw new UsageError(`--kube-version "${whole}" is not a range of versions`, FORMS);
  const [first, last] = ends.map((end) => parseMinor(end, whole));
  if (first === undefined || last === undefined) return [first!];
  if (compareMinors(first, last) > 0) {
    throw new UsageError(`--kube-version "${whole}": ${first} is after ${last}`, `did you mean ${last}..${first}?`);
  }
  return minorsBetween(first, last);
}

function parseMinor(text: string, whole: string): Minor {
  const minor = VERSION.test(text) ? toMinor(text) : undefined;
  if (minor === undefined) throw new UsageError(`--kube-version "${whole}": "${text}" is no Kubernetes version`, FORMS);
  if (isKnown(minor)) return minor;
  const longer: Minor = `${minor}0` as Minor;
  const hint = isKnown(longer) ? `did you mean ${longer}?` : undefined;
  throw new UsageError(`--kube-version ${minor} is not supported; supported versions are ${FIRST} to ${CURRENT}`, hint);
}

const isKnown = (minor: Minor): boolean => compareMinors(minor, FIRST) >= 0 && compareMinors(minor, CURRENT) <= 0;
