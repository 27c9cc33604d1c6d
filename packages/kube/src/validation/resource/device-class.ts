// DeviceClasses: kinds of devices that a cluster knows.

import { semanticEqual } from "@celadon/base";
import type { DeviceClass, DeviceClassSpec } from "../../api/generated/resource-v1.ts";
import { checkDns1123Subdomain } from "../../names.ts";
import { metadata, metadataUpdate } from "../checks/metadata.ts";
import { isExtended } from "../checks/resource-names.ts";
import type { ValidatedField } from "../field.ts";
import { type AnyKindRules, kindRules, type Request, SPEC } from "../rules.ts";
import { configuration } from "./configuration.ts";
import { atMost } from "./lists.ts";
import { selectors } from "./selectors.ts";

const SCOPE = { namespaced: false, name: checkLongName, anyGenerateName: true };
const MAX_CONFIGS = 32;

export const deviceClass: AnyKindRules = kindRules<DeviceClass>({
  kind: { group: "resource.k8s.io", kind: "DeviceClass" },
  resource: "deviceclasses",
  namespaced: false,
  unconditionalUpdate: true,
  generation: [SPEC],
  validate(object, at, request) {
    metadata(object.metadata, SCOPE, at.child("metadata"));
    classSpec(object.spec ?? {}, undefined, request, at.child("spec"));
  },
  validateUpdate(object, old, at, request) {
    metadata(object.metadata, SCOPE, at.child("metadata"));
    metadataUpdate(object.metadata, old.metadata, at.child("metadata"));
    classSpec(object.spec ?? {}, old.spec ?? {}, request, at.child("spec"));
  },
});

/** A newer wording of the same rule. */
function checkLongName(name: string): string[] {
  return checkDns1123Subdomain(name).map((problem) => problem.replace("253 characters", "253 bytes"));
}

function classSpec(
  spec: DeviceClassSpec,
  old: DeviceClassSpec | undefined,
  request: Request,
  at: ValidatedField,
): void {
  const stored = (field: "selectors" | "config"): boolean =>
    old !== undefined && semanticEqual(spec[field], old[field]);
  const context = { compile: request.compileSelector, stored: stored("selectors") };
  selectors(spec.selectors, context, at.child("selectors"));
  atMost(spec.config, MAX_CONFIGS, at.child("config"), (deviceClassConfiguration, each) =>
    configuration(deviceClassConfiguration, each, stored("config")),
  );
  const { extendedResourceName: name } = spec;
  if (name !== undefined && !isExtended(name)) {
    at.child("extendedResourceName").invalid(name, "must be a valid extended resource name");
  }
}
