// The borders between panes can be dragged, or moved with the arrow keys; a double click puts them back. Sizes are kept where the browser
// allows it.

import { byId } from "./dom.ts";

const KEY = "celadon-panes";

/** Neither side becomes smaller than this share of both. */
const LEAST = 0.15;
const STEP = 0.02;
/** Pixels of a border on each side of the pointer. */
const HALF = 5;

/** A border, and the two weights of the grid that it divides: beside each other, or one above the other. */
interface Border {
  readonly id: string;
  readonly panes: readonly [string, string];
  readonly weights: readonly [string, string];
  readonly isVertical: boolean;
}

// biome-ignore format: one border per line
const WIDE: readonly Border[] = [
  { id: "split-policy", panes: ["pane-policy", "pane-object"], weights: ["--wide-policy", "--wide-object"], isVertical: true },
  { id: "split-result", panes: ["pane-object", "pane-result"], weights: ["--wide-object", "--wide-result"], isVertical: true },
];
// biome-ignore format: one border per line
const NARROW: readonly Border[] = [
  { id: "split-policy", panes: ["pane-policy", "pane-object"], weights: ["--narrow-policy", "--narrow-object"], isVertical: false },
  { id: "split-result", panes: ["pane-object", "pane-result"], weights: ["--narrow-left", "--narrow-result"], isVertical: true },
];

export function makeSplitters(): void {
  const root = document.documentElement.style;
  for (const [name, weight] of Object.entries(keptWeights())) root.setProperty(name, `${weight}fr`);
  const isNarrow = matchMedia("(max-width: 1180px)");
  for (const [i, { id }] of WIDE.entries()) {
    const border = (): Border => (isNarrow.matches ? NARROW : WIDE)[i]!;
    const handle = byId(id);
    const describe = (): void => {
      const { weights, isVertical } = border();
      const [before, after] = weights.map(weightOf) as [number, number];
      handle.setAttribute("aria-orientation", isVertical ? "vertical" : "horizontal");
      handle.setAttribute("aria-valuenow", String(Math.round((100 * before) / (before + after))));
    };
    handle.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      handle.setPointerCapture(event.pointerId);
      handle.classList.add("is-dragged");
    });
    handle.addEventListener("pointermove", (event) => {
      if (!handle.hasPointerCapture(event.pointerId)) return;
      const { panes, weights, isVertical } = border();
      const [first, second] = panes.map((pane) => byId(pane).getBoundingClientRect()) as [DOMRect, DOMRect];
      const [before, after, wanted] = isVertical
        ? [first.width, second.width, event.clientX - first.left]
        : [first.height, second.height, event.clientY - first.top];
      share(weights, (wanted - HALF) / (before + after));
      describe();
    });
    handle.addEventListener("lostpointercapture", () => {
      handle.classList.remove("is-dragged");
      keepWeights();
    });
    handle.addEventListener("keydown", (event) => {
      const { weights, isVertical } = border();
      const direction = event.key === (isVertical ? "ArrowRight" : "ArrowDown") ? 1 : -1;
      if (direction < 0 && event.key !== (isVertical ? "ArrowLeft" : "ArrowUp")) return;
      event.preventDefault();
      const [before, after] = weights.map(weightOf) as [number, number];
      share(weights, before / (before + after) + direction * STEP);
      describe();
      keepWeights();
    });
    handle.addEventListener("dblclick", () => {
      for (const name of border().weights) root.removeProperty(name);
      describe();
      keepWeights();
    });
    isNarrow.addEventListener("change", describe);
    describe();
  }
}

const weightOf = (name: string): number =>
  Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue(name)) || 1;

/** Gives the first of two weights this share of their sum. */
function share([first, second]: readonly [string, string], wanted: number): void {
  const sum = weightOf(first) + weightOf(second);
  const own = sum * Math.min(1 - LEAST, Math.max(LEAST, wanted));
  const root = document.documentElement.style;
  root.setProperty(first, `${own.toFixed(4)}fr`);
  root.setProperty(second, `${(sum - own).toFixed(4)}fr`);
}

const NAMES = new Set([...WIDE, ...NARROW].flatMap(({ weights }) => weights));

function keptWeights(): Readonly<Record<string, number>> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    const entries = typeof kept === "object" && kept !== null ? Object.entries(kept) : [];
    return Object.fromEntries(
      entries.filter(([name, weight]) => NAMES.has(name) && typeof weight === "number" && weight > 0 && weight < 10),
    );
  } catch {
    return {};
  }
}

function keepWeights(): void {
  const root = document.documentElement.style;
  const chosen = [...NAMES].flatMap((name) => {
    const value = root.getPropertyValue(name);
    return value === "" ? [] : [[name, Number.parseFloat(value)]];
  });
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(chosen)));
  } catch {
    // Without storage the sizes are for this visit.
  }
}
