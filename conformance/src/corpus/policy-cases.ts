// The corpus of real-world policies: one directory per case, with its policy, bindings, params, objects and the recorded answers. It is
// third-party data beside the project, not part of it: absent in a clean clone.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type AdmissionReport,
  type AdmissionRequest,
  admit,
  createPolicySet,
  type Hosts,
  type PolicyResource,
  type PolicySet,
} from "@celadon/admission";
import {
  createConverter,
  createNamespaceSource,
  createParamSource,
  createRbacAuthorizer,
  createResources,
  type Resources,
} from "@celadon/admission/memory";
import { Double } from "@celadon/cel";
import { gvkOf, type KubeObject, nameOf, namespaceOf } from "@celadon/kube";
import { withServerDefaults } from "@celadon/kube/defaults";
import { readDocuments, readIssueText } from "@celadon/kube/read";
import { CORPUS } from "./corpus-directory.ts";

export const POLICIES: string = join(CORPUS, "policies");

export interface Expected {
  readonly allowed: boolean | null;
  readonly operation: "CREATE" | "UPDATE" | "DELETE" | "CONNECT";
  readonly oldObject?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly namespaceLabels?: Readonly<Record<string, string>>;
  readonly namespaceAnnotations?: Readonly<Record<string, string>>;
  readonly userInfo?: AdmissionRequest["userInfo"];
  readonly rbac?: readonly unknown[];
  readonly serviceAccountRbac?: Readonly<Record<string, readonly unknown[]>>;
  readonly verdictFrom?: string;
  readonly dependsOnServerDefaults?: boolean;
  readonly auditAnnotations?: Readonly<Record<string, string>>;
  readonly warning?: string;
  readonly reason?: string;
  readonly error?: string | readonly string[];
}

export interface Recorded {
  readonly by: "ok" | "policy" | "schema" | "other";
  readonly code?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly causes?: readonly unknown[];
  readonly warnings?: readonly string[];
}

/** The version whose server gave the recorded answers. */
const RECORDED_WITH = "1.36";

interface Setup {
  readonly code: number;
  readonly policy?: string;
  readonly binding?: string;
}

export interface PolicyCase {
  readonly name: string;
  readonly policies: PolicySet;
  readonly params: readonly KubeObject[];
  readonly resources: Resources;
  /** False where the server refused a policy or binding of the case. */
  readonly accepted: boolean;
  readonly objects: readonly {
    readonly file: string;
    readonly expected: Expected;
    readonly recorded: Recorded | undefined;
  }[];
  /** The object in a file of the case, or undefined when the file holds several. */
  object(file: string): KubeObject | undefined;
}

export function loadCase(name: string): PolicyCase {
  const directory = join(POLICIES, name);
  const optional = (file: string): KubeObject[] =>
    existsSync(join(directory, file)) ? read(join(directory, file)) : [];
  const json = <T>(file: string): T => JSON.parse(readFileSync(join(directory, file), "utf8")) as T;
  const expected = json<{ objects: Record<string, Expected> }>("expected.json").objects;
  const { objects: recorded, setup } = json<{ objects: Record<string, Recorded>; setup: readonly Setup[] }>(
    "recorded.json",
  );
  const resources = [...optional("policy.yaml"), ...optional("binding.yaml")];
  return {
    name,
    policies: createPolicySet(resources as unknown as PolicyResource[], { kubeVersion: RECORDED_WITH }),
    params: optional("params.yaml"),
    accepted: setup.every(({ code, policy, binding }) => code < 300 || (policy ?? binding) === undefined),
    resources: createResources({ definitions: optional("crds.yaml") }),
    objects: Object.entries(expected).map(([file, entry]) => ({ file, expected: entry, recorded: recorded[file] })),
    object: (file) => {
      const found = read(join(directory, "objects", file));
      return found.length === 1 ? found[0] : undefined;
    },
  };
}

