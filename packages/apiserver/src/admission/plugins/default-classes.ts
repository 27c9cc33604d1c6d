// Claims without a storage class and ingresses without a class get the default class; of several defaults, the newest.
// Upstream: plugin/pkg/admission/storage/storageclass/setdefault, plugin/pkg/admission/network/defaultingressclass.

import type { KubeObject } from "@celadon/kube";
import type { AdmissionPlugin } from "@celadon/write";
import { isAbout, type PluginHosts } from "../plugin-hosts.ts";

interface Defaulted {
  readonly name: string;
  readonly group: string;
  readonly resource: string;
  /** The place of the class's name: a field of spec, or an annotation of old. */
  readonly field: string;
  readonly annotation: string;
  readonly classes: string;
  /** Classes with one of these annotations set to "true". */
  readonly marks: readonly string[];
}

const STORAGE: Defaulted = {
  name: "DefaultStorageClass",
  group: "",
  resource: "persistentvolumeclaims",
  field: "storageClassName",
  annotation: "volume.beta.kubernetes.io/storage-class",
  classes: "storageclasses.storage.k8s.io",
  marks: ["storageclass.kubernetes.io/is-default-class", "storageclass.beta.kubernetes.io/is-default-class"],
};

const INGRESS: Defaulted = {
  name: "DefaultIngressClass",
  group: "networking.k8s.io",
  resource: "ingresses",
  field: "ingressClassName",
  annotation: "kubernetes.io/ingress.class",
  classes: "ingressclasses.networking.k8s.io",
  marks: ["ingressclass.kubernetes.io/is-default-class"],
};

export const defaultStorageClass = (hosts: PluginHosts): AdmissionPlugin => defaulting(hosts, STORAGE);
export const defaultIngressClass = (hosts: PluginHosts): AdmissionPlugin => defaulting(hosts, INGRESS);

function defaulting(hosts: PluginHosts, what: Defaulted): AdmissionPlugin {
  return {
    name: what.name,
    mutate(request) {
      if (request.operation !== "CREATE" || !isAbout(request, what.group, what.resource)) return undefined;
      const object = request.object as KubeObject;
      const spec = (object.spec ?? {}) as Record<string, unknown>;
      const isNamed =
        spec[what.field] !== undefined || Object.hasOwn(object.metadata?.annotations ?? {}, what.annotation);
      const chosen = isNamed ? undefined : newest(hosts.list(what.classes, ""), what.marks);
      return chosen && { ...object, spec: { ...spec, [what.field]: chosen.metadata?.name } };
    },
  };
}

function newest(classes: readonly KubeObject[], marks: readonly string[]): KubeObject | undefined {
  const marked = classes.filter(({ metadata }) => marks.some((mark) => metadata?.annotations?.[mark] === "true"));
  const created = ({ metadata }: KubeObject): string => metadata?.creationTimestamp ?? "";
  // Classes come in the order of their names.
  return marked.reduce<KubeObject | undefined>(
    (best, object) => (best === undefined || created(object) > created(best) ? object : best),
    undefined,
  );
}
