// Tolerations, spreading over topologies, gates.

import type { PodSchedulingGate, Toleration, TopologySpreadConstraint } from "../../../api/generated/core-v1.ts";
import { JsonShown } from "../../../field-error.ts";
import { checkLabelValue, checkQualifiedName } from "../../../names.ts";
import { labelName, labelSelector } from "../../checks/selectors.ts";
import type { ValidatedField } from "../../field.ts";
import { shownAs } from "../../show/internal.ts";
import { spreadLabelKeys } from "./affinity.ts";

const EFFECTS: readonly string[] = ["NoSchedule", "PreferNoSchedule", "NoExecute"];
const INCLUSION: readonly string[] = ["Honor", "Ignore"];

export function tolerations(given: readonly Toleration[] | undefined, at: ValidatedField): void {
  at.each(given, (toleration, each) => {
    const { key, operator = "", effect = "", tolerationSeconds } = toleration;
    if (key) labelName(key, each.child("key"));
    else if (operator !== "Exists") {
      const detail = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
      each.child("operator").invalid(new JsonShown(operator), detail);
    }
    if (tolerationSeconds !== undefined && effect !== "NoExecute") {
      each.child("effect").invalid(new JsonShown(effect), "effect must be 'NoExecute' when `tolerationSeconds` is set");
    }
    toleratedValue(toleration, each.child("operator"));
    if (effect !== "") taintEffect(effect, each.child("effect"));
  });
}

function toleratedValue(toleration: Toleration, at: ValidatedField): void {
  const { operator = "", value = "" } = toleration;
  switch (operator) {
    case "":
    case "Equal": {
      const problems = checkLabelValue(value, at.by);
      if (problems.length > 0) at.invalid(value, problems.join(";"));
      return;
    }
    case "Exists":
      if (value !== "")
        at.invalid(
          at.by.since(32) ? value : shownAs("core.Toleration", toleration),
          "value must be empty when `operator` is 'Exists'",
        );
      return;
    case "Lt":
    case "Gt":
      at.unsupported(operator, ["Equal", "Exists", "Lt", "Gt"]);
      return;
    default:
      at.unsupported(operator, ["Equal", "Exists"]);
      return;
  }
}

export function taintEffect(effect: string | undefined, at: ValidatedField): void {
  at.mustBeOneOf(effect, EFFECTS);
}

export function topologySpread(given: readonly TopologySpreadConstraint[] | undefined, at: ValidatedField): void {
  at.each(given, (constraint, each, i) => {
    const { topologyKey = "", whenUnsatisfiable = "", minDomains } = constraint;
    each.child("maxSkew").positive(constraint.maxSkew);
    if (topologyKey === "") each.child("topologyKey").required("can not be empty");
    each.child("whenUnsatisfiable").oneOf(whenUnsatisfiable, ["DoNotSchedule", "ScheduleAnyway"]);
    const repeated = given!
      .slice(i + 1)
      .some(
        (other) => (other.topologyKey ?? "") === topologyKey && (other.whenUnsatisfiable ?? "") === whenUnsatisfiable,
      );
    if (repeated) {
      each.child("{topologyKey, whenUnsatisfiable}").duplicate(`{${topologyKey}, ${whenUnsatisfiable}}`);
    }
    if (minDomains !== undefined) {
      const place = each.child("minDomains");
      place.positive(minDomains);
      if (whenUnsatisfiable !== "DoNotSchedule") {
        const detail = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${whenUnsatisfiable}`;
        place.invalid(minDomains, detail);
      }
    }
    each.child("nodeAffinityPolicy").mayBeOneOf(constraint.nodeAffinityPolicy, INCLUSION);
    each.child("nodeTaintsPolicy").mayBeOneOf(constraint.nodeTaintsPolicy, INCLUSION);
    spreadLabelKeys(constraint, each);
    labelSelector(constraint.labelSelector, each.child("labelSelector"));
  });
}

export function schedulingGates(gates: readonly PodSchedulingGate[] | undefined, at: ValidatedField): void {
  const seen = new Set<string>();
  at.each(gates, ({ name = "" }, each) => {
    each.check(name, checkQualifiedName);
    if (seen.has(name)) each.duplicate(name);
    seen.add(name);
  });
}
