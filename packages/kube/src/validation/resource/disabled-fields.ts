// Fields of features that are off: lists as attributes, and mappings to resources of nodes.

import type { Device, DeviceAttribute, ResourceSlice } from "../../api/generated/resource-v1.ts";

const LISTS = ["bools", "ints", "strings", "versions"] as const;

/** Without such fields, unless the old slice has them, too. */
export function withoutDisabled(slice: ResourceSlice, old?: ResourceSlice): ResourceSlice {
  const devices = slice.spec?.devices;
  if (devices == null) return slice;
  const before = old?.spec?.devices ?? [];
  const keepMappings = before.some(hasMappings);
  const keepLists = before.some(hasLists);
  if (!devices.some((device) => (hasMappings(device) && !keepMappings) || (hasLists(device) && !keepLists))) {
    return slice;
  }
  const kept = devices.map((device) => {
    const { nodeAllocatableResourceMappings: _, ...rest } = device;
    const item: Device = keepMappings ? device : rest;
    return keepLists || item.attributes === undefined ? item : { ...item, attributes: withoutLists(item.attributes) };
  });
  return { ...slice, spec: { ...slice.spec, devices: kept } };
}

function hasMappings(device: Device): boolean {
  return Object.keys(device.nodeAllocatableResourceMappings ?? {}).length > 0;
}

function hasLists(device: Device): boolean {
  return Object.values(device.attributes ?? {}).some((attribute) =>
    LISTS.some((list) => attribute[list] !== undefined),
  );
}

function withoutLists(
  attributes: Readonly<Record<string, DeviceAttribute>>,
): Readonly<Record<string, DeviceAttribute>> {
  const scalar = ({ bools: _b, ints: _i, strings: _s, versions: _v, ...rest }: DeviceAttribute): DeviceAttribute =>
    rest;
  return Object.fromEntries(Object.entries(attributes).map(([name, attribute]) => [name, scalar(attribute)]));
}
