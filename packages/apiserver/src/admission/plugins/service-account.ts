// Every pod runs as a service account of its namespace, and gets a volume with its token unless the pod or the account opts out.
// Upstream: plugin/pkg/admission/serviceaccount.

import type { AdmissionRequest } from "@celadon/admission";
import { toJson } from "@celadon/base";
import type { KubeObject } from "@celadon/kube";
import type { Container, EphemeralContainer, Pod, PodSpec, ServiceAccount } from "@celadon/kube/api/core-v1";
import type { AdmissionPlugin } from "@celadon/write";
import { type PluginHosts, refusal } from "../plugin-hosts.ts";

const DEFAULT = "default";
const VOLUME = "kube-api-access-";
const MOUNT_PATH = "/var/run/secrets/kubernetes.io/serviceaccount";
const ENFORCE = "kubernetes.io/enforce-mountable-secrets";
const MIRROR = "kubernetes.io/config.mirror";
/** An hour and a little, so that clients that do not renew are noticed before their token ends. */
const TOKEN_SECONDS = 60 * 60 + 7;
/** The account `default` is made by a controller, a moment after its namespace. */
const PATIENCE = 1_500;

export function serviceAccount(hosts: PluginHosts, suffix: () => string): AdmissionPlugin {
  const account = async (request: AdmissionRequest, name: string): Promise<ServiceAccount> => {
    const { namespace = "" } = request;
    const found =
      hosts.get("serviceaccounts", namespace, name) ??
      (name === DEFAULT ? await hosts.appears("serviceaccounts", namespace, name, PATIENCE) : undefined);
    if (found !== undefined) return found as ServiceAccount;
    const text = `serviceaccount "${name}" not found`;
    throw refusal(request, `error looking up service account ${namespace}/${name}: ${text}`);
  };
  const validate = async (request: AdmissionRequest): Promise<void> => {
    const { operation, subresource = "", namespace = "" } = request;
    const pod = request.object as Pod;
    const isEphemeral = operation === "UPDATE" && subresource === "ephemeralcontainers";
    if (operation !== "CREATE" && !isEphemeral) return;
    const { spec = {}, metadata } = pod;
    if (!isEphemeral && Object.hasOwn(metadata?.annotations ?? {}, MIRROR)) return checkMirror(request, spec);
    const name = spec.serviceAccountName ?? "";
    if (name === "")
      throw refusal(request, `no service account specified for pod ${namespace}/${metadata?.name ?? ""}`);
    const owner = await account(request, name);
    if (!isTrue(owner.metadata?.annotations?.[ENFORCE])) return;
    const problem = isEphemeral ? ephemeralProblem(spec, owner) : secretProblem(spec, owner);
    if (problem !== undefined) throw refusal(request, problem);
  };
  const complete = async (request: AdmissionRequest): Promise<KubeObject | undefined> => {
    const pod = request.object as Pod;
    if (Object.hasOwn(pod.metadata?.annotations ?? {}, MIRROR)) {
      await validate(request);
      return undefined;
    }
    const name = pod.spec?.serviceAccountName || DEFAULT;
    const owner = await account(request, name);
    let spec: PodSpec = { ...pod.spec, serviceAccountName: name, serviceAccount: name };
    if (spec.automountServiceAccountToken ?? owner.automountServiceAccountToken ?? true) {
      spec = withToken(spec, suffix);
    }
    const { imagePullSecrets: pull = [] } = owner;
    if ((spec.imagePullSecrets ?? []).length === 0 && pull.length > 0) {
      spec = { ...spec, imagePullSecrets: pull.map(({ name: secret }) => ({ name: secret })) };
    }
    const object = { ...pod, spec } as KubeObject;
    await validate({ ...request, object });
    return object;
  };
  return {
    name: "ServiceAccount",
    mutate(request) {
      const { operation, subresource = "" } = request;
      const isNew = isAboutPods(request) && operation === "CREATE" && subresource === "";
      return isNew ? complete(request) : undefined;
    },
    validate: (request) => (isAboutPods(request) ? validate(request) : undefined),
  };
}

function isAboutPods({ resource, subresource = "", object }: AdmissionRequest): boolean {
  const isPod = resource.group === "" && resource.resource === "pods";
  return isPod && (subresource === "" || subresource === "ephemeralcontainers") && (object ?? null) !== null;
}

const isTrue = (text: string | undefined): boolean => ["1", "t", "T", "true", "TRUE", "True"].includes(text ?? "");

