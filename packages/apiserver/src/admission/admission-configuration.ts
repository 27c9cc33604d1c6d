// The file of kube-apiserver's --admission-control-config-file: which directories hold static manifests. Other contents are refused by
// name, so that no configuration is silently ignored. Upstream: apiserver pkg/apis/apiserver/v1.

import { STATIC_PLUGINS, type StaticDirectories, type StaticPlugin } from "./static-manifests.ts";

type Json = Readonly<Record<string, unknown>>;

const CONFIGURATION_KINDS: Readonly<Record<StaticPlugin, string>> = {
  ValidatingAdmissionPolicy: "ValidatingAdmissionPolicyConfiguration",
  MutatingAdmissionPolicy: "MutatingAdmissionPolicyConfiguration",
  ValidatingAdmissionWebhook: "WebhookAdmission",
  MutatingAdmissionWebhook: "WebhookAdmission",
};

const GROUP_VERSION = "apiserver.config.k8s.io/v1";

/** `read` gives the configuration of a plugin that is in a file of its own; it throws when it cannot. */
export function readAdmissionConfiguration(
  value: unknown,
  read: (path: string) => unknown,
): StaticDirectories | { readonly problem: string } {
  const { apiVersion, kind, plugins = [] } = (value ?? {}) as Json;
  if (apiVersion !== GROUP_VERSION || kind !== "AdmissionConfiguration") {
    return { problem: `apiVersion and kind must be ${GROUP_VERSION} and AdmissionConfiguration` };
  }
  if (!Array.isArray(plugins)) return { problem: "plugins must be a list" };
  const directories: Partial<Record<StaticPlugin, string>> = {};
  for (const [i, plugin] of (plugins as readonly Json[]).entries()) {
    const { name, path = "", configuration } = plugin ?? {};
    if (typeof name !== "string" || name === "") return { problem: `plugins[${i}] has no name` };
    if (!isStaticPlugin(name)) {
      const known = STATIC_PLUGINS.join(", ");
      return { problem: `plugins[${i}]: configuration of ${name} is not supported; only that of ${known} is` };
    }
    let own: Json;
    try {
      own = (path === "" ? configuration : read(String(path))) as Json;
    } catch (error) {
      return { problem: `plugins[${i}]: ${(error as Error).message}` };
    }
    const outcome = directoryOf(name, own ?? {});
    if (typeof outcome === "object") return { problem: `plugins[${i}]: ${outcome.problem}` };
    if (outcome !== "") directories[name] = outcome;
  }
  return directories;
}

function directoryOf(plugin: StaticPlugin, configuration: Json): string | { readonly problem: string } {
  const { apiVersion, kind, staticManifestsDir = "", ...rest } = configuration;
  const wanted = CONFIGURATION_KINDS[plugin];
  if (apiVersion !== GROUP_VERSION || kind !== wanted) {
    return { problem: `the configuration of ${plugin} must have apiVersion ${GROUP_VERSION} and kind ${wanted}` };
  }
  const other = Object.keys(rest).find((key) => rest[key] !== "" && rest[key] !== undefined && rest[key] !== null);
  if (other !== undefined) return { problem: `${other} is not supported; only staticManifestsDir is` };
  return typeof staticManifestsDir === "string"
    ? staticManifestsDir
    : { problem: "staticManifestsDir must be the path of a directory" };
}

const isStaticPlugin = (name: string): name is StaticPlugin => (STATIC_PLUGINS as readonly string[]).includes(name);
