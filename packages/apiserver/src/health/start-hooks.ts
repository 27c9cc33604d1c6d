// The steps of kube-apiserver after its start, one check each. Here all of it is done before the server is ready, so they stand together;
// monitoring that names one of them finds it.

export const START_HOOKS: readonly string[] = [
  "start-apiserver-admission-initializer",
  "generic-apiserver-start-informers",
  "priority-and-fairness-config-consumer",
  "priority-and-fairness-filter",
  "storage-object-count-tracker-hook",
  "start-apiextensions-informers",
  "start-apiextensions-controllers",
  "crd-informer-synced",
  "start-system-namespaces-controller",
  "start-cluster-authentication-info-controller",
  "storage-readiness",
  "start-service-ip-repair-controllers",
  "rbac/bootstrap-roles",
  "scheduling/bootstrap-system-priority-classes",
  "priority-and-fairness-config-producer",
  "bootstrap-controller",
  "start-kube-aggregator-informers",
  "apiservice-status-local-available-controller",
  "apiservice-status-remote-available-controller",
  "apiservice-registration-controller",
  "apiservice-discovery-controller",
  "kube-apiserver-autoregistration",
  "apiservice-openapi-controller",
  "apiservice-openapiv3-controller",
].map((name) => `poststarthook/${name}`);
