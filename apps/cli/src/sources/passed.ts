// Manifests that do not stay in memory: of each a few numbers, and the way to read it again.

import { gvkOf, type KubeObject, nameOf } from "@celadon/kube";
import { identityOf } from "@celadon/simulator";
import type { Manifest } from "@celadon/simulator/manifests";
import { Column } from "./column.ts";
import type { ReadPart } from "./read-source.ts";
import { sortValues } from "./sort-values.ts";
import type { Part } from "./split.ts";

export class PassedManifests {
  /** The columns of passed manifests: the part, the number in that part, the identity and the kind. */
  readonly #columns = {
    start: new Column(),
    end: new Column(),
    nth: new Column(),
    identity: new Column(),
    kind: new Column(),
  };
  readonly #kinds = new Map<string, number>();
  /** The part read last: its manifests are read one after the other. */
  #last: { readonly start: number; readonly read: ReadPart; readonly manifests: readonly Manifest[] } | undefined;

  get length(): number {
    return this.#columns.start.length;
  }

  push(object: KubeObject, { start, end }: Part, nth: number): void {
    const kind = kindOf(object);
    if (!this.#kinds.has(kind)) this.#kinds.set(kind, this.#kinds.size);
    this.#columns.start.push(start);
    this.#columns.end.push(end);
    this.#columns.nth.push(nth);
    this.#columns.identity.push(identityHash(object));
    this.#columns.kind.push(this.#kinds.get(kind)!);
  }

  /** Without all from an index on. */
  cut(length: number): void {
    for (const column of Object.values(this.#columns)) column.cut(length);
  }

  /** The manifest at an index, read with what read it first. */
  at(index: number, read: ReadPart): Manifest {
    const [start, end] = [this.#columns.start.at(index), this.#columns.end.at(index)];
    if (this.#last?.start !== start || this.#last.read !== read) {
      this.#last = { start, read, manifests: sortValues(read({ start, end })?.values ?? []).manifests };
    }
    return this.#last.manifests[this.#columns.nth.at(index)]!;
  }

  identityAt(index: number): number {
    return this.#columns.identity.at(index);
  }

  /** The numbers of the wanted kinds, as in `kindAt`. */
  kindsAmong(wanted: ReadonlySet<string>): ReadonlySet<number> {
    return new Set([...this.#kinds].flatMap(([kind, number]) => (wanted.has(kind) ? [number] : [])));
  }

  kindAt(index: number): number {
    return this.#columns.kind.at(index);
  }
}

/** `apps/Deployment` */
function kindOf(object: KubeObject): string {
  const { group, kind } = gvkOf(object);
  return `${group}/${kind}`;
}

/** FNV-1a of what identifies an object in a cluster; 0 without a name, which the server makes. */
export function identityHash(object: KubeObject): number {
  if (nameOf(object) === "") return 0;
  const identity = identityOf(object);
  let hash = 0x811c9dc5;
  for (let i = 0; i < identity.length; i++) hash = Math.imul(hash ^ identity.charCodeAt(i), 0x01000193);
  return hash | 0 || 1;
}
