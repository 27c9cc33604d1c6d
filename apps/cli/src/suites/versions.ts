// The Kubernetes versions that suites run with: those of the flag, else those that a suite names, else those of the configuration.

import { CURRENT, compareMinors, type Minor, minorsBetween } from "@celadon/kube-cel";
import type { Suite, SuiteResult } from "@celadon/testing";
import type { Args } from "../program/command.ts";
import { parseKubeVersions } from "../sources/kube-version.ts";

/** The versions that a call names for all suites, as texts. */
export interface RequestedVersions {
  readonly flag?: string | undefined;
  readonly configured?: string | undefined;
}

export function requestedVersions(args: Pick<Args, "shared" | "configuration">): RequestedVersions {
  return { flag: args.shared.text("kube-version"), configured: args.configuration?.text.kubeVersion };
}

/** Undefined stands for a suite without a version of its own in a call that names none. */
export type SuiteVersions = readonly (Minor | undefined)[];

/** Throws for a mistake in the flag, before any suite is read. */
export function versionsFor({ flag, configured }: RequestedVersions): (suite: Suite) => SuiteVersions {
  const forced = flag === undefined ? undefined : parseKubeVersions(flag);
  const otherwise = configured === undefined ? [undefined] : parseKubeVersions(configured);
  return ({ kubeVersions }) => forced ?? kubeVersions ?? otherwise;
}

export const suiteAt = (suite: Suite, kubeVersion: Minor | undefined): Suite =>
  kubeVersion === undefined || kubeVersion === suite.kubeVersion ? suite : { ...suite, kubeVersion };

/** The versions of all results, oldest first. */
export function versionsOf(results: readonly Pick<SuiteResult, "suite">[]): readonly Minor[] {
  return [...new Set(results.map(({ suite }) => suite.kubeVersion ?? CURRENT))].sort(compareMinors);
}

/** `1.33`, `1.30 to 1.32`, `1.30 and 1.33`. */
export function versionsText(minors: readonly Minor[]): string {
  const [first, last] = [minors[0]!, minors.at(-1)!];
  if (minors.length > 2 && minorsBetween(first, last).length === minors.length) return `${first} to ${last}`;
  return minors.length < 2 ? first : `${minors.slice(0, -1).join(", ")} and ${last}`;
}

/** The results with the newest version of each suite, from which files are updated. */
export function newestOnly<R extends Pick<SuiteResult, "suite">>(results: readonly R[]): readonly R[] {
  const newest = new Map(results.map((result) => [`${result.suite.origin.file}\n${result.suite.name}`, result]));
  return [...newest.values()];
}
