// Set-up resources: policies, bindings, webhook configurations, CRDs, certificate policies. They are read once, and the cluster keeps
// the result: it is used again when the resource is in force.

import type { AdmissionRequest } from "@celadon/admission";
import { valueAt } from "@celadon/base";
import type { AcceptedResource, KubeObject } from "@celadon/kube";
import { objectOf } from "@celadon/write";
import { AS_WRITTEN, type Strategy, type Validated, withoutChecks } from "@celadon/write/strategy";
import { roleOf } from "../manifest/roles.ts";
import { statusProblem } from "../outcome/problems.ts";
import { typeMetaOf } from "../request/intended-request.ts";
import type { ReviewHost } from "../review-host.ts";
import { unreadableMetadata } from "./builtin.ts";
import { type ObjectStage, unknownFieldFindings } from "./stage.ts";
import { storedBuiltin } from "./stored.ts";
import { writtenResource } from "./write-hosts.ts";

export function setUpStage(
  cluster: ReviewHost,
  request: AdmissionRequest,
  accepted: AcceptedResource<unknown>,
): ObjectStage {
  const { object: given = null, oldObject = null, subresource = "" } = request;
  const sent = given as KubeObject;
  const resource = writtenResource(cluster, request);
  const isCertificatePolicy = roleOf(sent) === "certificatePolicy";
  return {
    decode() {
      const { resource: read, status, unreadable, unknownFields } = accepted;
      if (read === undefined && status !== undefined) {
        const value = unreadable && valueAt(sent, unreadable.steps);
        const problem = statusProblem(status, "validation", undefined, unreadable);
        const problems = [value === undefined ? problem : { ...problem, value }];
        return { object: sent, status, problems, warnings: [], unreadable: true };
      }
      const refused = isCertificatePolicy ? unreadableMetadata(request.kind, sent) : undefined;
      if (refused !== undefined) return refused;
      // Read as the current version, and shown in the one it was sent in.
      const object = { ...(read as KubeObject), ...typeMetaOf(sent) };
      return { ...unknownFieldFindings(cluster, sent, unknownFields), object };
    },
    old: () => oldObject && storedBuiltin(cluster, resource, oldObject),
    async writing() {
      if (isCertificatePolicy) return { resource, strategy: acceptedBy(cluster) };
      const strategy = await cluster.strategies.of(resource, subresource);
      // An old object that no server would have stored says nothing about the change.
      const isChecked = oldObject === null || cluster.accepted(oldObject)?.resource !== undefined;
      return { resource, strategy: isChecked ? strategy : withoutChecks(strategy) };
    },
  };
}

/** For certificate policies: cert-manager's webhook validates them. */
function acceptedBy(cluster: ReviewHost): Strategy {
  const validate = (object: KubeObject): Validated => {
    const { status, errors = [] } = cluster.accepted(object) ?? {};
    return { errors, isWhole: true, ...(status && { status }) };
  };
  return {
    ...AS_WRITTEN,
    validateCreate: (draft) => validate(objectOf(draft)),
    validateUpdate: (draft) => validate(objectOf(draft)),
  };
}
