// The cluster of a suite of `kyverno test`: values, namespaces, subresources, definitions, the user.

import type { Operation, UserInfo } from "@celadon/admission";
import { pushAll } from "@celadon/base";
import type { KubeObject } from "@celadon/kube";
import type { Manifest } from "@celadon/simulator/manifests";
import { fieldsAt, get, hasText, isFields, labelsAt, listAt, textAt, textsAt } from "../foreign.ts";
import { asManifest, type Importing } from "../imported.ts";

export interface Values {
  readonly operation: Operation | undefined;
  /** `policy/resource` → operation. */
  readonly operations: ReadonlyMap<string, Operation>;
  readonly namespaces: readonly Manifest[];
  /** Kinds that are sent to a subresource: kind → `pods/binding`. */
  readonly subresources: ReadonlyMap<string, string>;
}

export async function valuesOf(test: unknown, into: Importing): Promise<Values> {
  const file = textAt(test, "variables");
  const documents = file === undefined || file === "" ? [] : await into.load([file]);
  const all = [get(test, "values"), ...documents.map(({ value }) => value)].filter(isFields);
  const operations = new Map<string, Operation>();
  const namespaces: Manifest[] = [];
  const subresources = new Map<string, string>();
  let operation: Operation | undefined;
  for (const values of all) {
    operation = operationOf(get(values, "globalValues", "request.operation")) ?? operation;
    for (const policy of listAt(values, "policies")) {
      for (const resource of listAt(policy, "resources")) {
        const own = operationOf(get(resource, "values", "request.operation"));
        if (own) operations.set(`${textAt(policy, "name")}/${textAt(resource, "name")}`, own);
      }
    }
    for (const value of listAt(values, "namespaceSelector")) {
      namespaces.push(namespaceManifest(textAt(value, "name") ?? "", labelsAt(value, "labels")));
    }
    for (const namespace of listAt(values, "namespaces")) {
      namespaces.push(
        namespaceManifest(textAt(namespace, "metadata", "name") ?? "", labelsAt(namespace, "metadata", "labels")),
      );
    }
    for (const subresource of listAt(values, "subresources")) {
      const kind = textAt(subresource, "subresource", "kind");
      const name = textAt(subresource, "subresource", "name");
      if (kind !== undefined && name?.includes("/")) subresources.set(kind, name);
    }
  }
  return { operation, operations, namespaces, subresources };
}

export const operationOf = (value: unknown): Operation | undefined =>
  value === "CREATE" || value === "UPDATE" || value === "DELETE" ? value : undefined;

function namespaceManifest(name: string, own: Readonly<Record<string, string>>): Manifest {
  const labels = { "kubernetes.io/metadata.name": name, ...own };
  return { object: { apiVersion: "v1", kind: "Namespace", metadata: { name, labels }, status: { phase: "Active" } } };
}

export async function userOf(test: unknown, into: Importing): Promise<UserInfo> {
  const file = textAt(test, "userinfo");
  const [document] = file === undefined || file === "" ? [] : await into.load([file]);
  const info = fieldsAt(document?.value, "userInfo");
  return {
    username: textAt(info, "username") ?? "",
    ...(hasText(info, "groups") && { groups: textsAt(info, "groups") }),
  };
}

/** Definitions and objects that exist before the requests. */
export async function clusterOf(test: unknown, into: Importing): Promise<readonly Manifest[]> {
  const documents = await into.load(textsAt(test, "clusterResources"));
  const found: Manifest[] = [];
  for (const { value, origin } of documents) {
    const definitions = await into.load(textsAt(value, "spec", "crds"));
    pushAll(found, definitions.filter(({ value: document }) => isFields(document)).map(asManifest));
    for (const object of listAt(value, "spec", "resources").filter(isFields)) {
      found.push({ object: object as KubeObject, origin });
    }
  }
  return found;
}
