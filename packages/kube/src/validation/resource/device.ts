// One device of a slice.

import { compareStrings, semanticEqual, utf8Length } from "@celadon/base";
import type {
  Counter,
  Device,
  DeviceAttribute,
  DeviceCounterConsumption,
  DeviceTaint,
} from "../../api/generated/resource-v1.ts";
import { checkDns1123Label, checkDns1123Subdomain, checkLabelValue } from "../../names.ts";
import { quantityAt } from "../checks/quantities.ts";
import { isNative } from "../checks/resource-names.ts";
import { labelName } from "../checks/selectors.ts";
import { nodeSelector } from "../core/node-selector.ts";
import type { ValidatedField } from "../field.ts";
import { shownAs } from "../show/internal.ts";
import { bindingConditions } from "./binding-conditions.ts";
import { requestPolicy } from "./capacity.ts";
import { effectsOf } from "./claim-spec.ts";
import { atMost, eachOnce, entries } from "./lists.ts";
import { qualifiedName } from "./names.ts";

const ANY_NUMBER = Number.POSITIVE_INFINITY;
const MAX_ATTRIBUTES_AND_CAPACITIES = 32;
const MAX_VALUES = 48;
const MAX_VALUE_LENGTH = 64;
const MAX_TAINTS = 16;
const MAX_CONSUMPTIONS = 2;
const MAX_COUNTERS = 32;

export function device(given: Device, old: Device | undefined, ownPlace: boolean, at: ValidatedField): void {
  at.child("name").check(given.name, checkDns1123Label);
  totals(given, at);
  entries(given.attributes, ANY_NUMBER, at.child("attributes"), qualifiedName, attribute);
  entries(given.capacity, ANY_NUMBER, at.child("capacity"), qualifiedName, (capacity, each) => {
    if (capacity.requestPolicy === undefined) return;
    const policy = each.child("requestPolicy");
    if (given.allowMultipleAllocations) requestPolicy(capacity.value, capacity.requestPolicy, policy);
    else policy.forbidden("allowMultipleAllocations must be true");
  });
  if (old === undefined || !semanticEqual(given.taints, old.taints)) {
    atMost(given.taints, MAX_TAINTS, at.child("taints"), (deviceTaint, each) => taint(deviceTaint, each));
  }
  eachOnce(
    given.consumesCounters,
    MAX_CONSUMPTIONS,
    at.child("consumesCounters"),
    consumption,
    (consumesCounter) => consumesCounter.counterSet ?? "",
  );
  place(given, ownPlace, at);
  bindingConditions(given, at);
  nodeResources(given, at.child("nodeAllocatableResourceMappings"));
}

function totals({ attributes = {}, capacity = {} }: Device, at: ValidatedField): void {
  const names = Object.keys(attributes).length + Object.keys(capacity).length;
  if (names > MAX_ATTRIBUTES_AND_CAPACITIES) {
    const detail = `the total number of attributes and capacities must not exceed ${MAX_ATTRIBUTES_AND_CAPACITIES}`;
    at.invalid(names, detail);
  }
  const counts = Object.values(attributes).map(({ bools = [], ints = [], strings = [], versions = [] }) =>
    Math.max(1, bools.length + ints.length + strings.length + versions.length),
  );
  const values = counts.reduce((sum, count) => sum + count, 0);
  if (values > MAX_VALUES) at.invalid(values, `the total number of attribute values must not exceed ${MAX_VALUES}`);
}

const NUMBER = "(0|[1-9]\\d*)";
const PRE_RELEASE = "(0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)";
const BUILD = "[0-9a-zA-Z-]+";
const SEMVER = new RegExp(
  `^${NUMBER}\\.${NUMBER}\\.${NUMBER}(-${PRE_RELEASE}(\\.${PRE_RELEASE})*)?(\\+${BUILD}(\\.${BUILD})*)?$`,
);

