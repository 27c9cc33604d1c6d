// The frame of a stand-in: keys are objects of one kind; changes of others bring back the keys they belong to.

import type { LabelSelector, ObjectMeta, OwnerReference } from "@celadon/kube/api/meta-v1";
import { Invalid } from "@celadon/kube/errors";
import { toLabelSelector } from "@celadon/kube/selectors";
import { QueueController } from "../../controller.ts";
import type { Actor, Followed, Kind, Named, World } from "./world.ts";

export abstract class StandIn<K extends Kind> extends QueueController {
  protected readonly world: World;
  protected readonly actor: Actor;
  protected readonly kind: K;

  constructor(world: World, kind: K, actor: Actor) {
    super();
    this.world = world;
    this.kind = kind;
    this.actor = actor;
  }

  protected follow(): void {
    void this.world.start().then(() => {
      this.world.view(this.kind).follow((now, before) => this.add(keyOf(now ?? before)));
      this.followOthers();
    });
  }

  /** Follows the kinds whose changes concern the objects. */
  protected followOthers(): void {}

  protected async sync(_client: unknown, key: string): Promise<void> {
    const at = key.indexOf("/");
    const object = this.world.view(this.kind).get(key.slice(0, at), key.slice(at + 1));
    if (object === undefined) this.gone(key);
    else await this.look(object);
  }

  /** Brings things nearer to what the object asks. */
  protected abstract look(object: Followed[K]): Promise<void>;

  /** The object exists no longer. */
  protected gone(_key: string): void {}

  protected again(object: Named, ms: number): void {
    this.addAfter(keyOf(object), Math.max(ms, 1));
  }

  /** Objects of another kind bring back their controllers, or, without one, all whose selectors match them. */
  protected followOwned<O extends Kind>(
    kind: O,
    ownerKind: string,
    selects: (owner: Followed[K], object: Followed[O]) => boolean,
  ): void {
    this.world.view(kind).follow((now, before) => {
      for (const object of [now, before]) {
        if (object === undefined) continue;
        const { namespace = "" } = metaOf(object);
        const owner = controllerOf(object);
        if (owner?.kind === ownerKind) this.add(`${namespace}/${owner.name}`);
        else if (owner === undefined) {
          for (const other of this.world.view(this.kind).in(namespace))
            if (selects(other, object)) this.add(keyOf(other));
        }
      }
    });
  }
}

export const metaOf = (object: object | undefined): ObjectMeta => (object as Named | undefined)?.metadata ?? {};

export function keyOf(object: object | undefined): string {
  const { namespace = "", name = "" } = metaOf(object);
  return `${namespace}/${name}`;
}

/** The owner that manages an object. */
export function controllerOf(object: object): OwnerReference | undefined {
  return metaOf(object).ownerReferences?.find(({ controller }) => controller === true);
}

export const isDeleted = (object: object): boolean => metaOf(object).deletionTimestamp !== undefined;

/** A function that tells whether a selector matches the labels of objects; an empty or invalid one matches none. */
export function matcher(selector: LabelSelector | null | undefined): (object: object) => boolean {
  const parsed = toLabelSelector(selector as Parameters<typeof toLabelSelector>[0]);
  if (parsed instanceof Invalid || parsed.isEmpty) return () => false;
  return (object) => parsed.matches(metaOf(object).labels as Readonly<Record<string, string>> | undefined);
}

/** The time in milliseconds; NaN when absent. */
export const timeOf = (text: string | null | undefined): number => Date.parse(text ?? "");

export const ownerReference = (apiVersion: string, kind: string, { metadata }: Named): OwnerReference => ({
  apiVersion,
  kind,
  name: metadata?.name,
  uid: metadata?.uid,
  controller: true,
  blockOwnerDeletion: true,
});
