// `celadon up --envtest`: the control plane that controller-runtime's envtest starts has an API server and etcd, and no controller manager.

import type { LaunchOptions } from "@celadon/apiserver";

/** The controller manager's part of a cluster, and the admission plugin that needs it. */
const CONTROLLERS = [
  "namespace",
  "serviceaccount",
  "root-ca-certificate-publisher",
  "garbage-collector",
  "resourcequota",
  "clusterrole-aggregation",
  "storage-protection",
  "validatingadmissionpolicy-status",
];

/** Suites ask how the server is before they have a certificate. */
export function envtestOptions({
  withoutControllers = [],
  withoutPlugins = [],
}: Pick<LaunchOptions, "withoutControllers" | "withoutPlugins">): Partial<LaunchOptions> {
  return {
    anonymousHealth: true,
    withoutControllers: [...new Set([...withoutControllers, ...CONTROLLERS])],
    withoutPlugins: [...new Set([...withoutPlugins, "ServiceAccount"])],
  };
}
