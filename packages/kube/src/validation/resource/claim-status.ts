// Rules for the status of a claim.

import { quoteJson, semanticEqual, utf8Length } from "@celadon/base";
import type {
  AllocatedDeviceStatus,
  AllocationResult,
  DeviceAllocationConfiguration,
  DeviceRequestAllocationResult,
  NetworkDeviceData,
  ResourceClaim,
  ResourceClaimConsumerReference,
} from "../../api/generated/resource-v1.ts";
import { ShownText } from "../../field-error.ts";
import { checkDns1123Label } from "../../names.ts";
import { conditions } from "../checks/conditions.ts";
import { interfaceAddress } from "../checks/ip.ts";
import { metadataUpdate } from "../checks/metadata.ts";
import { nodeSelector } from "../core/node-selector.ts";
import type { ValidatedField } from "../field.ts";
import { withField } from "../fields-of.ts";
import type { Request } from "../rules.ts";
import { shownAs } from "../show/internal.ts";
import { bindingConditions } from "./binding-conditions.ts";
import { MAX_CONFIGS, onlyForAdmins, references, requestNames } from "./claim-spec.ts";
import { configuration, jsonObject } from "./configuration.ts";
import { atMost, eachOnce } from "./lists.ts";
import { declaredDriverName, poolName, type RequestNames, requestReference, shareId } from "./names.ts";

const MAX_USERS = 256;
const MAX_RESULTS = 32;
const MAX_CONDITIONS = 8;
const MAX_ADDRESSES = 16;
const MAX_INTERFACE_NAME = 256;
const MAX_HARDWARE_ADDRESS = 128;
const ANY_NUMBER = Number.POSITIVE_INFINITY;

/** A device, or a share of it, by name. */
interface DeviceId {
  readonly driver?: string | undefined;
  readonly pool?: string | undefined;
  readonly device?: string | undefined;
  readonly shareID?: string | undefined;
}

function idOf({ driver = "", pool = "", device = "", shareID = "" }: DeviceId): Readonly<Record<string, string>> {
  return { Driver: driver, Pool: pool, Device: device, ShareID: shareID };
}

function shownId(device: DeviceId): ShownText {
  const fields = Object.entries(idOf(device)).map(([name, value]) => `${quoteJson(name)}:${quoteJson(value)}`);
  return new ShownText(`{${fields.join(",")}}`);
}

function idsOf(results: readonly DeviceId[] | undefined): Set<string> {
  return new Set((results ?? []).map((result) => JSON.stringify(idOf(result))));
}

/** The status of devices that the claim no longer has is removed with them. */
export function withoutFreedDevices(claim: ResourceClaim, old: ResourceClaim): ResourceClaim {
  const [now, before] = [claim, old].map(({ status }) => idsOf(status?.allocation?.devices?.results));
  const isFreed = (device: DeviceId): boolean => {
    const id = JSON.stringify(idOf(device));
    return before!.has(id) && !now!.has(id);
  };
  const { devices } = claim.status ?? {};
  if (!devices?.some(isFreed)) return claim;
  const kept = devices.filter((device) => !isFreed(device));
  return withField(claim, ["status", "devices"], kept.length === 0 ? undefined : kept);
}

export function claimStatus(claim: ResourceClaim, old: ResourceClaim, at: ValidatedField, request: Request): void {
  const [status, before] = [claim.status ?? {}, old.status ?? {}];
  const { allocation } = status;
  adminResults(allocation, before.allocation, request, at.child("status", "allocation", "devices", "results"));
  metadataUpdate(claim.metadata, old.metadata, at.child("metadata"));
  const place = at.child("status");
  eachOnce(status.reservedFor, MAX_USERS, place.child("reservedFor"), user, ({ uid = "" }) => uid);
  const allocated = idsOf(allocation?.devices?.results);
  const device = (allocatedDeviceStatus: AllocatedDeviceStatus, each: ValidatedField): void =>
    deviceStatus(allocatedDeviceStatus, allocated, each);
  eachOnce(status.devices, ANY_NUMBER, place.child("devices"), device, idOf);
  users(claim, old, place.child("reservedFor"));
  if (allocation === undefined) return;
  const names = requestNames(claim.spec?.devices ?? {});
  const show = (value: unknown): unknown => shownAs("resource.AllocationResult", value);
  if (before.allocation === undefined) allocationResult(allocation, names, place.child("allocation"));
  else place.child("allocation").immutable(allocation, before.allocation, show);
}

