// Colours for terminals. Without one, text passes through unchanged, so that what people see and what tests compare is the same. Painted
// text carries marks; `screened` turns them into escape sequences when the text leaves.

import { colourMark } from "./visible.ts";

export type Colour = "red" | "green" | "yellow" | "blue" | "cyan" | "dim" | "bold";

export type Paint = Readonly<Record<Colour, (text: string) => string>>;

const CODES: Readonly<Record<Colour, readonly [number, number]>> = {
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  cyan: [36, 39],
  dim: [2, 22],
  bold: [1, 22],
};

export function paintOf(coloured: boolean): Paint {
  const paint = Object.entries(CODES).map(([name, [on, off]]) => [
    name,
    coloured
      ? (text: string) => (text === "" ? "" : `${colourMark(on)}${text}${colourMark(off)}`)
      : (text: string) => text,
  ]);
  return Object.fromEntries(paint) as Paint;
}

/** Colours are for terminals, unless NO_COLOR says otherwise; `--color` has the last word. */
export function wantsColour(
  choice: string | undefined,
  isTerminal: boolean,
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  if (choice === "always") return true;
  if (choice === "never" || (env.NO_COLOR ?? "") !== "" || env.TERM === "dumb") return false;
  return isTerminal;
}
