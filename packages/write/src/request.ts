// The request behind a write, and the admission request made from it.

import type { AdmissionRequest, Operation, UserInfo } from "@celadon/admission";
import type { KubeObject } from "@celadon/kube";
import type { WrittenResource } from "./resource.ts";

/** A request to write, after authorization. */
export interface WriteRequest {
  readonly resource: WrittenResource;
  readonly subresource: string;
  /** Empty for cluster-scoped objects. */
  readonly namespace: string;
  /** The name in the URL; empty for a collection. */
  readonly name: string;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  /** CreateOptions and the like. */
  readonly options: KubeObject | null;
  /** Overrides of the admission request: a host with a recorded request keeps to it. */
  readonly stated?: Pick<AdmissionRequest, "kind" | "resource" | "operation"> & Partial<AdmissionRequest>;
}

/** The part of an admission request beside the place that is written to. */
export interface AdmissionSubject {
  readonly operation: Operation;
  readonly name: string;
  readonly object: KubeObject | null;
  readonly oldObject: KubeObject | null;
}

/** Made twice for every write: its members are written out, because spreading them takes several times as long. */
export function admissionRequest(request: WriteRequest, subject: AdmissionSubject): AdmissionRequest {
  const { resource, subresource, user, options, dryRun, stated, namespace } = request;
  const { operation, name, object, oldObject } = subject;
  const { group, version } = resource;
  const kind = subresource === "" ? undefined : resource.subresources.get(subresource)?.kind;
  const isNamespace = group === "" && resource.resource === "namespaces";
  const made = {
    kind: kind ?? { group, version, kind: resource.kind },
    resource: { group, version, resource: resource.resource },
    namespace: isNamespace ? name : namespace,
    userInfo: user,
    options,
    dryRun,
    operation,
    name,
    object,
    oldObject,
  };
  if (stated !== undefined) return { ...made, ...(subresource !== "" && { subresource }), ...stated };
  return subresource === "" ? made : { ...made, subresource };
}
