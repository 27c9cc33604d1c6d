// The work of the evaluation under way, counted where it is done. Evaluation is synchronous, so there is one at a time (an evaluation
// inside another belongs to it), and functions deep inside a call can look at the clock without being handed one.
//
// Code calls `work` if its duration is not bounded by its price: once per element, `walk` once per piece of a text. Code that makes texts,
// bytes and collections calls `grow`. Outside an evaluation they count nothing.

import { interruption, memoryLimitExceeded, Stop } from "./stop.ts";

/** Asked from time to time whether the evaluation should end now: a deadline, a signal. */
export interface Interrupt {
  interrupted(): boolean;
}

/** Steps between two looks. A step is an element compared or some characters read: some ten nanoseconds, rarely some hundred. */
const LOOK_AFTER = 20_000;

/**
 * The memory that one evaluation may take beyond the memory it pays for, in UTF-16 units of text and bytes; an element of a list is eight.
 * Policies make texts of some hundred characters; objects are three million characters at most.
 */
export const MAX_GROWTH = 0x400_0000;
const UNITS_PER_ELEMENT = 8;

/** Characters or bytes that are read or written in the time of a step. */
const UNITS_PER_STEP = 16;

let watched: Interrupt | undefined;
/** In fields, which engines change in place; a variable that is infinite or a fraction becomes a new object at every count. */
class Counters {
  /** Steps until the next look. */
  left = Number.POSITIVE_INFINITY;
  /** The memory that is left. */
  room = Number.POSITIVE_INFINITY;
  /** The memory that was left when the present evaluation began. */
  begun = Number.POSITIVE_INFINITY;
}

const counters = new Counters();
/** An evaluation was interrupted, perhaps one inside another that makes something else of its error. */
let over = false;

/** Counts steps about to be made, and throws Stop when the evaluation must end. */
export function work(steps: number): void {
  counters.left -= steps;
  if (counters.left < 0) look();
}

function look(): void {
  if (watched === undefined) {
    counters.left = Number.POSITIVE_INFINITY;
    return;
  }
  counters.left = LOOK_AFTER;
  if (!watched.interrupted()) return;
  counters.left = 0; // whatever goes on all the same is stopped at its next step
  over = true;
  throw new Stop(interruption());
}

/** Counts characters or bytes about to be read. */
export function walk(units: number): void {
  if (units >= UNITS_PER_STEP) work(units / UNITS_PER_STEP);
}

/** Counts the growth of the next step, and throws Stop if that is too much for one evaluation. */
export function grow(units: number): void {
  walk(units);
  counters.room -= units;
  if (counters.room < 0) throw new Stop(memoryLimitExceeded());
}

/** The same for elements of a list. */
export function growBy(elements: number): void {
  work(elements);
  grow(elements * UNITS_PER_ELEMENT);
}

/** Whether the evaluation under way is watched, by its own options or by those of an enclosing one. */
export function isWatched(): boolean {
  return watched !== undefined;
}

/** The state to restore when an evaluation ends. */
export interface Outer {
  readonly watched: Interrupt | undefined;
  readonly room: number;
  readonly begun: number;
}

/** An evaluation begins. One that is not watched itself is watched as the one around it is. Its growth is counted only on request. */
export function beginWork(interrupt: Interrupt | undefined, countsGrowth: boolean): Outer {
  const outer = { watched, room: counters.room, begun: counters.begun };
  if (interrupt !== undefined) {
    counters.left = Math.min(counters.left, LOOK_AFTER);
    watched = watched === undefined ? interrupt : either(watched, interrupt);
  }
  if (countsGrowth && counters.room === Number.POSITIVE_INFINITY) counters.room = MAX_GROWTH;
  counters.begun = counters.room;
  return outer;
}

/** It starts again in another form: its growth so far is dropped. */
export function restartWork(): void {
  counters.room = counters.begun;
}

/** It ends. Whether it was interrupted, even if the result hides that. */
export function endWork(outer: Outer): boolean {
  const interrupted = over;
  watched = outer.watched;
  over = over && watched?.interrupted() === true;
  if (outer.room === Number.POSITIVE_INFINITY) counters.room = outer.room;
  counters.begun = outer.begun;
  if (watched === undefined) counters.left = Number.POSITIVE_INFINITY;
  return interrupted;
}

function either(a: Interrupt, b: Interrupt): Interrupt {
  return { interrupted: () => a.interrupted() || b.interrupted() };
}
