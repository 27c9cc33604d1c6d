// Removes versions that a compaction superseded, some thousand at a time, between groups of writes. Its progress is part of every step's
// commit, so an interrupted one continues where it was.
//
// A version written at or before the compacted revision supersedes the one it points to, which is removed; a deletion is removed itself as
// well.

import { commit, type Environment, type Put } from "./environment.ts";
import { decodeState, encodeState, STATE_KEY, type State } from "./format.ts";
import { decodePlace, decodePointer, decodeVersion, encodeKey, encodePlace, type VersionPlace } from "./record.ts";

const STEP = 2_000;

export function readState({ tables }: Environment): State {
  return decodeState(tables.meta.getBinary(STATE_KEY)!);
}

/** Forbids reads before `revision`. */
export async function markCompacted(environment: Environment, revision: number): Promise<void> {
  const state = { ...readState(environment), compacted: revision };
  await commit(environment, [{ table: "meta", key: STATE_KEY, value: encodeState(state) }]);
}

/** One step; true when there is nothing left to remove. */
export async function scrub(environment: Environment): Promise<boolean> {
  const state = readState(environment);
  if (state.scrubbed >= state.compacted) return true;
  const puts: Put[] = [];
  let scrubbed = state.compacted;
  let seen = 0;
  const range = environment.tables.log.getRange({
    start: encodePlace({ revision: state.scrubbed + 1, order: 0 }),
    end: encodePlace({ revision: state.compacted + 1, order: 0 }),
  });
  let last = 0;
  for (const { key, value } of range) {
    const place = decodePlace(key);
    if (seen >= STEP && place.revision !== last) {
      scrubbed = last;
      break;
    }
    seen += 1;
    last = place.revision;
    puts.push(...removals(environment, place, value));
  }
  puts.push({ table: "meta", key: STATE_KEY, value: encodeState({ ...state, scrubbed }) });
  await commit(environment, puts);
  return scrubbed >= state.compacted;
}

function removals({ tables }: Environment, place: VersionPlace, bytes: Uint8Array): Put[] {
  const version = decodeVersion(bytes);
  const puts: Put[] = [];
  if (version.previous !== undefined) {
    puts.push({ table: "log", key: encodePlace(version.previous), value: undefined });
  }
  if (version.value !== undefined) return puts;
  puts.push({ table: "log", key: encodePlace(place), value: undefined });
  const key = encodeKey(version.key);
  const pointer = tables.live.getBinary(key);
  if (pointer !== undefined) {
    const last = decodePointer(pointer);
    if (last.revision === place.revision && last.order === place.order) {
      puts.push({ table: "live", key, value: undefined });
    }
  }
  return puts;
}
