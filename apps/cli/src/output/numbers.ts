// Costs and parts of a whole, as every verb writes them.

import { MAX } from "@celadon/cel/cost";

export function costNumber(value: bigint | number): string {
  // A number near the end of counting has a factor without a limit in it.
  if (typeof value === "bigint" && value >= MAX / 1000n) return "unbounded";
  return String(value).replaceAll(/\B(?=(?:\d{3})+(?!\d))(?<!\.\d*)/g, ",");
}

export function shareText(share: number): string {
  if (share === 0) return "0%";
  if (share > 10_000) return ">100×";
  if (share < 0.01) return "<0.01%";
  return `${share >= 10 ? share.toFixed(0) : share.toFixed(share >= 1 ? 1 : 2)}%`;
}
