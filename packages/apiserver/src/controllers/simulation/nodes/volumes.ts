// Volumes and claims that belong together: claims get a volume that fits, or one that is made for them where their class has a provisioner.
// Nothing is stored anywhere. Upstream: kubernetes pkg/controller/volume/persistentvolume.

import { parseQuantity, type Quantity, quantityOf } from "@celadon/kube";
import type { PersistentVolume, PersistentVolumeClaim } from "@celadon/kube/api/core-v1";
import type { StorageClass } from "@celadon/kube/api/storage-v1";
import { Invalid } from "@celadon/kube/errors";
import { toLabelSelector } from "@celadon/kube/selectors";
import { isDeleted, keyOf, matcher, metaOf, StandIn } from "../frame/stand-in.ts";
import type { World } from "../frame/world.ts";
import { SELECTED_NODE, waitsForConsumer } from "./volume-places.ts";

const VOLUMES = "persistentvolumes";
const CLAIMS = "persistentvolumeclaims";
const PREFIX = "pv.kubernetes.io/";
const COMPLETED = `${PREFIX}bind-completed`;
const BY_CONTROLLER = `${PREFIX}bound-by-controller`;
const PROVISIONED_BY = `${PREFIX}provisioned-by`;
const NO_PROVISIONER = "kubernetes.io/no-provisioner";

export class VolumeStandIn extends StandIn<typeof CLAIMS> {
  readonly name = "persistentvolume-binder";

  constructor(world: World) {
    super(world, CLAIMS, world.controller("persistent-volume-binder"));
  }

  protected override followOthers(): void {
    this.world.view(VOLUMES).follow((now, before) => {
      this.add(`${VOLUME_KEY}/${metaOf(now ?? before).name}`);
      const claim = (now ?? before)?.spec?.claimRef;
      if (claim != null) this.add(`${claim.namespace}/${claim.name}`);
      else this.#retry();
    });
    this.world.view("storageclasses.storage.k8s.io").follow(() => this.#retry());
  }

  /** A claim that waits may be served now. */
  #retry(): void {
    for (const claim of this.world.view(CLAIMS).all()) if (claim.status?.phase !== "Bound") this.add(keyOf(claim));
  }

  protected override async sync(client: unknown, key: string): Promise<void> {
    if (!key.startsWith(`${VOLUME_KEY}/`)) return super.sync(client, key);
    const volume = this.world.view(VOLUMES).get("", key.slice(VOLUME_KEY.length + 1));
    if (volume !== undefined) await this.#lookAtVolume(volume);
  }

  protected override gone(key: string): void {
    for (const volume of this.world.view(VOLUMES).all()) {
      const { namespace, name } = volume.spec?.claimRef ?? {};
      if (`${namespace}/${name}` === key) this.add(`${VOLUME_KEY}/${metaOf(volume).name}`);
    }
  }

  protected async look(claim: PersistentVolumeClaim): Promise<void> {
    if (isDeleted(claim) && claim.spec?.volumeName === undefined) return;
    const { volumeName } = claim.spec ?? {};
    if (volumeName) {
      const volume = this.world.view(VOLUMES).get("", volumeName);
      if (volume === undefined || (volume.spec?.claimRef?.uid ?? metaOf(claim).uid) !== metaOf(claim).uid) {
        if (metaOf(claim).annotations?.[COMPLETED] === "yes") return this.#phase(claim, "Lost");
        return;
      }
      return this.#bind(claim, volume);
    }
    const wanted =
      this.#preBound(claim) ??
      (waitsForConsumer(this.world, claim) && !isChosen(claim) ? undefined : this.#fitting(claim));
    if (wanted !== undefined) return this.#bind(claim, wanted);
    await this.#provision(claim);
  }

  /** The volume that names the claim. */
  #preBound(claim: PersistentVolumeClaim): PersistentVolume | undefined {
    const { namespace, name, uid } = metaOf(claim);
    return this.world
      .view(VOLUMES)
      .all()
      .find(({ spec }) => {
        const reference = spec?.claimRef;
        return reference?.namespace === namespace && reference?.name === name && (reference?.uid ?? uid) === uid;
      });
  }

