// The page of versions: how many recorded answers of each minor are given here, by subject. Counted from the recordings and the lists of known
// differences, which other tests hold: an answer that is not listed agrees.

import { BUILTIN_MINORS, CURRENT, FIRST, type Minor, minorsBetween } from "@celadon/kube/versions";
import {
  KNOWN_MINOR_DIFFERENCES as DEFINITIONS,
  cases as definitions,
} from "../../../packages/crd/src/definition/minors.testing.ts";
import { knownMinorDifferences } from "../../../packages/kube/src/validation/known-differences.testing.ts";
import { minorRows, RECORDED_MINORS } from "../../../packages/kube/src/validation/minors.testing.ts";
import { recordedKinds, recordedRows } from "../../../packages/kube/src/validation/replay.testing.ts";
import { KNOWN_MINOR_DIFFERENCES as EXPRESSIONS } from "../../../packages/kube-cel/src/known-minor-differences.testing.ts";
import { differencesOf, recordedMinors } from "../../../packages/kube-cel/src/minors.testing.ts";
import { RECORDED_WITH, readVectors, vectorAreas } from "../../../packages/kube-cel/src/vectors.testing.ts";

const HEADER = `# Versions of Kubernetes

How many recorded answers of real API servers and libraries of each version are given by the emulation of that version, to the letter.
**Differing** is the number of answers that are not those of ${RECORDED_WITH}, with which the most was recorded. **Expressions** are compiled and
evaluated, value, error and cost; **definitions** are small CustomResourceDefinitions with objects; **requests** create and update built-in
kinds, and their verdict agrees for all of them. Each difference is listed with its reason beside the test that compares the answers. Answers
that the reference gives differently each time are left out. A dash means that nothing was recorded. \`npm run docs\` writes this page.

| version | expressions | differing | definitions | requests of built-in kinds | differing |
| --- | ---: | ---: | ---: | ---: | ---: |
`;

export function versionsPage(): string {
  const minors = minorsBetween(FIRST, CURRENT).toReversed();
  return `${HEADER}${minors.map(rowOf).join("")}\n${FOOTER}`;
}

function rowOf(minor: Minor): string {
  const expressions = expressionsOf(minor);
  const requests = requestsOf(minor);
  const known = Object.keys(DEFINITIONS[minor] ?? {}).length;
  // The newest version has no recording of its own here: vectors and scenarios are compared elsewhere.
  const isDefined = minor !== CURRENT;
  const cells = [
    `${minor}${minor === CURRENT ? " (default)" : ""}`,
    ...expressions,
    isDefined ? shareText(definitions.length, known) : "–",
    ...requests,
  ];
  return `| ${cells.join(" | ")} |\n`;
}

const vectorCount = vectorAreas().reduce((sum, area) => sum + readVectors(area).length, 0);
const requestCount = recordedKinds().reduce((sum, kind) => sum + recordedRows(kind).length, 0);

function expressionsOf(minor: Minor): readonly [string, string] {
  if (minor !== RECORDED_WITH && !recordedMinors().includes(minor)) return ["–", "–"];
  const differing = minor === RECORDED_WITH ? 0 : differencesOf(minor).size;
  return [shareText(vectorCount, Object.keys(EXPRESSIONS[minor] ?? {}).length), numberText(differing)];
}

function requestsOf(minor: Minor): readonly [string, string] {
  if (minor !== RECORDED_WITH && !RECORDED_MINORS.includes(minor)) return ["–", "–"];
  const differing = minor === RECORDED_WITH ? 0 : minorRows(minor).length;
  return [shareText(requestCount, knownMinorDifferences(minor).length), numberText(differing)];
}

/** Rounded down, so that only all are 100%. */
function shareText(all: number, differing: number): string {
  const share = Math.floor(((all - differing) / all) * 10_000) / 100;
  return `${share}% of ${numberText(all)}`;
}

const numberText = (number: number): string => number.toLocaleString("en-US");

const FOOTER = `Built-in kinds are those of each version from ${BUILTIN_MINORS.first} on; older ones have those of ${BUILTIN_MINORS.first}, and their own policies, definitions
and expressions. [Before an upgrade](../guides/upgrade-kubernetes.md) shows the differences for your manifests.
`;
