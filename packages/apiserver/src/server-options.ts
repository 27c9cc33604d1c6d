// The parts and options of a server.

import type { KeyObject } from "node:crypto";
import type { Gates } from "@celadon/admission/proposals";
import type { WebhookTransport } from "@celadon/admission/webhook";
import type { Minor } from "@celadon/kube/versions";
import type { Store } from "@celadon/storage";
import type { StaticDirectories } from "./admission/static-manifests.ts";
import type { FileAuthentication, TokenSource } from "./authn/authenticator.ts";
import type { ConfiguredChain } from "./authz/configured-chain.ts";
import type { LargeRequestHosts } from "./large/large-requests.ts";

/** The parts and settings of a server. */
export interface ServerOptions {
  /** The version of Kubernetes to emulate: `1.32`. Default: the newest. */
  readonly kubeVersion?: Minor | undefined;
  readonly store: Store;
  /** False when other servers write to the same store. */
  readonly exclusive?: boolean;
  /** Another server over the same store prepares it and runs the controllers. Default: false. */
  readonly follows?: boolean;
  /** A thread for requests with large bodies; without one they hold up everybody else. */
  readonly largeRequests?: Pick<LargeRequestHosts, "entry" | "setup">;
  readonly tokens?: readonly TokenSource[];
  /** Users by the tokens of other issuers, and anonymous ones, by a file that may change. */
  readonly authentication?: FileAuthentication;
  /** Everybody may ask how the server is, at `/healthz`, `/livez` and `/readyz`. Default: false. */
  readonly anonymousHealth?: boolean;
  /** Roles and bindings decide, or everybody may do everything. Default: RBAC. */
  readonly authorization?: "RBAC" | "AlwaysAllow";
  /** Authorizers by a file that may change, instead of nodes and roles alone. */
  readonly authorizationChain?: Pick<ConfiguredChain, "over">;
  /** Sends reviews to webhooks; by default over HTTPS. */
  readonly webhooks?: WebhookTransport;
  /** host:port under which clients reach the server. */
  readonly address?: () => string;
  /** Signs tokens of service accounts; a fresh key when absent. */
  readonly tokenKey?: KeyObject;
  readonly issuer?: string;
  /** The range of the addresses of services, in CIDR notation. */
  readonly serviceRange?: string;
  /** PEM: given to every namespace, so that clients inside it trust the server. */
  readonly rootCa?: string;
  /** PEM: the authorities of client certificates, published for servers behind this one. */
  readonly clientCa?: string;
  /** Milliseconds after which policies, bindings and webhooks take effect; at once by default. */
  readonly policyLag?: number;
  /** Ideas of the proposals that are on; all are off by default. */
  readonly gates?: Gates;
  /** Admission plugins that are off, by name. */
  readonly withoutPlugins?: readonly string[];
  /** Names of admission plugins that must be on; one that this server lacks is an error. */
  readonly withPlugins?: readonly string[];
  /** Controllers that are not started, by name. */
  readonly withoutControllers?: readonly string[];
  /**
   * Also has what Kubernetes' components and tools expect of a cluster: their roles and bindings, the suggested flow schemas, APIServices.
   * They are created shortly after the start. Default: false.
   */
  readonly componentObjects?: boolean;
  /**
   * Stand-ins for nodes, scheduler, kubelets and the controllers of workloads: pods are placed and become ready, without containers. The roles
   * that they need are component objects. Default: false.
   */
  readonly simulate?: boolean;
  /** Directories of policies and webhooks that are in force from the start and cannot be changed through the API. */
  readonly staticManifests?: StaticDirectories;
  /** Seats that the priority levels share. */
  readonly requestLimit?: number;
  /** Milliseconds until the listener gives up a request. */
  readonly requestTimeout?: number;
  readonly now?: () => number;
}
