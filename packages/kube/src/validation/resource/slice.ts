// ResourceSlices: the devices that a driver offers on one node or several.

import { quoteGo } from "@celadon/base";
import type { CounterSet, ResourcePool, ResourceSlice, ResourceSliceSpec } from "../../api/generated/resource-v1.ts";
import type { Emulation } from "../../emulation.ts";
import { checkDns1123Label, checkDns1123Subdomain } from "../../names.ts";
import { wasGiven } from "../../types/empty-fields.ts";
import { fieldWarning, type Warning } from "../../warning.ts";
import { metadata, metadataUpdate } from "../checks/metadata.ts";
import { nodeSelector } from "../core/node-selector.ts";
import { MUST_BE_POSITIVE } from "../details.ts";
import { shownPointer, type ValidatedField } from "../field.ts";
import { type AnyKindRules, kindRules, SPEC } from "../rules.ts";
import { shownAs } from "../show/internal.ts";
import { counters, device } from "./device.ts";
import { withoutDisabled } from "./disabled-fields.ts";
import { eachOnce } from "./lists.ts";
import { driverName, poolName } from "./names.ts";

const MAX_DEVICES = 128;
/** With taints or counters, which make them larger. */
const MAX_LARGE_DEVICES = 64;
const MAX_COUNTER_SETS = 8;
const ONE_PLACE = "exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required";

export const resourceSlice: AnyKindRules = kindRules<ResourceSlice>({
  kind: { group: "resource.k8s.io", kind: "ResourceSlice" },
  resource: "resourceslices",
  namespaced: false,
  unconditionalUpdate: true,
  generation: [SPEC],
  generationCounts: "given",
  prepareCreate: (slice) => withoutDisabled(slice),
  prepareUpdate: (slice, old) => withoutDisabled(slice, old),
  validate(slice, at) {
    metadata(slice.metadata, { namespaced: false, name: checkDns1123Subdomain }, at.child("metadata"));
    sliceSpec(slice.spec ?? {}, undefined, at.child("spec"));
  },
  validateUpdate(slice, old, at) {
    metadataUpdate(slice.metadata, old.metadata, at.child("metadata"));
    sliceSpec(slice.spec ?? {}, old.spec ?? {}, at.child("spec"));
  },
  warnOnCreate: driverWarnings,
  warnOnUpdate: (slice, _old, by) => driverWarnings(slice, by),
});

function driverWarnings({ spec: { driver = "" } = {} }: ResourceSlice, by: Emulation): Warning[] {
  if (by.before(35) || driver === driver.toLowerCase()) return [];
  return [
    fieldWarning("spec.driver", `driver names should be lowercase; ${quoteGo(driver)} contains uppercase characters`),
  ];
}

function sliceSpec(spec: ResourceSliceSpec, old: ResourceSliceSpec | undefined, at: ValidatedField): void {
  driverName(spec.driver, at.child("driver"));
  pool(spec.pool ?? {}, at.child("pool"));
  if (old !== undefined) {
    at.child("pool", "name").immutable(spec.pool?.name ?? "", old.pool?.name ?? "");
    at.child("driver").immutable(spec.driver ?? "", old.driver ?? "");
    at.child("nodeName").immutable(spec.nodeName, old.nodeName, shownPointer);
  }
  place(spec, at);
  if (wasGiven(spec, "sharedCounters") && wasGiven(spec, "devices")) {
    at.invalid("", "only one of `sharedCounters` or `devices` is allowed");
  }
  const large = spec.devices?.some(
    (item) => item.taints?.length || item.consumesCounters?.length || hasLists(item.attributes),
  );
  eachOnce(
    spec.devices,
    large ? MAX_LARGE_DEVICES : MAX_DEVICES,
    at.child("devices"),
    (item, each) => {
      const before = old?.devices?.find((other) => other.name === item.name);
      device(item, before, spec.perDeviceNodeSelection === true, each);
    },
    (item) => item.name ?? "",
  );
  eachOnce(spec.sharedCounters, MAX_COUNTER_SETS, at.child("sharedCounters"), counterSet, (set) => set.name ?? "");
}

function hasLists(attributes: Readonly<Record<string, object>> | undefined): boolean {
  return Object.values(attributes ?? {}).some((attribute) => Object.values(attribute).some(Array.isArray));
}

function pool(given: ResourcePool, at: ValidatedField): void {
  poolName(given.name, at.child("name"));
  const { resourceSliceCount: count = 0, generation = 0 } = given;
  if (count <= 0) at.child("resourceSliceCount").invalid(count, MUST_BE_POSITIVE);
  if (generation < 0) at.child("generation").invalid(generation, "must be greater than or equal to zero");
}

/** Rules for the nodes of the devices: on one node, some, all, or each on its own. */
function place(spec: ResourceSliceSpec, at: ValidatedField): void {
  const set: string[] = [];
  const { nodeName, nodeSelector: selector } = spec;
  if (nodeName === "") at.child("nodeName").invalid("", "must be either unset or set to a non-empty string");
  else if (nodeName !== undefined) {
    set.push("`nodeName`");
    at.child("nodeName").check(nodeName, checkDns1123Subdomain);
  }
  if (selector !== undefined) {
    set.push("`nodeSelector`");
    nodeSelector(selector, at.child("nodeSelector"));
    const terms = selector.nodeSelectorTerms;
    if (terms?.length !== 1) {
      const shown = terms ? shownAs("[]core.NodeSelectorTerm", terms) : null;
      at.child("nodeSelector", "nodeSelectorTerms").invalid(shown, "must have exactly one node selector term");
    }
  }
  for (const field of ["allNodes", "perDeviceNodeSelection"] as const) {
    if (spec[field] === true) set.push(`\`${field}\``);
    else if (spec[field] === false) at.child(field).invalid(false, "must be either unset or set to true");
  }
  if (set.length === 0) at.required(ONE_PLACE);
  else if (set.length > 1) at.invalid(`{${set.join(", ")}}`, `${ONE_PLACE}, but multiple fields are set`);
}

function counterSet(given: CounterSet, at: ValidatedField): void {
  at.child("name").mustBe(given.name, checkDns1123Label);
  counters(given.counters, at.child("counters"));
}
