// Selectors of devices: `@celadon/kube-cel/devices`.

export {
  type CompiledSelector,
  compileDeviceSelector,
  type DeviceAttribute,
  type DeviceMatch,
  deviceMatches,
  type SliceDevice,
} from "./device-match.ts";
