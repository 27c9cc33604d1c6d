// Requests for devices in manifests, and the devices of ResourceSlices that match them: first the selectors of the class, then those of the
// request, up to the first that does not match. An allocation has further conditions, such as nodes and capacity.

import { type KubeObject, nameOf, namespaceOf } from "@celadon/kube";
import { compileDeviceSelector, type DeviceMatch, deviceMatches, type SliceDevice } from "@celadon/kube-cel/devices";
import type { Manifest } from "@celadon/simulator/manifests";

type Data = Readonly<Record<string, unknown>>;

/** A selector and the resource that has it. */
interface Selector {
  readonly of: string;
  readonly index: number;
  readonly expression: string;
}

/** Something that selects devices: a class, or a request of a claim. */
export interface DeviceRequest {
  readonly resource: string;
  /** Absent for a class. */
  readonly request?: string;
  readonly class?: string;
  /** Why nothing can be selected. */
  readonly problem?: string;
  readonly devices: readonly SelectedDevice[];
}

/** A device, and the selector that it does not match. */
export interface SelectedDevice {
  /** `driver/pool/name`. */
  readonly device: string;
  readonly matches: boolean;
  readonly selector?: Selector;
  readonly error?: string;
  readonly cost: number;
}

interface Candidate {
  readonly id: string;
  readonly driver: string;
  readonly device: SliceDevice;
}

const GROUP = /^resource\.k8s\.io\//;

export function deviceRequests(manifests: readonly Manifest[]): DeviceRequest[] {
  const objects = manifests.map(({ object }) => object).filter(({ apiVersion }) => GROUP.test(String(apiVersion)));
  const ofKind = (kind: string): KubeObject[] => objects.filter((object) => object.kind === kind);
  const classes = new Map(
    ofKind("DeviceClass").map((object) => [nameOf(object), selectorsOf(object.spec, `DeviceClass/${nameOf(object)}`)]),
  );
  const candidates = ofKind("ResourceSlice").flatMap(devicesOf);
  const selected = (selectors: readonly Selector[]): SelectedDevice[] =>
    candidates.map((one) => select(one, selectors));
  const ofClasses = [...classes].map(([name, selectors]) => ({
    resource: `DeviceClass/${name}`,
    devices: selected(selectors),
  }));
  const claims = [...ofKind("ResourceClaim"), ...ofKind("ResourceClaimTemplate")];
  const ofClaims = claims.flatMap((object) =>
    requestsOf(object).map(({ name, className, selectors }): DeviceRequest => {
      const of = { resource: resourceName(object), request: name, class: className };
      const own = classes.get(className);
      if (own === undefined) return { ...of, problem: `no DeviceClass "${className}" in the inputs`, devices: [] };
      return { ...of, devices: selected([...own, ...selectors]) };
    }),
  );
  return [...ofClasses, ...ofClaims];
}

const resourceName = (object: KubeObject): string =>
  [object.kind, namespaceOf(object), nameOf(object)].filter((part) => part !== "").join("/");

function devicesOf({ spec }: KubeObject): Candidate[] {
  const { driver = "", pool, devices } = dataOf(spec);
  return listOf(devices).map((given) => {
    // v1beta1 has attributes and capacity below `basic`.
    const device = { ...dataOf(given.basic), ...given } as SliceDevice;
    const id = [driver, dataOf(pool).name ?? "", device.name ?? ""].join("/");
    return { id, driver: String(driver), device };
  });
}

interface RequestedDevice {
  readonly name: string;
  readonly className: string;
  readonly selectors: readonly Selector[];
}

/** In v1beta1 the fields of an exact request stand in the request itself. */
function requestsOf(object: KubeObject): RequestedDevice[] {
  const spec = dataOf(object.kind === "ResourceClaimTemplate" ? dataOf(object.spec).spec : object.spec);
  const of = resourceName(object);
  return listOf(dataOf(spec.devices).requests).flatMap((request) => {
    const alternatives = listOf(request.firstAvailable);
    const named = (exact: Data, name: string): RequestedDevice => ({
      name,
      className: String(exact.deviceClassName ?? ""),
      selectors: selectorsOf(exact, of),
    });
    if (alternatives.length === 0) {
      return [named(request.exactly === undefined ? request : dataOf(request.exactly), String(request.name ?? ""))];
    }
    return alternatives.map((sub) => named(sub, `${request.name ?? ""}/${sub.name ?? ""}`));
  });
}

function selectorsOf(spec: unknown, of: string): Selector[] {
  return listOf(dataOf(spec).selectors).map((selector, index) => ({
    of,
    index,
    expression: String(dataOf(selector.cel).expression ?? ""),
  }));
}

function select({ id, driver, device }: Candidate, selectors: readonly Selector[]): SelectedDevice {
  let cost = 0;
  for (const selector of selectors) {
    const found = matchOf(selector.expression, driver, device);
    cost += found.cost;
    if (found.error !== undefined) return { device: id, matches: false, selector, error: found.error, cost };
    if (!found.matches) return { device: id, matches: false, selector, cost };
  }
  return { device: id, matches: true, cost };
}

function matchOf(expression: string, driver: string, device: SliceDevice): DeviceMatch {
  const compiled = compileDeviceSelector(expression);
  if ("message" in compiled) return { matches: false, error: compiled.message, cost: 0 };
  return deviceMatches(compiled.program, driver, device);
}

const dataOf = (value: unknown): Data => Object(value) as Data;
const listOf = (value: unknown): readonly Data[] => (Array.isArray(value) ? value.map(dataOf) : []);
