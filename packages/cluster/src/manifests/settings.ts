// The settings of all programs' manifests.

import type { KubeObject } from "@celadon/kube";

/** Settings that the manifests of all programs have. */
export interface ManifestSettings {
  /** Name of everything that is made. */
  readonly name: string;
  readonly namespace: string;
  readonly image: string;
  readonly replicas: number;
  /** Further arguments of the program. */
  readonly args: readonly string[];
  /** Requests and the limit of memory; there is no limit of CPU, which would make answers late. */
  readonly cpu: string;
  readonly memory: string;
  /** The program's version, as a label. */
  readonly version: string;
}

/** The labels that select the pods of a program; they never change. */
export function selectorOf({ name }: ManifestSettings): Readonly<Record<string, string>> {
  return { "app.kubernetes.io/name": "celadon", "app.kubernetes.io/instance": name };
}

export function labelsOf(settings: ManifestSettings, component: string): Readonly<Record<string, string>> {
  return {
    ...selectorOf(settings),
    "app.kubernetes.io/component": component,
    "app.kubernetes.io/part-of": "celadon",
    "app.kubernetes.io/version": settings.version,
  };
}

/** The namespace that is created; another one is not ours, and must stay when these manifests are deleted. */
export const OWN_NAMESPACE = "celadon";

/** The namespace holds pods of the restricted profile only. */
export function namespaceObjects({ namespace }: ManifestSettings): readonly KubeObject[] {
  if (namespace !== OWN_NAMESPACE) return [];
  const labels = {
    "pod-security.kubernetes.io/enforce": "restricted",
    "pod-security.kubernetes.io/audit": "restricted",
    "pod-security.kubernetes.io/warn": "restricted",
  };
  return [{ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace, labels } }];
}
