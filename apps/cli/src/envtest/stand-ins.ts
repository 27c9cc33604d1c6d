// The programs that controller-runtime's envtest starts, as small scripts: kube-apiserver is `celadon up --envtest`, etcd keeps nothing, because
// nothing asks it but envtest itself, and kubectl is the installed one.

import { IDLE_ETCD } from "./idle-etcd.ts";

/** The programs behind the scripts. */
export interface StandInOptions {
  /** Node's own file. */
  readonly node: string;
  /** The file of the celadon command. */
  readonly celadon: string;
  /** The version that the server emulates unless ENVTEST_K8S_VERSION names another; the newest when absent. */
  readonly kubeVersion: string | undefined;
  /** The installed kubectl, if there is one. */
  readonly kubectl: string | undefined;
}

/** By this line a file is known as one that was written here, and may be written again. */
export const MARK = "# Written by celadon envtest-assets.";

/** The files of a directory for KUBEBUILDER_ASSETS, by name. */
export function standIns({ node, celadon, kubeVersion, kubectl }: StandInOptions): ReadonlyMap<string, string> {
  const fallback = kubeVersion === undefined ? "" : ` --kube-version ${kubeVersion}`;
  return new Map([
    [
      "kube-apiserver",
      script([
        `version=\${ENVTEST_K8S_VERSION:+ --kube-version "$ENVTEST_K8S_VERSION"}`,
        `exec ${quoted(node)} ${quoted(celadon)} up --envtest --quiet \${version:-${fallback}} "$@"`,
      ]),
    ],
    ["etcd", script([`exec ${quoted(node)} "$(dirname "$0")/etcd.mjs" "$@"`])],
    ["etcd.mjs", `//${MARK.slice(1)}\n${IDLE_ETCD}`],
    ["kubectl", script(kubectl === undefined ? NO_KUBECTL : [`exec ${quoted(kubectl)} "$@"`])],
  ]);
}

const script = (lines: readonly string[]): string => `#!/bin/sh\n${MARK}\n${lines.join("\n")}\n`;

const quoted = (path: string): string => `'${path.replaceAll("'", "'\\''")}'`;

const NO_KUBECTL = [
  `echo "kubectl was not installed when celadon envtest-assets ran; install it and run that again" >&2`,
  "exit 1",
];
