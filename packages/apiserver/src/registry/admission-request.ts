// The admission request of a write.

import type { AdmissionRequest, Operation } from "@celadon/admission";
import type { KubeObject } from "@celadon/kube";
import type { Exchange } from "./exchange.ts";

export interface Asked {
  readonly operation: Operation;
  readonly name: string;
  readonly object: KubeObject | null;
  readonly oldObject: KubeObject | null;
  readonly options: KubeObject | null;
  readonly dryRun: boolean;
}

export function admissionRequest(exchange: Exchange, asked: Asked): AdmissionRequest {
  const { resource, subresource, user } = exchange;
  const { group, version } = resource;
  const kind = subresource === "" ? undefined : resource.subresources.get(subresource)?.kind;
  const isNamespace = group === "" && resource.resource === "namespaces";
  return {
    kind: kind ?? { group, version, kind: resource.kind },
    resource: { group, version, resource: resource.resource },
    ...(subresource !== "" && { subresource }),
    namespace: isNamespace ? asked.name : exchange.namespace,
    userInfo: user,
    ...asked,
  };
}