  /** The smallest free volume that has what the claim asks for. */
  #fitting({ spec }: PersistentVolumeClaim): PersistentVolume | undefined {
    const wanted = amount(spec?.resources?.requests?.storage);
    const isSelected = spec?.selector == null ? () => true : selected(spec.selector);
    return this.world
      .view(VOLUMES)
      .all()
      .filter(
        (volume) =>
          volume.spec?.claimRef == null &&
          !isDeleted(volume) &&
          volume.status?.phase === "Available" &&
          (volume.spec?.storageClassName ?? "") === (spec?.storageClassName ?? "") &&
          (volume.spec?.volumeMode ?? "Filesystem") === (spec?.volumeMode ?? "Filesystem") &&
          (volume.spec?.volumeAttributesClassName ?? "") === (spec?.volumeAttributesClassName ?? "") &&
          (spec?.accessModes ?? []).every((mode) => volume.spec?.accessModes?.includes(mode)) &&
          amount(volume.spec?.capacity?.storage).compare(wanted) >= 0 &&
          isSelected(volume),
      )
      .sort((a, b) => amount(a.spec?.capacity?.storage).compare(amount(b.spec?.capacity?.storage)))[0];
  }

  async #bind(claim: PersistentVolumeClaim, given: PersistentVolume): Promise<void> {
    let volume = given;
    const { namespace, name, uid, resourceVersion } = metaOf(claim);
    if (volume.spec?.claimRef?.uid !== uid) {
      const isOurs = volume.spec?.claimRef == null;
      const claimRef = { kind: "PersistentVolumeClaim", namespace, name, uid, apiVersion: "v1", resourceVersion };
      const annotations = { ...metaOf(volume).annotations, ...(isOurs && { [BY_CONTROLLER]: "yes" }) };
      const changed = { ...volume, metadata: { ...metaOf(volume), annotations }, spec: { ...volume.spec, claimRef } };
      if (!(await this.actor.update(VOLUMES, changed))) return this.again(claim, 10);
      volume = this.world.view(VOLUMES).get("", metaOf(volume).name ?? "") ?? volume;
    }
    if (volume.status?.phase !== "Bound")
      await this.actor.update(VOLUMES, { ...volume, status: { ...volume.status, phase: "Bound" } }, "status");
    let bound = claim;
    if (!claim.spec?.volumeName || metaOf(claim).annotations?.[COMPLETED] !== "yes") {
      const isOurs = !claim.spec?.volumeName;
      const annotations = {
        ...metaOf(claim).annotations,
        [COMPLETED]: "yes",
        ...(isOurs && { [BY_CONTROLLER]: "yes" }),
      };
      const changed = {
        ...claim,
        metadata: { ...metaOf(claim), annotations },
        spec: { ...claim.spec, volumeName: metaOf(volume).name },
      };
      if (!(await this.actor.update(CLAIMS, changed))) return this.again(claim, 10);
      bound = this.world.view(CLAIMS).get(namespace ?? "", name ?? "") ?? claim;
    }
    if (bound.status?.phase === "Bound") return;
    const status = {
      ...bound.status,
      phase: "Bound",
      accessModes: volume.spec?.accessModes,
      capacity: volume.spec?.capacity,
      ...(volume.spec?.volumeAttributesClassName && {
        currentVolumeAttributesClassName: volume.spec.volumeAttributesClassName,
      }),
    };
    await this.actor.update(CLAIMS, { ...bound, status }, "status");
  }

  /** Makes a volume for a claim whose class has a provisioner; a claim that waits for a pod says so. */
  async #provision(claim: PersistentVolumeClaim): Promise<void> {
    const storage = this.world.view("storageclasses.storage.k8s.io").get("", claim.spec?.storageClassName ?? "");
    const about = { ...claim, kind: "PersistentVolumeClaim", apiVersion: "v1" };
    if (waitsForConsumer(this.world, claim) && !isChosen(claim))
      return this.#once(
        about,
        "Normal",
        "WaitForFirstConsumer",
        "waiting for first consumer to be created before binding",
      );
    if (storage === undefined || storage.provisioner === NO_PROVISIONER) {
      const text = claim.spec?.storageClassName
        ? `storageclass.storage.k8s.io "${claim.spec.storageClassName}" not found`
        : "no persistent volumes available for this claim and no storage class is set";
      return this.#once(
        about,
        storage === undefined && claim.spec?.storageClassName ? "Warning" : "Normal",
        storage === undefined && claim.spec?.storageClassName ? "ProvisioningFailed" : "FailedBinding",
        text,
      );
    }
    const name = `pvc-${metaOf(claim).uid}`;
    if (this.world.view(VOLUMES).get("", name) === undefined)
      await this.actor.create(VOLUMES, "", volumeFor(name, claim, storage));
    await this.actor.event(about, "Normal", "ProvisioningSucceeded", `Successfully provisioned volume ${name}`);
  }

  readonly #said = new WeakSet<object>();

  /** Once for each state of a claim. */
  async #once(claim: PersistentVolumeClaim, type: "Normal" | "Warning", reason: string, text: string): Promise<void> {
    const state = this.world.view(CLAIMS).get(metaOf(claim).namespace ?? "", metaOf(claim).name ?? "");
    if (state === undefined || this.#said.has(state)) return;
    this.#said.add(state);
    await this.actor.event(claim, type, reason, text);
  }

  async #lookAtVolume(volume: PersistentVolume): Promise<void> {
    if (isDeleted(volume)) return;
    const reference = volume.spec?.claimRef;
    const set = (phase: string): Promise<unknown> | undefined =>
      volume.status?.phase === phase
        ? undefined
        : this.actor.update(VOLUMES, { ...volume, status: { ...volume.status, phase } }, "status");
    if (reference?.uid === undefined) return void (await set("Available"));
    const claim = this.world.view(CLAIMS).get(reference.namespace ?? "", reference.name ?? "");
    if (claim !== undefined && metaOf(claim).uid === reference.uid) return this.add(keyOf(claim));
    await set("Released");
    if (volume.spec?.persistentVolumeReclaimPolicy === "Delete") await this.actor.delete(VOLUMES, volume);
  }

  async #phase(claim: PersistentVolumeClaim, phase: string): Promise<void> {
    if (claim.status?.phase !== phase)
      await this.actor.update(CLAIMS, { ...claim, status: { ...claim.status, phase } }, "status");
  }
}

