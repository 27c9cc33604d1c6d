// Rules for the part of a capacity that one claim may take: some values, or a range with steps.

import type { CapacityRequestPolicy, CapacityRequestPolicyRange } from "../../api/generated/resource-v1.ts";
import type { Quantity } from "../../quantity/quantity.ts";
import { quantityAt, wholeValue } from "../checks/quantities.ts";
import type { ValidatedField } from "../field.ts";
import { eachOnce } from "./lists.ts";

const MAX_VALUES = 10;

export function requestPolicy(capacity: string | undefined, policy: CapacityRequestPolicy, at: ValidatedField): void {
  const { validValues: values = [], validRange: range, default: preset } = policy;
  const max = quantityAt(capacity);
  if (values.length > 0 && range !== undefined) {
    at.forbidden('exactly one policy can be specified, cannot specify "validValues" and "validRange" at the same time');
  } else if (values.length > 0) {
    if (preset == null) at.child("default").required("required when validValues is defined");
    else someValues(quantityAt(preset), max, values, at.child("validValues"));
  } else if (range !== undefined) {
    if (preset == null) at.child("default").required("required when validRange is defined");
    else someRange(quantityAt(preset), max, range, at.child("validRange"));
  }
}

function someValues(preset: Quantity, max: Quantity, values: readonly string[], at: ValidatedField): void {
  const amounts = values.map(quantityAt);
  for (const [i, amount] of amounts.entries()) {
    const next = amounts[i + 1];
    if (next !== undefined && amount.compare(next) > 0) {
      at.index(i + 1).invalid(next.toString(), "values must be sorted in ascending order");
    }
  }
  eachOnce(
    amounts,
    MAX_VALUES,
    at,
    (amount, each) => {
      if (amount.compare(max) > 0) each.invalid(amount.toString(), `option is larger than capacity value: ${max}`);
    },
    (amount) => String(wholeValue(amount)),
  );
  if (amounts.length > MAX_VALUES || !amounts.some((amount) => amount.compare(preset) === 0)) {
    at.invalid(preset.toString(), "default value is not valid according to the requestPolicy");
  }
}

function someRange(preset: Quantity, capacity: Quantity, range: CapacityRequestPolicyRange, at: ValidatedField): void {
  if (range.min === undefined) {
    at.child("min").required("required when validRange is defined");
    return;
  }
  const [min, max] = [quantityAt(range.min), range.max === undefined ? undefined : quantityAt(range.max)];
  const tooMuch = (amount: Quantity, what: string, bound: Quantity, place: ValidatedField): void => {
    if (amount.compare(bound) > 0) place.invalid(amount.toString(), `${what}: ${bound}`);
  };
  tooMuch(min, "min is larger than capacity value", capacity, at.child("min"));
  if (preset.compare(min) < 0) at.child("min").invalid(preset.toString(), `default is less than min: ${min}`);
  if (max !== undefined) {
    tooMuch(min, "min is larger than max", max, at.child("max"));
    tooMuch(max, "max is larger than capacity value", capacity, at.child("max"));
    tooMuch(preset, "default is more than max", max, at.child("max"));
  }
  if (range.step === undefined) return;
  const step = quantityAt(range.step);
  const once = min.add(step);
  if (once.compare(capacity) > 0) {
    at.child("step").invalid(step.toString(), `one step ${once} is larger than capacity value: ${capacity}`);
  }
  for (const amount of max === undefined ? [preset] : [preset, max]) {
    const steps = wholeValue(step);
    if (steps !== 0n && (wholeValue(amount) - wholeValue(min)) % steps === 0n) continue;
    const detail = `value is not a multiple of a given step (${step}) from (${min})`;
    at.child("step").invalid(amount.toString(), detail);
  }
}
