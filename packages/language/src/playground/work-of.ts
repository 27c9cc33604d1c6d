// A request and its cluster, as work of the playground: only the resources with a part in the answer, so that a link stays short.

import { valueAt } from "@celadon/base";
import { type KubeObject, nameOf } from "@celadon/kube";
import { identityOf } from "@celadon/simulator";
import { type Role, roleOf } from "@celadon/simulator/manifests";
import { stringify } from "yaml";
import type { Work, WorkMode, WorkRequest } from "./work.ts";

/** A request to show. */
export interface ShownRequest {
  /** The manifests in the cluster. */
  readonly manifests: readonly KubeObject[];
  readonly object?: KubeObject | null | undefined;
  readonly oldObject?: KubeObject | null | undefined;
  readonly request?: WorkRequest;
  readonly kubeVersion?: string | undefined;
  /** Names of policies that it is about; all of them without. */
  readonly policies?: ReadonlySet<string>;
}

/** The work that shows the answer to a request. */
export function workOf({ manifests, object, oldObject, request = {}, kubeVersion, policies }: ShownRequest): Work {
  const subject = object ?? oldObject ?? undefined;
  const deciding = decidingOn(subject, manifests, policies);
  return {
    mode: modeOf(subject, deciding),
    policy: textOf(deciding),
    object: textOf(object ? [object] : []),
    oldObject: textOf(oldObject ? [oldObject] : []),
    tests: "",
    request,
    ...(kubeVersion !== undefined && { kubeVersion }),
  };
}

function textOf(objects: readonly KubeObject[]): string {
  return objects.map((object) => stringify(object, { lineWidth: 0, aliasDuplicateObjects: false })).join("---\n");
}

const NAMED: ReadonlySet<Role> = new Set(["policy", "mutatingPolicy"]);
const BINDINGS: ReadonlySet<Role> = new Set(["binding", "mutatingBinding"]);

function decidingOn(
  subject: KubeObject | undefined,
  manifests: readonly KubeObject[],
  policies: ReadonlySet<string> | undefined,
): readonly KubeObject[] {
  const isWanted = (name: unknown): boolean => policies === undefined || policies.has(String(name));
  const own = subject && identityOf(subject);
  const isMeant = (object: KubeObject): boolean => {
    const role = roleOf(object);
    if (NAMED.has(role)) return isWanted(nameOf(object));
    return BINDINGS.has(role) && isWanted(valueAt(object, ["spec", "policyName"]));
  };
  const paramKinds = new Set(
    manifests.filter(isMeant).map((manifest) => String(valueAt(manifest, ["spec", "paramKind", "kind"]) ?? "")),
  );
  const hasCertificate = subject !== undefined && /^cert-manager\.io\//.test(String(subject.apiVersion));
  return manifests.filter((manifest) => {
    if (identityOf(manifest) === own) return false;
    switch (roleOf(manifest)) {
      case "policy":
      case "mutatingPolicy":
      case "binding":
      case "mutatingBinding":
        return isMeant(manifest);
      case "definition":
        return isOf(manifest, subject?.kind) || [...paramKinds].some((kind) => isOf(manifest, kind));
      case "webhooks":
      case "rbac":
        return true;
      case "certificatePolicy":
        return hasCertificate;
      case "namespace":
        return nameOf(manifest) === subject?.metadata?.namespace;
      default:
        return paramKinds.has(String(manifest.kind));
    }
  });
}

function isOf(definition: KubeObject, kind: unknown): boolean {
  return kind !== undefined && valueAt(definition, ["spec", "names", "kind"]) === kind;
}

function modeOf(subject: KubeObject | undefined, deciding: readonly KubeObject[]): WorkMode {
  const roles = new Set(deciding.map(roleOf));
  if (roles.has("certificatePolicy")) return "certificates";
  if (roles.has("mutatingPolicy") && !roles.has("policy")) return "mutating";
  if (roles.has("policy")) return "validating";
  if (deciding.some((manifest) => roleOf(manifest) === "definition" && isOf(manifest, subject?.kind))) return "crd";
  return roles.has("webhooks") ? "conditions" : "validating";
}
