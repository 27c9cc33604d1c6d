// The discovery.k8s.io group: EndpointSlices.

import { semanticEqual } from "@celadon/base";
import type { Endpoint, EndpointHints, EndpointPort, EndpointSlice } from "../../api/generated/discovery-v1.ts";
import type { Emulation } from "../../emulation.ts";
import { JsonShown } from "../../field-error.ts";
import { FieldPath, fieldPath } from "../../field-path.ts";
import {
  checkDns1123Label,
  checkDns1123Subdomain,
  checkLabelValue,
  checkQualifiedName,
  type TextCheck,
} from "../../names.ts";
import { fieldWarning, type Warning } from "../../warning.ts";
import { fullyQualifiedDomain } from "../checks/domain-path.ts";
import { ipWarnings, legacyIp, parseIp, strictIp } from "../checks/ip.ts";
import { labels, metadata } from "../checks/metadata.ts";
import { endpointIp } from "../core/endpoint-ip.ts";
import { PROTOCOLS } from "../core/pod/container/ports.ts";
import type { ValidatedField } from "../field.ts";
import { type AnyKindRules, kindRules } from "../rules.ts";

const MAX_PORTS = 20_000;
const MAX_ENDPOINTS = 1000;
const MAX_ADDRESSES = 100;
const MAX_TOPOLOGY_LABELS = 16;
const MAX_HINTS = 8;
const ADDRESS_TYPES = ["FQDN", "IPv4", "IPv6"];
const MANAGED_BY = "endpointslice.kubernetes.io/managed-by";
/** Controllers that write addresses as they should be. */
const OWN_CONTROLLERS: readonly (string | undefined)[] = [
  "endpointslice-controller.k8s.io",
  "endpointslicemirroring-controller.k8s.io",
];

const endpointSlice: AnyKindRules = kindRules<EndpointSlice>({
  kind: { group: "discovery.k8s.io", kind: "EndpointSlice" },
  resource: "endpointslices",
  namespaced: true,
  unconditionalUpdate: true,
  generation: [["addressType"], ["endpoints"], ["ports"], ["metadata", "labels"]],
  generationCounts: "given",
  prepareCreate: withoutTopology,
  prepareUpdate: (slice, old) => (semanticEqual(slice.endpoints, old.endpoints) ? slice : withoutTopology(slice)),
  validate: (slice, at) => wholeSlice(slice, undefined, at),
  validateUpdate(slice, old, at) {
    wholeSlice(slice, old, at);
    at.child("addressType").declaredImmutable(
      slice.addressType,
      old.addressType,
      (value) => new JsonShown(value ?? ""),
    );
  },
  warnOnCreate: (slice, by) => [
    ...(slice.addressType === "FQDN" ? [FQDN_DEPRECATED] : []),
    ...addressWarnings(slice, by),
  ],
  warnOnUpdate: (slice, _old, by) => addressWarnings(slice, by),
});

/** Only the version before v1 had it. */
function withoutTopology(slice: EndpointSlice): EndpointSlice {
  if (!slice.endpoints?.some((endpoint) => endpoint.deprecatedTopology !== undefined)) return slice;
  return { ...slice, endpoints: slice.endpoints.map(({ deprecatedTopology: _, ...endpoint }) => endpoint) };
}

function wholeSlice(slice: EndpointSlice, old: EndpointSlice | undefined, at: ValidatedField): void {
  metadata(slice.metadata, { namespaced: true, name: checkDns1123Subdomain }, at.child("metadata"));
  at.child("addressType").declared.mustBeOneOf(slice.addressType, ADDRESS_TYPES);
  ports(slice.ports ?? [], at.child("ports"));
  if (old === undefined || !semanticEqual(slice.endpoints, old.endpoints)) {
    endpoints(slice.endpoints ?? [], slice.addressType, at.child("endpoints"));
  }
}

function ports(list: readonly EndpointPort[], at: ValidatedField): void {
  if (list.length > MAX_PORTS) {
    at.tooMany(list.length, MAX_PORTS);
    return;
  }
  const names = new Set<string>();
  at.each(list, (port, each) => {
    const name = port.name ?? "";
    each.child("name").mayBe(name, checkDns1123Label);
    if (names.has(name)) each.child("name").duplicate(name);
    names.add(name);
    if (port.protocol === undefined) each.child("protocol").required();
    else each.child("protocol").oneOf(port.protocol, PROTOCOLS);
    if (port.appProtocol !== undefined) each.child("appProtocol").check(port.appProtocol, checkQualifiedName);
  });
}