function read(file: string): KubeObject[] {
  const { documents, issues } = readDocuments(readFileSync(file, "utf8"), { file, double: (n) => new Double(n) });
  if (issues.length > 0) throw new Error(issues.map(readIssueText).join("\n"));
  return documents.map(({ value }) => value as KubeObject).filter((value) => value !== null);
}

/** Asks the case's policies about one object: as it is in the file, or as a server presents it. */
export async function askCase(
  policyCase: PolicyCase,
  file: string,
  expected: Expected,
  asServer: boolean,
): Promise<AdmissionReport | undefined> {
  const present = (object: KubeObject | undefined): KubeObject | undefined =>
    object && asServer ? withServerDefaults(object) : object;
  const object = present(policyCase.object(file));
  if (object === undefined) return undefined;
  const oldObject = expected.oldObject === undefined ? undefined : present(policyCase.object(expected.oldObject));
  const request = requestOf(policyCase, object, oldObject, expected);
  return request && admit(request, policyCase.policies, hostsOf(policyCase, request, expected));
}

function requestOf(
  policyCase: PolicyCase,
  object: KubeObject,
  oldObject: KubeObject | undefined,
  expected: Expected,
): AdmissionRequest | undefined {
  const { operation, subresource } = expected;
  const userInfo = expected.userInfo ?? {
    username: "kubernetes-admin",
    groups: ["system:masters", "system:authenticated"],
  };
  if (operation === "CONNECT") {
    const resource = { group: "", version: "v1", resource: expected.resource ?? "pods" };
    return {
      kind: gvkOf(object),
      resource,
      subresource: subresource ?? "",
      operation,
      object,
      oldObject: null,
      userInfo,
      options: null,
      name: expected.name ?? "",
      namespace: expected.namespace ?? "default",
      dryRun: false,
    };
  }
  const served = policyCase.resources.ofKind(gvkOf(object));
  if (served === undefined) return undefined;
  const { group, version, resource, namespaced } = served;
  const name = nameOf(object);
  const isNamespace = group === "" && resource === "namespaces";
  const deleting = operation === "DELETE";
  return {
    kind: gvkOf(object),
    resource: { group, version, resource },
    ...(subresource === undefined ? {} : { subresource }),
    name,
    namespace: isNamespace ? name : namespaced ? namespaceOf(object) || "default" : "",
    operation,
    object: deleting ? null : object,
    oldObject: deleting ? object : (oldObject ?? null),
    userInfo,
    options: { apiVersion: "meta.k8s.io/v1", kind: `${operation[0]}${operation.slice(1).toLowerCase()}Options` },
    dryRun: true,
  };
}

function hostsOf(policyCase: PolicyCase, request: AdmissionRequest, expected: Expected): Hosts {
  const { namespaceLabels = {}, namespaceAnnotations = {} } = expected;
  const namespace: KubeObject = {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name: request.namespace || "default", labels: namespaceLabels, annotations: namespaceAnnotations },
    spec: { finalizers: ["kubernetes"] },
    status: { phase: "Active" },
  };
  return {
    namespaces: createNamespaceSource([namespace]),
    params: createParamSource(policyCase.params, policyCase.resources),
    authorizer: createRbacAuthorizer(rolesOf(expected)),
    resources: policyCase.resources,
    converter: createConverter(),
  };
}

// Rules granted to the requesting user and to service accounts, as roles and bindings.
function rolesOf({ rbac, serviceAccountRbac = {}, userInfo }: Expected): KubeObject[] {
  const grants = Object.entries(serviceAccountRbac).map(([user, rules]) => ({ user, rules }));
  if (rbac !== undefined) grants.push({ user: userInfo?.username ?? "", rules: rbac });
  return grants.flatMap(({ user, rules }, i) => {
    const metadata = { name: `grant-${i}` };
    const apiVersion = "rbac.authorization.k8s.io/v1";
    const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: metadata.name };
    return [
      { apiVersion, kind: "ClusterRole", metadata, rules },
      { apiVersion, kind: "ClusterRoleBinding", metadata, roleRef, subjects: [{ kind: "User", name: user }] },
    ];
  });
}
