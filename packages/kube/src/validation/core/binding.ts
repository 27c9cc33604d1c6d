// Bindings: a pod gets its node.

import { quoteGo } from "@celadon/base";
import type { Binding } from "../../api/generated/core-v1.ts";
import { fieldErrorsText } from "../../field-error.ts";
import { checkPathSegmentName } from "../../names.ts";
import { badRequest, failure } from "../../status.ts";
import { ValidatedField } from "../field.ts";
import { type AnyActionRules, actionRules } from "../rules.ts";

export const binding: AnyActionRules = actionRules<Binding>({
  kind: { group: "", kind: "Binding" },
  refuse(object, target) {
    const name = object.metadata?.name ?? "";
    if (target.name !== undefined && target.name !== name) {
      return badRequest("name in URL does not match name in Binding object");
    }
    const at = ValidatedField.root();
    const { kind, name: node } = object.target ?? {};
    if (kind && kind !== "Node") at.child("target", "kind").unsupportedText(kind, ["Node", "<empty>"]);
    at.child("target", "name").mustExist(node);
    // Alone among all kinds, this answers with the bare texts.
    if (at.errors.length > 0) return failure(undefined, fieldErrorsText(at.errors));
    if (name === "") return badRequest("Name parameter required.");
    const problems = checkPathSegmentName(name);
    if (problems.length === 0) return undefined;
    return badRequest(`Name parameter invalid: ${quoteGo(name)}: ${problems.join(";")}`);
  },
});
