// Rejects the creation of objects in a namespace that does not exist or is being deleted. Upstream: apiserver
// pkg/admission/plugin/namespace/lifecycle.

import type { KubeObject } from "@celadon/kube";
import { forbidden, notFound } from "@celadon/kube/status";
import type { AdmissionPlugin } from "@celadon/write";
import { StatusError } from "../wire/status-error.ts";

const NAMESPACES = { group: "", resource: "namespaces" };

/** Reviews are not stored anywhere. */
const ACCESS_REVIEW = "localsubjectaccessreviews";

export function namespaceLifecycle(namespace: (name: string) => KubeObject | undefined): AdmissionPlugin {
  return {
    name: "NamespaceLifecycle",
    mutate({ operation, namespace: name = "", resource, kind, object }) {
      if (operation !== "CREATE" || name === "" || kind.kind === "Namespace") return undefined;
      if (resource.group === "authorization.k8s.io" && resource.resource === ACCESS_REVIEW) return undefined;
      const found = namespace(name);
      if (found === undefined) throw new StatusError(notFound(NAMESPACES, name));
      const { phase } = (found.status ?? {}) as { phase?: string };
      if (phase !== "Terminating") return undefined;
      const text = `unable to create new content in namespace ${name} because it is being terminated`;
      const status = forbidden(resource, object?.metadata?.name ?? "", text);
      const cause = {
        reason: "NamespaceTerminating",
        message: `namespace ${name} is being terminated`,
        field: "metadata.namespace",
      };
      throw new StatusError({ ...status, details: { ...status.details, causes: [cause] } });
    },
  };
}
