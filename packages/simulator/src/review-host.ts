// The cluster that a review needs. A `SimulatedCluster` provides it from manifests; other hosts provide it from where they keep objects. Files are
// unknown here: places are looked up by path when results are printed.

import type { Hosts, PolicySet } from "@celadon/admission";
import type { ChainHosts } from "@celadon/admission/chain";
import type { Resources } from "@celadon/admission/memory";
import type { MutatingPolicySet } from "@celadon/admission/mutating";
import type { WebhookSet } from "@celadon/admission/webhook";
import type { CertificateRequestPolicy, Reviewer } from "@celadon/certpolicy";
import type { CustomResourceType } from "@celadon/crd";
import type { AcceptedResource, GroupVersionKind, KubeObject } from "@celadon/kube";
import type { Minor } from "@celadon/kube-cel";
import type { Strategies } from "./strategies.ts";

/** Settings of an API server: its flags and version. */
export interface ServerBehaviour {
  /** Built-in kinds get the API server's defaults before anything reads them. On unless false. */
  readonly serverDefaults?: boolean;
  /** Objects of built-in kinds are validated as the API server does it. On unless false. */
  readonly builtinValidation?: boolean;
  /** The treatment of unknown fields; kubectl requests Strict. */
  readonly fieldValidation?: "Strict" | "Warn" | "Ignore";
  /** Kinds that neither Kubernetes nor a definition knows; a warning by default. */
  readonly unknownKinds?: "error" | "warn" | "ignore";
  /** The version of the API server: its kinds, its libraries and its rules. The current one when absent. */
  readonly kubeVersion?: Minor;
}

/** The hosts of policies and webhooks. Without a transport, webhooks are not called and their changes are unknown. */
export type ClusterHosts = ChainHosts & Required<Hosts>;

/** The cluster as a review sees it. */
export interface ReviewHost {
  readonly options: ServerBehaviour;
  /** Policies and bindings in force, and their host. */
  readonly policies: PolicySet;
  readonly mutatingPolicies: MutatingPolicySet;
  readonly hosts: ClusterHosts;
  readonly webhooks: WebhookSet;
  /** In the order a controller lists them. */
  readonly certificatePolicies: readonly CertificateRequestPolicy[];
  readonly reviewer: Reviewer;
  readonly resources: Resources;
  /** Whether roles are known, so that permissions can be checked. */
  readonly saysWhoMay: boolean;
  /** The type of a custom resource; undefined when no definition in force has it. */
  typeOf(group: string, kind: string): CustomResourceType | undefined;
  /** The server's answer to a new set-up resource; undefined for other objects. */
  accepted(object: KubeObject): AcceptedResource<unknown> | undefined;
  /** The strategies of built-in kinds. */
  readonly strategies: Strategies;
  hasNamespace(name: string): boolean;
  /** The name of a definition of the kind that is not in force. */
  rejectedDefinition(kind: GroupVersionKind): string | undefined;
}
