// Sizes and counts, as all commands write them.

const UNITS = ["KiB", "MiB", "GiB", "TiB"];

/** `512 B`, `1.5 MiB`, `16 MiB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1_024) return `${bytes} B`;
  let amount = bytes / 1_024;
  let unit = 0;
  while (amount >= 1_023.95 && unit < UNITS.length - 1) {
    amount /= 1_024;
    unit += 1;
  }
  return `${amount.toFixed(1).replace(/\.0$/, "")} ${UNITS[unit]}`;
}

export function countText(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