function checkMirror(request: AdmissionRequest, spec: PodSpec): void {
  if (spec.serviceAccountName) throw refusal(request, "a mirror pod may not reference service accounts");
  const containers = [...(spec.initContainers ?? []), ...(spec.containers ?? []), ...(spec.ephemeralContainers ?? [])];
  const inContainers = containers.some((container) => secretsOf(container as Container).length > 0);
  const volumes = spec.volumes ?? [];
  const inVolumes = volumes.some((volume) => /"secret(Ref|Name)?":/.test(toJson(volume)));
  if ((spec.imagePullSecrets ?? []).length > 0 || inContainers || inVolumes) {
    throw refusal(request, "a mirror pod may not reference secrets");
  }
  if (volumes.some(({ projected }) => projected?.sources?.some((source) => source.serviceAccountToken))) {
    throw refusal(request, "a mirror pod may not use ServiceAccountToken volume projections");
  }
}

/** A volume with the token, the certificate and the namespace, mounted in every container that has nothing there. */
function withToken(spec: PodSpec, suffix: () => string): PodSpec {
  const existing = spec.volumes?.find(({ name }) => name?.startsWith(VOLUME))?.name;
  const name = existing ?? `${VOLUME}${suffix()}`;
  let isNeeded = false;
  const mounted = (container: Container): Container => {
    const { volumeMounts = [] } = container;
    if (volumeMounts.some(({ mountPath }) => mountPath === MOUNT_PATH)) return container;
    isNeeded = true;
    return { ...container, volumeMounts: [...volumeMounts, { name, readOnly: true, mountPath: MOUNT_PATH }] };
  };
  const initContainers = spec.initContainers?.map(mounted);
  const containers = spec.containers?.map(mounted) ?? [];
  const volumes =
    existing === undefined && isNeeded ? [...(spec.volumes ?? []), { name, projected: tokenVolume() }] : spec.volumes;
  return { ...spec, containers, ...(initContainers && { initContainers }), ...(volumes && { volumes }) };
}

function tokenVolume() {
  return {
    sources: [
      { serviceAccountToken: { expirationSeconds: TOKEN_SECONDS, path: "token" } },
      { configMap: { name: "kube-root-ca.crt", items: [{ key: "ca.crt", path: "ca.crt" }] } },
      {
        downwardAPI: {
          items: [{ path: "namespace", fieldRef: { apiVersion: "v1", fieldPath: "metadata.namespace" } }],
        },
      },
    ],
    defaultMode: 420,
  };
}

/** The secrets a container reads into its environment, each with the words for it. */
function secretsOf({ env = [], envFrom = [] }: Container): readonly { readonly secret: string; readonly by: string }[] {
  return [
    ...env.flatMap(({ name, valueFrom }) => {
      const secret = valueFrom?.secretKeyRef?.name;
      return secret === undefined ? [] : [{ secret, by: `envVar ${name}` }];
    }),
    ...envFrom.flatMap(({ secretRef }) =>
      secretRef?.name === undefined ? [] : [{ secret: secretRef.name, by: "envFrom" }],
    ),
  ];
}

function secretProblem(spec: PodSpec, owner: ServiceAccount): string | undefined {
  const account = owner.metadata?.name ?? "";
  const mountable = new Set((owner.secrets ?? []).map(({ name }) => name));
  const absent = `is not allowed because service account ${account} does not reference that secret`;
  for (const { secret } of spec.volumes ?? []) {
    const name = secret?.secretName;
    if (name !== undefined && !mountable.has(name)) return `volume with secret.secretName="${name}" ${absent}`;
  }
  const problem =
    containerProblem(spec.initContainers ?? [], "init container", mountable, absent) ??
    containerProblem(spec.containers ?? [], "container", mountable, absent);
  if (problem !== undefined) return problem;
  const pullable = new Set((owner.imagePullSecrets ?? []).map(({ name }) => name));
  for (const [i, { name }] of (spec.imagePullSecrets ?? []).entries()) {
    if (pullable.has(name)) continue;
    return `imagePullSecrets[${i}].name="${name}" is not allowed because service account ${account} does not reference that imagePullSecret`;
  }
  return undefined;
}

function ephemeralProblem(spec: PodSpec, owner: ServiceAccount): string | undefined {
  const mountable = new Set((owner.secrets ?? []).map(({ name }) => name));
  const absent = `is not allowed because service account ${owner.metadata?.name ?? ""} does not reference that secret`;
  return containerProblem(spec.ephemeralContainers ?? [], "ephemeral container", mountable, absent);
}

function containerProblem(
  containers: readonly (Container | EphemeralContainer)[],
  word: string,
  mountable: ReadonlySet<string | undefined>,
  absent: string,
): string | undefined {
  for (const container of containers) {
    for (const { secret, by } of secretsOf(container as Container)) {
      if (mountable.has(secret)) continue;
      return `${word} ${container.name} with ${by} referencing secret.secretName="${secret}" ${absent}`;
    }
  }
  return undefined;
}
