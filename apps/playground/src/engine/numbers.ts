// Numbers as people read them.

/** Of a part of one: `0.02%`. */
export function percent(part: number): string {
  if (part === 0) return "0%";
  return part < 0.0001 ? "<0.01%" : `${(part * 100).toFixed(2)}%`;
}
