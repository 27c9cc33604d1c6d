// Conditions that a device has to have, or must not have, before a pod is bound to its node.

import { givenPart } from "../../types/empty-fields.ts";
import { labelName } from "../checks/selectors.ts";
import type { ValidatedField } from "../field.ts";
import { atMost } from "./lists.ts";

const MAX = 4;

interface BindingConditions {
  readonly bindingConditions?: readonly string[] | undefined;
  readonly bindingFailureConditions?: readonly string[] | undefined;
}

/** There are either both or none, and no condition is in both. */
export function bindingConditions(given: BindingConditions, at: ValidatedField): void {
  const [good, bad] = [at.child("bindingConditions"), at.child("bindingFailureConditions")];
  const { bindingConditions: wanted, bindingFailureConditions: failures } = given;
  atMost(wanted, MAX, good, (name, each) => labelName(name, each));
  atMost(failures, MAX, bad, (name, each) => labelName(name, each));
  good.each(wanted, (name, each, i) => {
    if (wanted!.indexOf(name) < i) each.duplicate(name);
  });
  bad.each(failures, (name, each, i) => {
    if (failures!.indexOf(name) < i) each.duplicate(name);
    if (wanted?.includes(name)) each.invalid(name, "bindingFailureConditions must not overlap with bindingConditions");
  });
  if (!wanted?.length && failures?.length) {
    good.invalid(
      givenPart(given, "bindingConditions", []),
      "bindingConditions are required to use bindingFailureConditions",
    );
  }
  if (!failures?.length && wanted?.length) {
    bad.invalid(
      givenPart(given, "bindingFailureConditions", []),
      "bindingFailureConditions are required to use bindingConditions",
    );
  }
}
