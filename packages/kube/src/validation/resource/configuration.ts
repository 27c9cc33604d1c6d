// Settings that drivers understand.

import { toJson, utf8Length } from "@celadon/base";
import type { DeviceConfiguration } from "../../api/generated/resource-v1.ts";
import type { ValidatedField } from "../field.ts";
import { declaredDriverName } from "./names.ts";

const MAX_PARAMETERS = 10 * 1024;

export function configuration(config: DeviceConfiguration, at: ValidatedField, stored = false): void {
  const { opaque } = config;
  if (opaque === undefined) {
    at.child("opaque").required();
    return;
  }
  declaredDriverName(opaque.driver, at.child("opaque", "driver"));
  jsonObject(opaque.parameters, at.child("opaque", "parameters"), stored);
}

/** Any JSON object within the length limit; a stored one may be longer. */
export function jsonObject(value: unknown, at: ValidatedField, stored = false): void {
  if (value === undefined || value === null) at.required();
  else if (!stored && utf8Length(toJson(value)) > MAX_PARAMETERS) at.tooLong(MAX_PARAMETERS);
  else if (typeof value !== "object" || Array.isArray(value)) {
    at.invalid("<value omitted>", "must be a valid JSON object");
  }
}
