// ResourceClaims and the templates that make them: devices that a pod needs.

import type { ResourceClaim, ResourceClaimTemplate } from "../../api/generated/resource-v1.ts";
import { checkDns1123Subdomain } from "../../names.ts";
import { metadata, metadataUpdate, templateMetadata } from "../checks/metadata.ts";
import type { ValidatedField } from "../field.ts";
import { type AnyKindRules, kindRules, type Request, SPEC, STATUS, STATUS_KEEPS_METADATA } from "../rules.ts";
import { shownAs } from "../show/internal.ts";
import { adminAccess, claimSpec } from "./claim-spec.ts";
import { claimStatus, withoutFreedDevices } from "./claim-status.ts";

const SCOPE = { namespaced: true, name: checkDns1123Subdomain };

export const resourceClaim: AnyKindRules = kindRules<ResourceClaim>({
  kind: { group: "resource.k8s.io", kind: "ResourceClaim" },
  resource: "resourceclaims",
  namespaced: true,
  unconditionalUpdate: true,
  drops: [STATUS],
  keeps: [STATUS],
  validate(object, at, request) {
    const spec = object.spec ?? {};
    adminAccess(spec, request, at);
    metadata(object.metadata, SCOPE, at.child("metadata"));
    claimSpec(spec, request.compileSelector, at.child("spec"));
  },
  validateUpdate(object, old, at) {
    metadata(object.metadata, SCOPE, at.child("metadata"));
    metadataUpdate(object.metadata, old.metadata, at.child("metadata"));
    const show = (spec: unknown): unknown => shownAs("resource.ResourceClaimSpec", spec);
    at.child("spec").immutable(object.spec, old.spec, show);
  },
  subresources: {
    status: {
      keeps: [SPEC, ...STATUS_KEEPS_METADATA],
      prepareUpdate: withoutFreedDevices,
      validateUpdate: claimStatus,
    },
  },
});

export const resourceClaimTemplate: AnyKindRules = kindRules<ResourceClaimTemplate>({
  kind: { group: "resource.k8s.io", kind: "ResourceClaimTemplate" },
  resource: "resourceclaimtemplates",
  namespaced: true,
  unconditionalUpdate: true,
  validate(object, at, request) {
    adminAccess(object.spec?.spec ?? {}, request, at);
    template(object, request, at);
  },
  validateUpdate(object, old, at, request) {
    template(object, request, at);
    metadataUpdate(object.metadata, old.metadata, at.child("metadata"));
    const show = (spec: unknown): unknown => shownAs("resource.ResourceClaimTemplateSpec", spec);
    at.child("spec").immutable(object.spec, old.spec, show);
  },
});

function template({ metadata: meta, spec }: ResourceClaimTemplate, request: Request, at: ValidatedField): void {
  metadata(meta, SCOPE, at.child("metadata"));
  templateMetadata(spec?.metadata, at.child("spec", "metadata"));
  claimSpec(spec?.spec ?? {}, request.compileSelector, at.child("spec", "spec"));
}
