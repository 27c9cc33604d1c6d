// Selectors of devices, evaluated for the devices of ResourceSlices as the scheduler does it. Upstream: k8s.io/dynamic-resource-allocation
// cel/compile.go, cel/errors.go.

import { own } from "@celadon/base";
import { type CelError, isError, MapValue, type Program, type Value } from "@celadon/cel";
import { noSuchOverload, typeOf } from "@celadon/cel/values";
import { parseQuantity } from "@celadon/kube";
import { Invalid, isInvalid } from "@celadon/kube/errors";
import { compileExpression } from "./compile.ts";
import { deviceEnvironment } from "./device-selector.ts";
import { QuantityValue } from "./library/quantity.ts";
import { Semver } from "./library/semver.ts";
import { parseVersion, VersionFailure } from "./semver/version.ts";

/** A device of a ResourceSlice. */
export interface SliceDevice {
  readonly name?: string;
  readonly allowMultipleAllocations?: boolean | null;
  readonly attributes?: Readonly<Record<string, DeviceAttribute>> | null;
  readonly capacity?: Readonly<Record<string, { readonly value?: unknown }>> | null;
}

/** An attribute has one of the values. */
export interface DeviceAttribute {
  readonly int?: number | bigint | null;
  readonly bool?: boolean | null;
  readonly string?: string | null;
  readonly version?: string | null;
}

/** Whether a device matches; the message when that could not be evaluated. */
export interface DeviceMatch {
  readonly matches: boolean;
  readonly error?: string;
  readonly cost: number;
}

/** A compiled selector, or the message of the compiler. */
export type CompiledSelector = { readonly program: Program } | { readonly message: string };

/** Compiles a selector that a cluster has stored. */
export function compileDeviceSelector(expression: string): CompiledSelector {
  const compiled = compileExpression(deviceEnvironment("storedExpressions"), expression);
  return compiled.ok ? { program: compiled.program } : { message: compiled.message };
}

const HINT =
  "consider using CEL optional chaining (.? followed by orValue()) or guarding the check with has() for optional fields";

/** Whether a device of a driver matches a selector. */
export function deviceMatches(program: Program, driver: string, device: SliceDevice): DeviceMatch {
  const attributes = byDomain(device.attributes, driver, attributeValue);
  if (attributes instanceof Invalid) return { matches: false, error: attributes.message, cost: 0 };
  const capacity = byDomain(device.capacity, driver, capacityValue);
  if (capacity instanceof Invalid) return { matches: false, error: capacity.message, cost: 0 };
  const { value, error, cost } = program.evaluate({
    device: {
      driver,
      allowMultipleAllocations: device.allowMultipleAllocations ?? false,
      attributes: new DomainMap(attributes),
      capacity: new DomainMap(capacity),
    },
  });
  if (error === undefined && typeof value === "boolean") return { matches: value, cost };
  return { matches: false, error: error === undefined ? notBool(value) : hinted(error.message), cost };
}

const hinted = (message: string): string => (message.includes("no such key:") ? `${message}. ${HINT}` : message);

function notBool(value: Value): string {
  const type = typeOf(value).name;
  const why =
    type === "string"
      ? "unsupported native conversion from string to 'bool'"
      : `unsupported type conversion from '${type}' to bool`;
  return `CEL result of type ${type} could not be converted to bool: ${why}`;
}

type Values = Readonly<Record<string, Value>>;

/** Values by domain and name; a name without a domain belongs to the driver's. */
function byDomain<T>(
  given: Readonly<Record<string, T>> | null | undefined,
  driver: string,
  read: (name: string, value: T) => Value | Invalid,
): Readonly<Record<string, Values>> | Invalid {
  const domains = new Map<string, [string, Value][]>();
  for (const [name, value] of Object.entries(given ?? {})) {
    const found = read(name, value);
    if (found instanceof Invalid) return found;
    const slash = name.indexOf("/");
    const [domain, id] = slash < 0 ? [driver, name] : [name.slice(0, slash), name.slice(slash + 1)];
    const entries = domains.get(domain);
    if (entries === undefined) domains.set(domain, [[id, found]]);
    else entries.push([id, found]);
  }
  return Object.fromEntries([...domains].map(([domain, entries]) => [domain, Object.fromEntries(entries)]));
}

function attributeValue(name: string, { int, bool, string, version }: DeviceAttribute): Value | Invalid {
  if (typeof int === "number" || typeof int === "bigint") return int;
  if (typeof bool === "boolean") return bool;
  if (typeof string === "string") return string;
  if (typeof version !== "string") return new Invalid(`attribute ${name}: unsupported attribute value`);
  const parsed = parseVersion(version);
  if (parsed instanceof VersionFailure)
    return new Invalid(`attribute ${name}: parse semantic version: ${parsed.message}`);
  return new Semver(parsed);
}

function capacityValue(name: string, { value }: { readonly value?: unknown }): Value | Invalid {
  const quantity = parseQuantity(String(value ?? "0"));
  return isInvalid(quantity) ? new Invalid(`capacity ${name}: ${quantity.message}`) : new QuantityValue(quantity);
}

const NOTHING: Values = {};

/** A map by domain: one that no device has is empty, and no error. */
class DomainMap extends MapValue {
  readonly #domains: Readonly<Record<string, Values>>;

  constructor(domains: Readonly<Record<string, Values>>) {
    super();
    this.#domains = domains;
  }

  override get size(): number {
    return Object.keys(this.#domains).length;
  }

  override find(key: Value): Value | CelError | undefined {
    if (typeof key !== "string") return isError(key) ? key : noSuchOverload();
    return own(this.#domains, key) ?? NOTHING;
  }

  /** Unlike an index, `in` tells which domains there are. */
  override contains(key: Value): boolean | CelError {
    if (typeof key !== "string") return isError(key) ? key : noSuchOverload();
    return Object.hasOwn(this.#domains, key);
  }

  override keys(): readonly string[] {
    return Object.keys(this.#domains);
  }
}
