// The changes of one object: how servers of several versions answer a request for it, one after the other.

import { isRecord, type JsonPath, valueAt } from "@celadon/base";
import { apiVersionOf, type KubeObject } from "@celadon/kube";
import { deprecationOf } from "@celadon/kube/validation";
import type { Minor } from "@celadon/kube-cel";
import type { Outcome } from "@celadon/simulator";
import { sideOf } from "@celadon/simulator/diff";
import { isSetUp, type Manifest } from "@celadon/simulator/manifests";
import { requestSubject, stepsText } from "../../outcome/names.ts";
import type { VersionChange, VersionChangeKind } from "./change.ts";
import { storedChanges } from "./stored-changes.ts";
import { type Course, courseOf } from "./version-course.ts";

/** The answer of a server, reduced to the compared parts. */
interface Seen {
  readonly minor: Minor;
  readonly verdict: Verdict;
  readonly unknown: ReadonlyMap<string, JsonPath>;
  readonly deprecated: readonly string[];
  readonly warnings: readonly string[];
  readonly policies: readonly string[];
  readonly stored: KubeObject | null;
}

interface Verdict {
  readonly is: "allowed" | "denied" | "unserved";
  readonly message: string;
}

/** `outcomes` are those of `minors`, oldest first. */
export function objectChanges(
  manifest: Manifest,
  minors: readonly Minor[],
  outcomes: readonly Outcome[],
): readonly VersionChange[] {
  const all = outcomes.map((outcome, i) => seenBy(minors[i]!, outcome));
  const subject = requestSubject(outcomes[0]!.request);
  const about = { manifest, subject };
  const changes: VersionChange[] = [];
  const add = (change: VersionChangeKind, course: Course<unknown>, rest: Partial<VersionChange> = {}): void => {
    const { since, until } = course;
    changes.push({ ...about, change, since, ...(until !== undefined && { until }), message: "", ...rest });
  };
  const verdict = courseOf(
    minors,
    all.map((seen) => seen.verdict),
    sameVerdict,
  );
  if (verdict !== undefined) {
    const { was, now } = verdict;
    const change = verdictChange(was, now, isSetUp(manifest.object));
    const isMinor = change === "answer" && { isMinor: true as const };
    add(change, verdict, { message: now.message || was.message, ...isMinor });
  }
  // A server that does not know the kind says nothing else about the object.
  const served = all.filter(({ verdict: { is } }) => is !== "unserved");
  if (served.length < 2) return changes;
  const compared = served.map(({ minor }) => minor);
  for (const { kinds, textsOf } of PRESENT) {
    for (const text of new Set(served.flatMap((seen) => textsOf(seen)))) {
      const course = courseOf(
        compared,
        served.map((seen) => textsOf(seen).includes(text)),
      );
      if (course === undefined) continue;
      const kind = course.now ? kinds.came : kinds.gone;
      if (kind !== undefined) add(kind, course, { message: text });
    }
  }
  for (const [field, path] of new Map(served.flatMap(({ unknown }) => [...unknown]))) {
    const course = courseOf(
      compared,
      served.map(({ unknown }) => unknown.has(field)),
    );
    if (course === undefined) continue;
    const now = valueAt(manifest.object, path);
    if (course.now) add("unknown", course, { path, now });
    else add("known", course, { path, now, message: effectText(path, course.since, served) });
  }
  for (const change of fieldChanges(manifest.object, served)) add(change.change, change.course, change);
  return changes;
}

/** A field may be known for some versions before its feature gate is on. */
function effectText(path: JsonPath, since: Minor, served: readonly Seen[]): string {
  const effective = served.findLastIndex(({ stored }) => valueAt(stored, path) === undefined) + 1;
  const first = served[effective]?.minor;
  if (first === undefined) return "known, but not stored by default";
  return first === since ? "" : `known, and stored since ${first}`;
}

interface FieldChange extends Pick<VersionChange, "change" | "path" | "was" | "now"> {
  readonly course: Course<unknown>;
}

/** Fields of the stored objects, from the oldest server to the newest. */
function fieldChanges(given: KubeObject, served: readonly Seen[]): readonly FieldChange[] {
  const stored = served.flatMap(({ minor, stored: object, unknown }) =>
    object === null ? [] : [{ minor, object, unknown }],
  );
  if (stored.length < 2) return [];
  const [first, last] = [stored[0]!, stored.at(-1)!];
  return storedChanges(first.object, last.object).flatMap(({ path, was, now }): FieldChange[] => {
    // An unknown field is reported as such.
    if ([first, last].some(({ unknown }) => unknown.has(fieldText(path)))) return [];
    const course = courseOf(
      stored.map(({ minor }) => minor),
      stored.map(({ object }) => JSON.stringify(valueAt(object, path))),
    );
    if (course === undefined) return [];
    const isGiven = valueAt(given, path) !== undefined;
    const change = now === undefined ? (isGiven ? "dropped" : "undefaulted") : isGiven ? "stored" : "defaulted";
    return [{ change, path, course, ...(was !== undefined && { was }), ...(now !== undefined && { now }) }];
  });
}

function seenBy(minor: Minor, outcome: Outcome): Seen {
  const { request, problems, warnings, object, policies } = outcome;
  const deprecation = deprecationOf(apiVersionOf(request.kind), request.kind.kind, minor);
  const unknown = new Map(problems.flatMap(({ key, path }) => (key && path ? [[fieldText(path), path] as const] : [])));
  return {
    minor,
    verdict: verdictOf(outcome),
    unknown,
    deprecated: deprecation === undefined ? [] : [deprecation],
    warnings: warnings.filter((text) => text !== deprecation && !text.startsWith("unknown field ")),
    policies: policies.verdicts.policies.flatMap((verdict) =>
      verdict.outcome === "matched" ? [verdict.policy.name] : [],
    ),
    stored: isRecord(object) ? object : null,
  };
}

function verdictOf(outcome: Outcome): Verdict {
  const { allowed, message = "denied" } = sideOf(outcome);
  if (allowed) return { is: "allowed", message: "" };
  const isUnserved = outcome.endedBy === "decoding" && outcome.status?.reason === "NotFound";
  if (!isUnserved) return { is: "denied", message };
  const said = outcome.problems.find(({ returned }) => returned)?.message;
  return { is: "unserved", message: said ?? message };
}

const sameVerdict = (a: Verdict, b: Verdict): boolean => a.is === b.is && a.message === b.message;

function verdictChange(was: Verdict, now: Verdict, isSetUpObject: boolean): VersionChangeKind {
  if (was.is === "unserved" && now.is === "unserved") return "answer";
  if (now.is === "unserved") return "removed";
  if (was.is === "unserved") return "served";
  if (was.is === now.is) return "answer";
  if (now.is === "denied") return isSetUpObject ? "rejected" : "denied";
  return isSetUpObject ? "accepted" : "allowed";
}

interface PresentTexts {
  readonly kinds: { readonly came: VersionChangeKind; readonly gone?: VersionChangeKind };
  textsOf(seen: Seen): readonly string[];
}

/** Texts that a server has for an object or has not. */
const PRESENT: readonly PresentTexts[] = [
  { kinds: { came: "deprecated" }, textsOf: ({ deprecated }) => deprecated },
  { kinds: { came: "warned", gone: "unwarned" }, textsOf: ({ warnings }) => warnings },
  { kinds: { came: "matched", gone: "unmatched" }, textsOf: ({ policies }) => policies },
];

/** `spec.ports[0].name` */
export const fieldText = (path: JsonPath): string => stepsText(path);
