// Existing objects, as their clients read them.

import type { Maybe } from "@celadon/admission";
import { isRecord, type JsonObject } from "@celadon/base";
import type { ResourceVersion } from "@celadon/crd";
import type { KubeObject } from "@celadon/kube";
import { withServerDefaults } from "@celadon/kube/defaults";
import type { WrittenResource } from "@celadon/write";
import { AS_WRITTEN, customStrategy } from "@celadon/write/strategy";
import { roleOf } from "../manifest/roles.ts";
import { typeMetaOf } from "../request/intended-request.ts";
import type { ReviewHost } from "../review-host.ts";
import { typeMetaStatus } from "./stage.ts";
import { storedObject } from "./write-hosts.ts";

/** An existing custom resource. */
export function storedCustom(
  version: ResourceVersion,
  resource: WrittenResource,
  object: KubeObject,
): Maybe<KubeObject> {
  if (!isReadable(object)) return object;
  const read = version.read(object as JsonObject) as KubeObject;
  return storedObject(
    resource,
    customStrategy(version, "", () => ({})),
    read,
  );
}

/** An existing object of a built-in kind. One that cannot be read stays as it was written, but for metadata. */
export async function storedBuiltin(
  cluster: ReviewHost,
  resource: WrittenResource,
  object: KubeObject,
): Promise<KubeObject> {
  const { serverDefaults, kubeVersion } = cluster.options;
  if (!isReadable(object)) return object;
  const setUp = storedSetUp(cluster, object);
  if (setUp === undefined && serverDefaults === false) return object;
  const read = setUp ?? withServerDefaults(object, kubeVersion);
  return storedObject(resource, read === object ? AS_WRITTEN : await cluster.strategies.of(resource), read);
}

/** A resource of the set-up as it is served, valid or not. A definition is in use, so that its scope and kind cannot change. */
function storedSetUp(cluster: ReviewHost, object: KubeObject): KubeObject | undefined {
  const accepted = cluster.accepted(object)?.resource as KubeObject | undefined;
  if (accepted === undefined) return undefined;
  const read = { ...accepted, ...typeMetaOf(object), metadata: object.metadata };
  if (roleOf(object) !== "definition") return read as KubeObject;
  const status = { ...membersOf(accepted.status), conditions: ESTABLISHED, ...membersOf(object.status) };
  return { ...read, status } as KubeObject;
}

const ESTABLISHED = [{ type: "Established", status: "True" }] as const;

const membersOf = (value: unknown): object => (isRecord(value) ? value : {});

function isReadable(object: KubeObject): boolean {
  return typeMetaStatus(object) === undefined && isRecord(object.metadata ?? {});
}
