// The steps of kube-apiserver after its start, one check each. Here all of it is done before the server is ready, so they stand together;
// monitoring that names one of them finds it.

import { compareMinors, type Minor } from "@celadon/kube/versions";

/** In the reference's order, with the version that added those which are not in all. */
const HOOKS: readonly (readonly [name: string, since?: Minor])[] = [
  ["start-apiserver-admission-initializer"],
  ["generic-apiserver-start-informers"],
  ["priority-and-fairness-config-consumer"],
  ["priority-and-fairness-filter"],
  ["storage-object-count-tracker-hook"],
  ["start-apiextensions-informers"],
  ["start-apiextensions-controllers"],
  ["crd-informer-synced"],
  ["start-system-namespaces-controller"],
  ["peer-endpoint-reconciler-controller", "1.37"],
  ["start-cluster-authentication-info-controller"],
  ["start-kube-apiserver-identity-lease-controller"],
  ["start-kube-apiserver-identity-lease-garbage-collector"],
  ["storage-readiness"],
  ["start-legacy-token-tracking-controller"],
  ["start-service-ip-repair-controllers"],
  ["rbac/bootstrap-roles"],
  ["scheduling/bootstrap-system-priority-classes"],
  ["priority-and-fairness-config-producer"],
  ["bootstrap-controller"],
  ["start-kubernetes-service-cidr-controller", "1.33"],
  ["start-kube-aggregator-informers"],
  ["apiservice-status-local-available-controller"],
  ["apiservice-status-remote-available-controller"],
  ["apiservice-registration-controller"],
  ["apiservice-discovery-controller"],
  ["kube-apiserver-autoregistration"],
];

/** These follow the check that is no step. */
const LAST: readonly string[] = ["apiservice-openapi-controller", "apiservice-openapiv3-controller"];

/** The names of the checks that a version has for its start. */
export function startChecks(minor: Minor): readonly string[] {
  const hooks = HOOKS.filter(([, since]) => since === undefined || compareMinors(minor, since) >= 0);
  const named = (names: readonly string[]): readonly string[] => names.map((name) => `poststarthook/${name}`);
  return [...named(hooks.map(([name]) => name)), "autoregister-completion", ...named(LAST)];
}
