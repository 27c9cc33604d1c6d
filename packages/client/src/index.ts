// A client of an API server for programs in a cluster. Node only.

export {
  type AccessAnswer,
  type AccessReviewSpec,
  AccessReviews,
  type AccessReviewsOptions,
} from "./access-reviews.ts";
export {
  Api,
  ApiError,
  type ApiOptions,
  type ListOptions,
  type ListPage,
  type Options,
  type PatchFormat,
  type WriteOptions,
} from "./api.ts";
export { Backoff, type BackoffOptions, sleep } from "./backoff.ts";
export type { Connection, Credential, Credentials, Impersonation } from "./connection.ts";
export { type Discovered, type DiscoveredResource, discover } from "./discovery.ts";
export { type EventOf, EventRecorder, type EventRecorderOptions } from "./event-recorder.ts";
export { type InClusterOptions, inCluster } from "./in-cluster.ts";
export { connectionFromKubeconfig, KubeconfigError, type KubeconfigOptions } from "./kubeconfig.ts";
export { type ElectionOptions, LeaderElection } from "./lease.ts";
export { type ReflectedChange, Reflector, type ReflectorOptions, withoutManagedFields } from "./reflector.ts";
export { collectionPath, objectPath, type Query, type Scope, type Target } from "./resource.ts";
export {
  ConnectionError,
  openTransport,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from "./transport.ts";
export type { WatchEvent, WatchOptions } from "./watch.ts";
