// The owner of an object: the controller at the top of its owner references as far as the inputs have them, or a label. A Pod of a cluster
// dump belongs to a Deployment through a ReplicaSet.

import { gvkOf, type KubeObject, labelsOf, nameOf, namespaceOf, type OwnerReference } from "@celadon/kube";
import type { Manifest } from "@celadon/simulator/manifests";

/** Tried in turn if there is no controller. */
const OWNER_LABELS = ["app.kubernetes.io/part-of", "team"] as const;
/** References that go round end somewhere. */
const LONGEST = 16;

export class Owners {
  readonly #manifests: readonly Manifest[];
  readonly #label: string | undefined;
  #byName: Map<string, KubeObject> | undefined;

  /** A label takes precedence over controllers. */
  constructor(manifests: readonly Manifest[], label: string | undefined) {
    this.#manifests = manifests;
    this.#label = label;
  }

  /** `Deployment/web`, or the value of a label; empty without either. */
  ownerOf(object: KubeObject): string {
    const labels = labelsOf(object);
    const wanted = this.#label;
    if (wanted !== undefined && Object.hasOwn(labels, wanted)) return labels[wanted]!;
    let top: string | undefined;
    let current: KubeObject | undefined = object;
    for (let i = 0; i < LONGEST && current !== undefined; i++) {
      const controller = controllerOf(current);
      if (controller === undefined) break;
      top = `${controller.kind}/${controller.name}`;
      current = this.#find(controller, namespaceOf(current));
    }
    if (top !== undefined) return top;
    const label = OWNER_LABELS.find((key) => Object.hasOwn(labels, key));
    return label === undefined ? "" : labels[label]!;
  }

  #find({ kind, name }: OwnerReference, namespace: string): KubeObject | undefined {
    this.#byName ??= new Map(
      this.#manifests.map(({ object }) => [keyOf(gvkOf(object).kind, namespaceOf(object), nameOf(object)), object]),
    );
    return this.#byName.get(keyOf(kind, namespace, name)) ?? this.#byName.get(keyOf(kind, "", name));
  }
}

const keyOf = (kind: string, namespace: string, name: string): string => `${kind}/${namespace}/${name}`;

function controllerOf({ metadata }: KubeObject): OwnerReference | undefined {
  const references: unknown = metadata?.ownerReferences;
  if (!Array.isArray(references)) return undefined;
  return references.find(
    (reference): reference is OwnerReference =>
      typeof reference === "object" &&
      reference !== null &&
      reference.controller === true &&
      typeof reference.name === "string",
  );
}
