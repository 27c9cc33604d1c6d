// Lets go of volumes, claims and classes of volumes that are being deleted, once nothing uses them any more.
// Upstream: pkg/controller/volume/{pvc,pv,vac}protection.

import type { KubeObject } from "@celadon/kube";
import type { PersistentVolume, PersistentVolumeClaim, Pod } from "@celadon/kube/api/core-v1";
import { PROTECTION } from "../admission/plugins/storage.ts";
import type { LocalClient } from "../client/local-client.ts";
import type { ResourceCache } from "../store/cache.ts";
import { callServer, QueueController } from "./controller.ts";

const CLASSES = "volumeattributesclasses.storage.k8s.io";

export interface StorageCaches {
  readonly pods: ResourceCache;
  readonly claims: ResourceCache;
  readonly volumes: ResourceCache;
  readonly classes: ResourceCache;
}

export class StorageProtectionController extends QueueController {
  readonly name = "storage-protection";
  readonly #caches: StorageCaches;

  constructor(caches: StorageCaches) {
    super();
    this.#caches = caches;
  }

  protected follow(): void {
    const { pods, claims, volumes, classes } = this.#caches;
    const kept = [claims, volumes, classes];
    const waiting = new Set<string>();
    const look = (key: string, object: KubeObject): void => {
      if (!object.metadata?.deletionTimestamp) return;
      waiting.add(key);
      this.add(key);
    };
    const again = (): void => {
      for (const key of waiting) this.add(key);
    };
    void Promise.all([pods, ...kept].map((cache) => cache.ready())).then(() => {
      for (const cache of kept) {
        for (const { key, object } of cache.all()) look(key, object);
        this.onStop(
          cache.subscribe(({ object: { key, object }, type }) => {
            if (type === "DELETED") {
              waiting.delete(key);
              again();
            } else look(key, object);
          }),
        );
      }
      this.onStop(pods.subscribe(again));
    });
  }

  protected async sync(client: LocalClient, key: string): Promise<void> {
    const { claims, volumes, classes } = this.#caches;
    const claim = claims.get(key)?.object as PersistentVolumeClaim | undefined;
    const volume = volumes.get(key)?.object as PersistentVolume | undefined;
    const kind = classes.get(key)?.object;
    if (claim !== undefined && !this.#isClaimUsed(claim)) {
      const { namespace = "", name = "" } = claim.metadata ?? {};
      await letGo(
        client,
        `/api/v1/namespaces/${namespace}/persistentvolumeclaims/${name}`,
        claim as KubeObject,
        "persistentvolumeclaims",
      );
    }
    if (volume !== undefined && volume.status?.phase !== "Bound") {
      await letGo(
        client,
        `/api/v1/persistentvolumes/${volume.metadata?.name}`,
        volume as KubeObject,
        "persistentvolumes",
      );
    }
    if (kind !== undefined && !this.#isClassUsed(kind.metadata?.name ?? "")) {
      await letGo(client, `/apis/storage.k8s.io/v1/volumeattributesclasses/${kind.metadata?.name}`, kind, CLASSES);
    }
  }

  /** By a pod that is on a node. */
  #isClaimUsed({ metadata }: PersistentVolumeClaim): boolean {
    const { namespace = "", name = "" } = metadata ?? {};
    const { pods } = this.#caches;
    const [from, to] = pods.range(`${pods.storage.prefix}${namespace}/`);
    return pods
      .all()
      .slice(from, to)
      .some(({ object }) => {
        const { metadata: own, spec } = object as Pod;
        if (!spec?.nodeName) return false;
        return (spec.volumes ?? []).some(
          (volume) =>
            volume.persistentVolumeClaim?.claimName === name ||
            (volume.ephemeral !== undefined && `${own?.name}-${volume.name}` === name),
        );
      });
  }

  #isClassUsed(name: string): boolean {
    const { claims, volumes } = this.#caches;
    const isNamed = ({ spec, status }: PersistentVolumeClaim): boolean =>
      spec?.volumeAttributesClassName === name ||
      status?.currentVolumeAttributesClassName === name ||
      status?.modifyVolumeStatus?.targetVolumeAttributesClassName === name;
    return (
      claims.all().some(({ object }) => isNamed(object as PersistentVolumeClaim)) ||
      volumes.all().some(({ object }) => (object as PersistentVolume).spec?.volumeAttributesClassName === name)
    );
  }
}

async function letGo(client: LocalClient, path: string, object: KubeObject, resource: string): Promise<void> {
  const { finalizers = [], resourceVersion } = (object.metadata ?? {}) as {
    finalizers?: readonly string[];
    resourceVersion?: string;
  };
  const rest = finalizers.filter((finalizer) => finalizer !== PROTECTION[resource]);
  if (rest.length === finalizers.length || !object.metadata?.deletionTimestamp) return;
  const metadata = { resourceVersion, finalizers: rest.length > 0 ? rest : null };
  await callServer(client, "PATCH", path, { metadata }, [404, 409]);
}
