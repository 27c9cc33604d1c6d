// The Kubernetes version of a cluster, which commands emulate when they read one and no --kube-version is given.

import type { Api } from "@celadon/client";
import { CURRENT, compareMinors, FIRST, type Minor, toMinor } from "@celadon/kube-cel";

export interface ClusterVersion {
  /** The nearest minor that can be emulated; undefined if the cluster does not say which it is. */
  readonly minor: Minor | undefined;
  /** The cluster is older than every version that can be emulated. */
  readonly isOlder: boolean;
  /** For users, where the answers are not those of the newest version, or not those of the cluster's. */
  readonly note: string | undefined;
}

/** Asks the cluster. A cluster that keeps its version to itself is taken for the newest. */
export async function clusterVersion(api: Pick<Api, "raw">): Promise<ClusterVersion> {
  const answer = await api.raw("/version").catch(() => undefined);
  return emulatedVersion(answer);
}

/** From the answer of `/version`. Distributions write `33+`. */
export function emulatedVersion(answer: unknown): ClusterVersion {
  const { major, minor: number } = (answer ?? {}) as { readonly major?: unknown; readonly minor?: unknown };
  const minor = typeof major === "string" && typeof number === "string" ? toMinor(`${major}.${number}`) : undefined;
  if (minor === undefined) {
    return { minor, isOlder: false, note: `the cluster does not tell its Kubernetes version; emulating ${CURRENT}` };
  }
  if (compareMinors(minor, CURRENT) > 0) {
    return {
      minor: CURRENT,
      isOlder: false,
      note: `the cluster runs Kubernetes ${minor}; emulating ${CURRENT}, the newest known`,
    };
  }
  if (compareMinors(minor, FIRST) < 0) {
    return {
      minor: FIRST,
      isOlder: true,
      note: `the cluster runs Kubernetes ${minor}; emulating ${FIRST}, the oldest known`,
    };
  }
  return {
    minor,
    isOlder: false,
    note: minor === CURRENT ? undefined : `emulating Kubernetes ${minor}, the cluster's version`,
  };
}
