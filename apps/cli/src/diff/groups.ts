// Changes grouped by policy, namespace, owner or kind. An object for which several policies changed is in the group of
// each.

import { CHANGE_KINDS, type ChangeKind } from "@celadon/simulator/diff";
import type { ChangeSource } from "./change-sources.ts";
import { type DiffRow, KIND_WORDS } from "./row.ts";

export const GROUPINGS = ["policy", "namespace", "owner", "kind"] as const;
export type Grouping = (typeof GROUPINGS)[number];

export interface Group {
  readonly name: string;
  readonly members: readonly Member[];
}

/** A change in a group: a changed result of the group's policy does not always change the answer. */
export interface Member {
  readonly row: DiffRow;
  readonly kind: ChangeKind;
  /** The policy of the group, where changes are grouped by policy. */
  readonly speaker?: ChangeSource;
}

export type Counts = Readonly<Record<ChangeKind, number>>;

type Key = Omit<Member, "row"> & { readonly name: string };

const KEYS: Readonly<Record<Grouping, (row: DiffRow) => readonly Key[]>> = {
  policy: ({ speakers }) => speakers.map((speaker) => ({ name: speaker.name, kind: speaker.kind, speaker })),
  namespace: ({ subject, change }) => [{ name: subject.namespace ?? "", kind: change.kind }],
  owner: ({ owner, change }) => [{ name: owner, kind: change.kind }],
  kind: ({ subject, change }) => [{ name: subject.kind, kind: change.kind }],
};

/** The group with the most that is newly denied first, then the largest. */
export function groupsOf(rows: readonly DiffRow[], by: Grouping): readonly Group[] {
  const groups = new Map<string, Member[]>();
  for (const row of rows) {
    for (const { name, ...member } of KEYS[by](row)) {
      const group = groups.get(name);
      if (group === undefined) groups.set(name, [{ row, ...member }]);
      else group.push({ row, ...member });
    }
  }
  const denied = (members: readonly Member[]): number => members.filter(({ kind }) => kind === "denied").length;
  return [...groups]
    .map(([name, found]) => ({ name, members: [...found].sort(byGravity), denied: denied(found) }))
    .sort((a, b) => b.denied - a.denied || b.members.length - a.members.length || (a.name < b.name ? -1 : 1))
    .map(({ name, members }) => ({ name, members }));
}

const GRAVITY: ReadonlyMap<ChangeKind, number> = new Map(CHANGE_KINDS.map((kind, i) => [kind, i]));

const byGravity = (a: Member, b: Member): number => GRAVITY.get(a.kind)! - GRAVITY.get(b.kind)!;

export function countsOf(kinds: readonly ChangeKind[]): Counts {
  const counts = Object.fromEntries(CHANGE_KINDS.map((kind) => [kind, 0])) as Record<ChangeKind, number>;
  for (const kind of kinds) counts[kind]++;
  return counts;
}

/** `2 newly denied, 1 newly allowed` */
export function countsText(counts: Counts): string {
  return CHANGE_KINDS.flatMap((kind) => (counts[kind] > 0 ? [`${counts[kind]} ${KIND_WORDS[kind]}`] : [])).join(", ");
}