function endpoints(list: readonly Endpoint[], type: string | undefined, at: ValidatedField): void {
  if (list.length > MAX_ENDPOINTS) {
    at.tooMany(list.length, MAX_ENDPOINTS);
    return;
  }
  at.each(list, (endpoint, each) => {
    addresses(endpoint.addresses ?? [], type, each.child("addresses"));
    if (endpoint.nodeName !== undefined) each.child("nodeName").check(endpoint.nodeName, checkDns1123Subdomain);
    const topology = Object.keys(endpoint.deprecatedTopology ?? {}).length;
    if (topology > MAX_TOPOLOGY_LABELS) each.child("deprecatedTopology").tooMany(topology, MAX_TOPOLOGY_LABELS);
    labels(endpoint.deprecatedTopology, each.child("deprecatedTopology"));
    if (endpoint.hostname !== undefined) each.child("hostname").check(endpoint.hostname, checkDns1123Label);
    if (endpoint.hints !== undefined) hints(endpoint.hints, each.child("hints"));
  });
}

function addresses(list: readonly string[], type: string | undefined, at: ValidatedField): void {
  if (list.length === 0) at.mustBeDeclared(list, "must contain at least 1 address");
  else if (list.length > MAX_ADDRESSES) at.declared.tooMany(list.length, MAX_ADDRESSES);
  at.each(list, (address, each) => {
    if (type === "FQDN") fullyQualifiedDomain(address, each);
    else if (type === "IPv4" || type === "IPv6") ipAddress(address, type, at, each);
  });
}

/** Addresses of the wrong family are reported on the whole list. */
function ipAddress(address: string, type: "IPv4" | "IPv6", list: ValidatedField, at: ValidatedField): void {
  if (at.by.before(33)) {
    if (`IPv${parseIp(address)?.family}` !== type) at.invalid(address, `must be a valid ${type} address`);
    if (parseIp(address) === undefined) at.invalid(address, "must be a valid IP address");
    else endpointIp(address, at);
    return;
  }
  const readable = at.holds(() => {
    if (type === "IPv4") legacyIp(address, at);
    else strictIp(address, at);
  });
  if (!readable) return;
  if (`IPv${parseIp(address)?.family}` !== type) list.invalid(address, `must be an ${type} address`);
  endpointIp(address, at);
}

function hints(given: EndpointHints, at: ValidatedField): void {
  const [zones, nodes] = [given.forZones ?? [], given.forNodes ?? []];
  hintedNames(zones, checkLabelValue, at.child("forZones"));
  if (zones.length <= MAX_HINTS) hintedNames(nodes, checkDns1123Subdomain, at.child("forNodes"));
}

function hintedNames(
  list: readonly { readonly name?: string | undefined }[],
  check: TextCheck,
  at: ValidatedField,
): void {
  if (list.length > MAX_HINTS) {
    at.tooMany(list.length, MAX_HINTS);
    return;
  }
  const names = new Set<string>();
  at.each(list, ({ name = "" }, each) => {
    if (names.has(name)) each.child("name").duplicate(name);
    names.add(name);
    each.child("name").check(name, check);
  });
}

// The API server has it below a spec, which slices do not have.
const FQDN_DEPRECATED: Warning = fieldWarning(
  FieldPath.of(["addressType"], "spec.addressType"),
  "FQDN endpoints are deprecated",
);

function addressWarnings(slice: EndpointSlice, by: Emulation): Warning[] {
  if (OWN_CONTROLLERS.includes(slice.metadata?.labels?.[MANAGED_BY])) return [];
  const place = fieldPath("endpoints");
  return (slice.endpoints ?? []).flatMap((endpoint, i) =>
    (endpoint.addresses ?? []).flatMap((address, j) =>
      ipWarnings(address, place.index(i).child("addresses").index(j), by),
    ),
  );
}

export const KINDS: readonly AnyKindRules[] = [endpointSlice];
