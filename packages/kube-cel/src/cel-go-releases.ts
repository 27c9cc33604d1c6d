// The release of cel-go that each minor of Kubernetes is built with, by the requirement in its go.mod.

import { isBefore, type Minor } from "@celadon/kube/versions";

/** The first minor with a release, newest first. */
const RELEASES: readonly (readonly [since: Minor, release: number])[] = [
  ["1.37", 29],
  ["1.34", 26],
  ["1.33", 23],
  ["1.32", 22],
  ["1.31", 20],
  ["1.29", 17],
];
const OLDEST = 16;

/** The minor version of cel-go in a minor of Kubernetes. */
export function releaseOf(server: Minor): number {
  return RELEASES.find(([since]) => !isBefore(server, since))?.[1] ?? OLDEST;
}
