// kubernetes.quantity: amounts of resources. Upstream: apiserver pkg/cel/library/quantity.go, pkg/cel/quantity.go.
// `sign` is a global function upstream, all others are methods.

import {
  BOOL,
  type CelError,
  celError,
  DOUBLE,
  fn,
  INT,
  type Int,
  type Library,
  method,
  Opaque,
  STRING,
  type Type,
  type Value,
} from "@celadon/cel";
import { fixed } from "@celadon/cel/cost";
import { specialized } from "@celadon/cel/lib";
import { abstractStruct } from "@celadon/cel/types";
import { grow, notFromHost, work } from "@celadon/cel/values";
import { parseQuantity, type Quantity, quantityOf } from "@celadon/kube";
import { Invalid } from "@celadon/kube/errors";
import { constantText } from "./constant-text.ts";
import { scan } from "./costs.ts";
import { equalityUnsupported } from "./unlike.ts";

/** The type of quantities. */
export const QUANTITY: Type<QuantityValue> = abstractStruct("kubernetes.Quantity");

/** A `kubernetes.Quantity`. */
export class QuantityValue extends Opaque {
  override readonly type: Type = QUANTITY;
  override readonly goType: string;
  override readonly equalityCost = 1;
  readonly quantity: Quantity;
  /** Upstream's sums are pointers, and a pointer on the right of `==` is not recognised. */
  readonly isSum: boolean;
  constructor(quantity: Quantity, isSum = false) {
    super();
    this.quantity = quantity;
    this.isSum = isSum;
    this.goType = isSum ? "*cel.Quantity" : "cel.Quantity";
  }
  override equals(other: Value): boolean | CelError {
    return other instanceof QuantityValue && !other.isSum
      ? this.quantity.equals(other.quantity, pause)
      : equalityUnsupported(other);
  }
  override get hostName(): string {
    return "Quantity";
  }
  override get hostText(): string {
    return this.toString();
  }
  override throughHost(): CelError {
    return notFromHost("*resource.Quantity", this.toString());
  }
  override toString(): string {
    return this.quantity.toString(pause);
  }
}

/** `quantity` and its methods. */
// biome-ignore format: one overload per line
export const quantityLibrary: Library = {
  name: "kubernetes.quantity", costBy: "function",
  overloads: [
    //     name                  overload id                 arguments             result    cost      implementation
    specialized(
      fn(  "quantity",           "string_to_quantity",       [STRING],             QUANTITY, scan(0),  toQuantity), constantText(toQuantity)),
    fn(    "isQuantity",         "is_quantity_string",       [STRING],             BOOL,     scan(0),  (text) => !(parseQuantity(text, pause) instanceof Invalid)),
    fn(    "sign",               "quantity_sign",            [QUANTITY],           INT,      fixed(1), ({ quantity }) => quantity.sign()),
    method("isGreaterThan",      "quantity_is_greater_than", [QUANTITY, QUANTITY], BOOL,     fixed(1), (a, b) => compare(a, b) > 0),
    method("isLessThan",         "quantity_is_less_than",    [QUANTITY, QUANTITY], BOOL,     fixed(1), (a, b) => compare(a, b) < 0),
    method("compareTo",          "quantity_compare_to",      [QUANTITY, QUANTITY], INT,      fixed(1), compare),
    method("asApproximateFloat", "quantity_get_float",       [QUANTITY],           DOUBLE,   fixed(1), ({ quantity }) => quantity.asApproximateFloat()),
    method("asInteger",          "quantity_get_int",         [QUANTITY],           INT,      fixed(1), asInteger),
    method("isInteger",          "quantity_is_integer",      [QUANTITY],           BOOL,     fixed(1), ({ quantity }) => quantity.isInteger()),
    method("add",                "quantity_add",             [QUANTITY, QUANTITY], QUANTITY, fixed(1), (a, b) => sum(a.quantity.add(b.quantity))),
    method("add",                "quantity_add_int",         [QUANTITY, INT],      QUANTITY, fixed(1), (a, n) => sum(a.quantity.add(fromInt(n)))),
    method("sub",                "quantity_sub",             [QUANTITY, QUANTITY], QUANTITY, fixed(1), (a, b) => sum(a.quantity.sub(b.quantity))),
    method("sub",                "quantity_sub_int",         [QUANTITY, INT],      QUANTITY, fixed(1), (a, n) => sum(a.quantity.sub(fromInt(n)))),
  ],
};

/** A step of reading or comparing long numbers takes some milliseconds: the clock is checked before each. */
const pause = (): void => work(STEPS_PER_PIECE);
const STEPS_PER_PIECE = 40_000;

function toQuantity(text: string): QuantityValue | CelError {
  const quantity = parseQuantity(text, pause);
  return quantity instanceof Invalid ? celError("invalid_argument", quantity.message) : new QuantityValue(quantity);
}

function compare(a: QuantityValue, b: QuantityValue): -1 | 0 | 1 {
  return a.quantity.compare(b.quantity, pause);
}

function asInteger({ quantity }: QuantityValue): Int | CelError {
  const n = quantity.asInteger();
  if (n === undefined) return celError("conversion", "cannot convert value to integer");
  const small = Number(n);
  return Number.isSafeInteger(small) ? small : n;
}

function sum(quantity: Quantity): QuantityValue {
  grow(quantity.digitCount());
  return new QuantityValue(quantity, true);
}

const fromInt = (n: Int): Quantity => quantityOf(n, "DecimalExponent");
