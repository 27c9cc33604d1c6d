// Endpoints.

import { semanticEqual } from "@celadon/base";
import type { EndpointAddress, EndpointSubset, Endpoints } from "../../api/generated/core-v1.ts";
import type { Emulation } from "../../emulation.ts";
import { fieldPath } from "../../field-path.ts";
import { checkDns1123Label, checkDns1123Subdomain, checkQualifiedName } from "../../names.ts";
import type { Warning } from "../../warning.ts";
import { ipWarnings, legacyIp } from "../checks/ip.ts";
import { metadata, metadataUpdate } from "../checks/metadata.ts";
import { portNumber } from "../checks/ports.ts";
import type { ValidatedField } from "../field.ts";
import { type AnyKindRules, kindRules } from "../rules.ts";
import { endpointIp } from "./endpoint-ip.ts";
import { PROTOCOLS } from "./pod/container/ports.ts";

export const endpoints: AnyKindRules = kindRules<Endpoints>({
  kind: { group: "", kind: "Endpoints" },
  resource: "endpoints",
  namespaced: true,
  unconditionalUpdate: true,
  validate: (object, at) => wholeEndpoints(object, undefined, at),
  validateUpdate(object, old, at) {
    metadataUpdate(object.metadata, old.metadata, at.child("metadata"));
    wholeEndpoints(object, old, at);
  },
  warnOnCreate: addressWarnings,
  warnOnUpdate: (object, _old, by) => addressWarnings(object, by),
});

/** Addresses that are not in their standard form, unless the controller wrote them. */
function addressWarnings(object: Endpoints, by: Emulation): Warning[] {
  if (object.metadata?.labels?.["endpoints.kubernetes.io/managed-by"] === "endpoint-controller") return [];
  return (object.subsets ?? []).flatMap((subset, i) =>
    (["addresses", "notReadyAddresses"] as const).flatMap((list) =>
      (subset[list] ?? []).flatMap(({ ip }, j) =>
        ipWarnings(ip, fieldPath("subsets").index(i).child(list).index(j).child("ip"), by),
      ),
    ),
  );
}

function wholeEndpoints(object: Endpoints, old: Endpoints | undefined, at: ValidatedField): void {
  metadata(object.metadata, { namespaced: true, name: checkDns1123Subdomain }, at.child("metadata"));
  if (old !== undefined && semanticEqual(object.subsets, old.subsets)) return;
  at.child("subsets").each(object.subsets, (endpointSubset, each) => subset(endpointSubset, each));
}

function subset(given: EndpointSubset, at: ValidatedField): void {
  if (!given.addresses?.length && !given.notReadyAddresses?.length) {
    at.required("must specify `addresses` or `notReadyAddresses`");
  }
  at.child("addresses").each(given.addresses, (endpointAddress, each) => address(endpointAddress, each));
  at.child("notReadyAddresses").each(given.notReadyAddresses, (endpointAddress, each) =>
    address(endpointAddress, each),
  );
  const needName = (given.ports?.length ?? 0) > 1;
  at.child("ports").each(given.ports, (port, each) => {
    if (port.name) each.child("name").check(port.name, checkDns1123Label);
    else if (needName) each.child("name").required();
    portNumber(port.port, each.child("port"));
    each.child("protocol").mustBeOneOf(port.protocol, PROTOCOLS);
    if (port.appProtocol !== undefined) each.child("appProtocol").check(port.appProtocol, checkQualifiedName);
  });
}

function address(given: EndpointAddress, at: ValidatedField): void {
  legacyIp(given.ip, at.child("ip"));
  at.child("hostname").mayBe(given.hostname, checkDns1123Label);
  if (given.nodeName !== undefined) at.child("nodeName").check(given.nodeName, checkDns1123Subdomain);
  endpointIp(given.ip, at.child("ip"));
}