function adminResults(
  allocation: AllocationResult | undefined,
  old: AllocationResult | undefined,
  request: Request,
  at: ValidatedField,
): void {
  const first = (given: AllocationResult | undefined): number =>
    (given?.devices?.results ?? []).findIndex((result) => result.adminAccess === true);
  if (first(old) < 0 && first(allocation) >= 0)
    onlyForAdmins(request, at.index(first(allocation)).child("adminAccess"));
}

function user(given: ResourceClaimConsumerReference, at: ValidatedField): void {
  for (const field of ["resource", "name", "uid"] as const) at.child(field).mustExist(given[field]);
}

function users(claim: ResourceClaim, old: ResourceClaim, at: ValidatedField): void {
  const list = claim.status?.reservedFor ?? [];
  if (list.length === 0) return;
  if (claim.status?.allocation === undefined) {
    at.forbidden("may not be specified when `allocated` is not set");
    return;
  }
  const before = old.status?.reservedFor ?? [];
  if (
    claim.metadata?.deletionTimestamp &&
    !list.every((reference) => before.some((other) => semanticEqual(reference, other)))
  ) {
    at.forbidden("new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set");
  }
}

function allocationResult(allocation: AllocationResult, names: RequestNames, at: ValidatedField): void {
  const { results, config } = allocation.devices ?? {};
  const place = at.child("devices");
  atMost(results, MAX_RESULTS, place.child("results"), (deviceRequestAllocationResult, each) =>
    result(deviceRequestAllocationResult, names, each),
  );
  atMost(config, 2 * MAX_CONFIGS, place.child("config"), (deviceAllocationConfiguration, each) =>
    resultConfiguration(deviceAllocationConfiguration, names, each),
  );
  if (allocation.nodeSelector !== undefined) nodeSelector(allocation.nodeSelector, at.child("nodeSelector"));
}

function result(given: DeviceRequestAllocationResult, names: RequestNames, at: ValidatedField): void {
  requestReference(given.request ?? "", names, at.child("request"));
  deviceName(given, at);
  bindingConditions(given, at);
  if (given.shareID !== undefined) shareId(given.shareID, at.child("shareID"));
}

function deviceName(given: DeviceId, at: ValidatedField): void {
  declaredDriverName(given.driver, at.child("driver"));
  poolName(given.pool, at.child("pool"));
  at.child("device").check(given.device, checkDns1123Label);
}

function resultConfiguration(given: DeviceAllocationConfiguration, names: RequestNames, at: ValidatedField): void {
  at.child("source").mustBeOneOf(given.source, ["FromClaim", "FromClass"]);
  references(given.requests, names, at.child("requests"));
  configuration(given, at);
}

function deviceStatus(given: AllocatedDeviceStatus, allocated: ReadonlySet<string>, at: ValidatedField): void {
  deviceName(given, at);
  if (given.shareID !== undefined) shareId(given.shareID, at.child("shareID"));
  const id = idOf(given);
  if (!allocated.has(JSON.stringify(id))) at.invalid(shownId(given), "must be an allocated device in the claim");
  const count = given.conditions?.length ?? 0;
  if (count > MAX_CONDITIONS) at.child("conditions").tooMany(count, MAX_CONDITIONS);
  conditions(given.conditions ?? [], at.child("conditions"));
  if (given.data !== undefined && given.data !== null) jsonObject(given.data, at.child("data"));
  if (given.networkData !== undefined) network(given.networkData, at.child("networkData"));
}

function network(given: NetworkDeviceData, at: ValidatedField): void {
  const { interfaceName = "", hardwareAddress = "", ips } = given;
  if (utf8Length(interfaceName) > MAX_INTERFACE_NAME) at.child("interfaceName").tooLong(MAX_INTERFACE_NAME);
  if (utf8Length(hardwareAddress) > MAX_HARDWARE_ADDRESS) at.child("hardwareAddress").tooLong(MAX_HARDWARE_ADDRESS);
  eachOnce(ips, MAX_ADDRESSES, at.child("ips"), interfaceAddress, (ip) => ip);
}
