// Names of services: labels, which had to begin with a letter up to 1.35.

import type { Emulation } from "../../emulation.ts";
import { checkDns1035Label, checkDns1123Label, type TextCheck } from "../../names.ts";

/** The check of a service's name. */
export function serviceName(by: Emulation): TextCheck {
  return by.enables("RelaxedServiceNameValidation") ? checkDns1123Label : checkDns1035Label;
}
