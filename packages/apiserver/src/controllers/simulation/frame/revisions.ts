// ControllerRevisions: the templates that a StatefulSet or DaemonSet had, numbered. Upstream: kubernetes pkg/controller/history.

import { semanticEqual } from "@celadon/base";
import type { ControllerRevision } from "@celadon/kube/api/apps-v1";
import type { PodTemplateSpec } from "@celadon/kube/api/core-v1";
import type { LabelSelector } from "@celadon/kube/api/meta-v1";
import { RequestRefused } from "../../controller.ts";
import { claim, type OwnerOf } from "./owned.ts";
import { controllerOf, isDeleted, metaOf, ownerReference } from "./stand-in.ts";
import { templateHash } from "./template-hash.ts";
import type { Actor, Named, World } from "./world.ts";

const KIND = "controllerrevisions.apps";
export const REVISION_LABEL = "controller-revision-hash";
const HASH = "controller.kubernetes.io/hash";

/** An object with a template, whose changes are kept. */
export interface Templated extends Named {
  readonly spec?:
    | { readonly template?: PodTemplateSpec | undefined; readonly selector?: LabelSelector | null | undefined }
    | undefined;
}

export class Revisions {
  readonly #world: World;
  readonly #actor: Actor;
  readonly #owner: OwnerOf & { readonly object: Templated };

  constructor(world: World, actor: Actor, owner: OwnerOf & { readonly object: Templated }) {
    this.#world = world;
    this.#actor = actor;
    this.#owner = owner;
  }

  /** Those of the object, the oldest first. */
  list(): readonly ControllerRevision[] {
    const { namespace = "", uid } = metaOf(this.#owner.object);
    return this.#world
      .view(KIND)
      .in(namespace)
      .filter((revision) => controllerOf(revision)?.uid === uid)
      .sort(
        (a, b) => (a.revision ?? 0) - (b.revision ?? 0) || ((metaOf(a).name ?? "") < (metaOf(b).name ?? "") ? -1 : 1),
      );
  }

  /** The revision of the present template, which is the latest; undefined if its name was taken in between. */
  async current(collisions: number): Promise<ControllerRevision | undefined> {
    const { object } = this.#owner;
    const { namespace = "", name = "" } = metaOf(object);
    await claim(this.#actor, KIND, this.#owner, this.#world.view(KIND).in(namespace));
    const data = dataOf(object.spec?.template);
    const known = this.list();
    const latest = known.at(-1);
    const same = known.findLast((revision) => semanticEqual(revision.data, data));
    if (same !== undefined && same === latest) return same;
    const revision = (latest?.revision ?? 0) + 1;
    if (same !== undefined) {
      await this.#actor.patch(KIND, same, { revision });
      return this.#world.view(KIND).get(namespace, metaOf(same).name ?? "");
    }
    const hash = templateHash(data, collisions);
    const labels = { ...object.spec?.template?.metadata?.labels, [HASH]: hash, [REVISION_LABEL]: hash };
    try {
      return await this.#actor.create(KIND, namespace, {
        metadata: {
          name: `${name}-${hash}`,
          labels,
          annotations: metaOf(object).annotations,
          ownerReferences: [ownerReference(this.#owner.apiVersion, this.#owner.kind, object)],
        },
        data,
        revision,
      });
    } catch (error) {
      if (error instanceof RequestRefused && error.code === 409) return undefined;
      throw error;
    }
  }

  /** Deletes the oldest that nothing uses, beyond the history. */
  async trim(limit: number, used: ReadonlySet<string>): Promise<void> {
    const unused = this.list().filter((revision) => !used.has(metaOf(revision).name ?? "") && !isDeleted(revision));
    for (const revision of unused.slice(0, Math.max(0, unused.length - limit)))
      await this.#actor.delete(KIND, revision);
  }
}

/** A revision holds the patch that brings its template back. */
const dataOf = (template: PodTemplateSpec | undefined): unknown => ({
  spec: { template: { ...template, $patch: "replace" } },
});

/** The template of a revision. */
export function templateOf({ data }: ControllerRevision): PodTemplateSpec | undefined {
  const { $patch: _, ...template } =
    (data as { readonly spec?: { readonly template?: PodTemplateSpec & { readonly $patch?: string } } } | undefined)
      ?.spec?.template ?? {};
  return template;
}
