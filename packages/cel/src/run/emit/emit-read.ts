// Reads of data in the straight form: a variable, a property of a plain object. The form leaves if there is anything else.
// A path that is read more than once is kept in a variable (path-memo.ts), which is undefined until it has been read.

import { type Emitter, literal } from "./emit.ts";

/** The value of an absent property; a deep type may count null as absent. */
export type Absent = "=== undefined" | "== null";

/** A variable, which must be there, and have something to select from if it is selected from. */
export function emitGlobal(e: Emitter, name: string, selected: boolean, id: number): string {
  const code = e.global(name);
  if (e.straight) leaveIfAbsent(e, code, selected ? "== null" : "=== undefined");
  else e.line(`if (${code} === undefined) { ${e.fail(`noAttribute(${literal(name)}).at(${id})`)} }`);
  return code;
}

/** The property that `read` reads from `target`, which must be there. Answers the variable it is in. */
export function emitStraightRead(
  e: Emitter,
  target: string,
  read: string,
  memo: string | undefined,
  absent: Absent,
): string {
  const result = memo ?? e.temp();
  const missing = `${result} ${absent}`;
  if (memo !== undefined && e.isExcluded(`${memo} === undefined`)) {
    leaveIfAbsent(e, memo, absent);
    return memo;
  }
  if (memo !== undefined) e.line(`if (${missing}) {`);
  emitOpened(e, target, result, read);
  leaveIfAbsent(e, result, absent);
  // Kept already, it was read from the same object.
  if (memo !== undefined) e.line("}");
  return result;
}

/** Whether the property exists, as code. */
export function emitStraightPresence(
  e: Emitter,
  target: string,
  read: string,
  memo: string | undefined,
  absent: Absent,
): string {
  const found = memo ?? e.temp();
  if (memo === undefined || !e.isExcluded(`${memo} === undefined`)) emitOpened(e, target, found, read);
  return e.assign(`!(${found} ${absent})`, "bool").code;
}

/** The object's class is looked at after the read: by then the engine knows the object's shape, and the test costs nothing. */
function emitOpened(e: Emitter, target: string, result: string, read: string): void {
  leaveIfAbsent(e, target, "== null");
  e.line(`${result} = ${read};`);
  e.leaveIf(`${target}.constructor !== Object`);
}

function leaveIfAbsent(e: Emitter, code: string, absent: Absent): void {
  e.leaveIf(`${code} ${absent}`);
  e.exclude(`${code} === undefined`);
}