/** The namespace of no claim. */
const VOLUME_KEY = "#volume";

const isChosen = (claim: PersistentVolumeClaim): boolean => metaOf(claim).annotations?.[SELECTED_NODE] !== undefined;

function amount(text: unknown): Quantity {
  const read = parseQuantity(typeof text === "string" ? text : "0");
  return read instanceof Invalid ? quantityOf(0) : read;
}

function selected(selector: Parameters<typeof matcher>[0]): (object: object) => boolean {
  const parsed = toLabelSelector(selector as Parameters<typeof toLabelSelector>[0]);
  return parsed instanceof Invalid || !parsed.isEmpty ? matcher(selector) : () => true;
}

/** Not every name of a provisioner can be that of a driver. */
const sourceOf = (provisioner: string, name: string): object =>
  /^[a-z0-9]([-a-z0-9.]{0,61}[a-z0-9])?$/.test(provisioner)
    ? { csi: { driver: provisioner, volumeHandle: name } }
    : { hostPath: { path: `/simulated/${name}` } };

/** The volume that a provisioner makes for a claim. */
function volumeFor(name: string, claim: PersistentVolumeClaim, storage: StorageClass): object {
  const { namespace, name: claimName, uid, resourceVersion } = metaOf(claim);
  return {
    metadata: { name, annotations: { [PROVISIONED_BY]: storage.provisioner } },
    spec: {
      capacity: { storage: claim.spec?.resources?.requests?.storage },
      accessModes: claim.spec?.accessModes,
      volumeMode: claim.spec?.volumeMode,
      claimRef: { kind: "PersistentVolumeClaim", apiVersion: "v1", namespace, name: claimName, uid, resourceVersion },
      persistentVolumeReclaimPolicy: storage.reclaimPolicy ?? "Delete",
      storageClassName: metaOf(storage).name,
      mountOptions: storage.mountOptions,
      ...(claim.spec?.volumeAttributesClassName && { volumeAttributesClassName: claim.spec.volumeAttributesClassName }),
      ...sourceOf(storage.provisioner ?? "", name),
    },
  };
}
