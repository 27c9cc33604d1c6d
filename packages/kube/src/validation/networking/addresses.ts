// IPAddresses and ServiceCIDRs.

import type { IPAddress, ParentReference, ServiceCIDR, ServiceCIDRSpec } from "../../api/generated/networking-v1.ts";
import { checkDns1123Subdomain, checkPathSegmentName } from "../../names.ts";
import { givenPart } from "../../types/empty-fields.ts";
import { parseCidr, strictCidr, strictIp } from "../checks/ip.ts";
import { metadata, metadataUpdate } from "../checks/metadata.ts";
import { IMMUTABLE } from "../details.ts";
import { ValidatedField } from "../field.ts";
import { type AnyKindRules, kindRules, SPEC, STATUS, STATUS_KEEPS_METADATA } from "../rules.ts";
import { shownAs } from "../show/internal.ts";

export const ipAddress: AnyKindRules = kindRules<IPAddress>({
  kind: { group: "networking.k8s.io", kind: "IPAddress" },
  resource: "ipaddresses",
  namespaced: false,
  unconditionalUpdate: true,
  validate: wholeAddress,
  validateUpdate(object, old, at) {
    wholeAddress(object, at);
    metadataUpdate(object.metadata, old.metadata, at.child("metadata"));
    const shown = (value: unknown): unknown => (value == null ? null : shownAs("networking.ParentReference", value));
    at.child("spec", "parentRef").declaredImmutable(object.spec?.parentRef, old.spec?.parentRef, shown);
  },
});

/** An address is its object's name. */
function checkIpName(name: string): string[] {
  const at = ValidatedField.root();
  strictIp(name, at);
  return at.errors.map((error) => error.detail);
}

function wholeAddress(object: IPAddress, at: ValidatedField): void {
  metadata(object.metadata, { namespaced: false, name: checkIpName }, at.child("metadata"));
  if (object.spec?.parentRef == null) at.child("spec", "parentRef").declared.required();
  else parent(object.spec.parentRef, at.child("spec", "parentRef"));
}

function parent(ref: ParentReference, at: ValidatedField): void {
  at.child("group").mayBe(ref.group, checkDns1123Subdomain);
  at.child("resource").mustBe(ref.resource, checkPathSegmentName);
  at.child("name").mustBe(ref.name, checkPathSegmentName);
  at.child("namespace").mayBe(ref.namespace, checkPathSegmentName);
}

export const serviceCidr: AnyKindRules = kindRules<ServiceCIDR>({
  kind: { group: "networking.k8s.io", kind: "ServiceCIDR" },
  resource: "servicecidrs",
  namespaced: false,
  unconditionalUpdate: true,
  drops: [STATUS],
  keeps: [STATUS],
  validate(object, at) {
    metadata(object.metadata, { namespaced: false, name: checkDns1123Subdomain }, at.child("metadata"));
    cidrs(object.spec ?? {}, at.child("spec", "cidrs"));
  },
  validateUpdate(object, old, at) {
    metadataUpdate(object.metadata, old.metadata, at.child("metadata"));
    const [now, before] = [object.spec?.cidrs ?? [], old.spec?.cidrs ?? []];
    const place = at.child("spec", "cidrs");
    if (now.length === before.length || (before.length === 1 && now.length === 2)) {
      place.each(before, (cidr, each, i) => {
        if (cidr !== now[i]) each.invalid(now[i], IMMUTABLE);
      });
      if (now.length !== before.length) cidrs(object.spec ?? {}, place);
    } else place.invalid(givenPart(object.spec ?? {}, "cidrs", []), IMMUTABLE);
  },
  subresources: {
    status: {
      keeps: [SPEC, ...STATUS_KEEPS_METADATA],
      validateUpdate: (object, old, at) => metadataUpdate(object.metadata, old.metadata, at.child("metadata")),
    },
  },
});

function cidrs(spec: ServiceCIDRSpec, at: ValidatedField): void {
  const list = spec.cidrs ?? [];
  if (list.length === 0) at.required("at least one CIDR required");
  else if (list.length > 2) at.invalid(shownAs("networking.ServiceCIDRSpec", spec), "may only hold up to 2 values");
  else {
    at.each(list, (cidr, each) => strictCidr(cidr, each));
    const [first, second] = list.map((cidr) => parseCidr(cidr)?.ip.family);
    if (list.length === 2 && first !== undefined && first === second) {
      at.invalid(list, "may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64");
    }
  }
}