/** An attribute has one value, of one type, or one list of such. */
function attribute(given: DeviceAttribute, at: ValidatedField): void {
  if (given.string !== undefined) notTooLong(given.string, at.child("string"));
  if (given.version !== undefined) version(given.version, at.child("version"));
  for (const list of ["bools", "ints", "strings", "versions"] as const) {
    if (given[list]?.length === 0) at.child(list).invalid([], "must not be empty if specified");
    if (list === "strings") at.child(list).each(given[list], notTooLong);
    if (list === "versions") at.child(list).each(given[list], version);
  }
  const count = Object.values(given).filter((value) => value !== undefined).length;
  const shown = count === 0 ? "" : shownAs("resource.DeviceAttribute", given);
  if (count === 0 && at.by.since(37)) {
    const kinds = "`int`, `bool`, `string`, `version`, `ints`, `bools`, `strings`, `versions`";
    at.declared.invalid("", `must specify one of: ${kinds}`);
  } else if (count === 0 && at.by.before(35)) at.required("exactly one value must be specified");
  else if (count !== 1) at.invalid(shown, "exactly one value must be specified");
}

function notTooLong(text: string, at: ValidatedField): void {
  if (utf8Length(text) > MAX_VALUE_LENGTH) at.tooLong(MAX_VALUE_LENGTH);
}

function version(text: string, at: ValidatedField): void {
  if (!SEMVER.test(text)) at.invalid(text, "must be a string compatible with semver.org spec 2.0.0");
  notTooLong(text, at);
}

function taint(given: DeviceTaint, at: ValidatedField): void {
  labelName(given.key, at.child("key"));
  at.child("value").mayBe(given.value, checkLabelValue);
  at.child("effect").mustBeOneOf(given.effect, effectsOf(at.by));
}

function consumption(given: DeviceCounterConsumption, at: ValidatedField): void {
  at.child("counterSet").mustBe(given.counterSet, checkDns1123Label);
  counters(given.counters, at.child("counters"));
}

export function counters(given: Readonly<Record<string, Counter>> | undefined, at: ValidatedField): void {
  if (Object.keys(given ?? {}).length === 0) at.required();
  else {
    entries(
      given,
      MAX_COUNTERS,
      at,
      (name, place) => place.check(name, checkDns1123Label),
      () => {},
    );
  }
}

const OWN_PLACE =
  "exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec";

/** Devices say where they are if the slice leaves it to them. */
function place(given: Device, own: boolean, at: ValidatedField): void {
  const { nodeName, nodeSelector: selector, allNodes } = given;
  if (!own) {
    if (nodeName === undefined && selector === undefined && allNodes === undefined) return;
    at.invalid(
      null,
      "`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec",
    );
    return;
  }
  const set: string[] = [];
  if (nodeName === "") at.child("nodeName").invalid("", "must not be empty");
  else if (nodeName !== undefined) {
    set.push("`nodeName`");
    at.child("nodeName").check(nodeName, checkDns1123Subdomain);
  }
  if (selector !== undefined) {
    set.push("`nodeSelector`");
    nodeSelector(selector, at.child("nodeSelector"));
  }
  if (allNodes === true) set.push("`allNodes`");
  else if (allNodes === false) at.child("allNodes").invalid(false, "must be either unset or set to true");
  if (set.length === 0) at.required(OWN_PLACE);
  else if (set.length > 1) at.invalid(`{${set.join(", ")}}`, OWN_PLACE);
}

/** Rules for the resources of the node that the device takes. */
function nodeResources(
  { nodeAllocatableResourceMappings: mappings = {}, capacity = {} }: Device,
  at: ValidatedField,
): void {
  for (const [name, mapping] of Object.entries(mappings).sort(([a], [b]) => compareStrings(a, b))) {
    const [each, { allocationMultiplier: factor, capacityKey: key }] = [at.key(name), mapping];
    if (!isNative(name)) each.invalid(name, "must be a node allocatable resource name");
    if (factor === undefined && key === undefined) {
      each.invalid("", "at least one of allocationMultiplier or capacityKey must be set");
    }
    if (factor !== undefined && quantityAt(factor).sign() <= 0) {
      each.child("allocationMultiplier").invalid(quantityAt(factor).toString(), "must be positive");
    }
    if (key === "") each.child("capacityKey").invalid("", "capacityKey must not be an empty string");
    else if (key !== undefined && !Object.hasOwn(capacity, key)) each.child("capacityKey").notFound(key);
  }
}
