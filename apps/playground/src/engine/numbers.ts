// Numbers as people read them.

/** The percentage of a part, as the command writes it: `0.02%`, `3.5%`, `35%`. */
export function percent(part: number): string {
  if (part === 0) return "0%";
  if (part < 0.0001) return "<0.01%";
  return `${(part * 100).toFixed(part >= 0.1 ? 0 : part >= 0.01 ? 1 : 2)}%`;
}
