// The server as the built-in plugins see it, and their denials.

import { type AdmissionRequest, type Authorizer, objectName } from "@celadon/admission";
import type { KubeObject } from "@celadon/kube";
import { forbidden } from "@celadon/kube/status";
import { StatusError } from "../wire/status-error.ts";

export interface PluginHosts {
  /** A stored object of a built-in resource, `pods` or `storageclasses.storage.k8s.io`. */
  get(resource: string, namespace: string, name: string): KubeObject | undefined;
  /** The stored objects of a namespace, or of the cluster. */
  list(resource: string, namespace: string): readonly KubeObject[];
  /** Resolves when the objects of a resource can be read; undefined when they can already. */
  loaded(resource: string): Promise<void> | undefined;
  /** The same, once it exists; undefined when it does not appear within the time. */
  appears(resource: string, namespace: string, name: string, milliseconds: number): Promise<KubeObject | undefined>;
  readonly authorizer: Authorizer;
}

/** Whether a request is about objects of a resource themselves, `pods` or `nodes`. */
export function isAbout({ resource, subresource = "" }: AdmissionRequest, group: string, plural: string): boolean {
  return resource.resource === plural && resource.group === group && subresource === "";
}

export function refusal(request: AdmissionRequest, text: string): StatusError {
  return new StatusError(forbidden(request.resource, objectName(request), text));
}

/** Several problems in one text, each once. */
export function aggregate(texts: readonly string[]): string {
  const distinct = [...new Set(texts)];
  return distinct.length === 1 ? distinct[0]! : `[${distinct.join(", ")}]`;
}
