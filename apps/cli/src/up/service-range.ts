// `--service-cluster-ip-range`: one range of IPv4, within the sizes that kube-apiserver accepts.

import { isIPv4 } from "node:net";
import { UsageError } from "../program/exit.ts";

const FLAG = "--service-cluster-ip-range";
/** 2^20 addresses at most, and 8 at least. */
const WIDEST = 12;
const NARROWEST = 29;

/** The range with the first address of its network. */
export function serviceRangeOf(text: string): string {
  const [first = "", ...more] = text.split(",");
  if (more.length > 0) throw new UsageError(`${FLAG} ${text}: a second range is not supported`, "give one of IPv4");
  const [address = "", prefix = ""] = first.split("/");
  if (!isIPv4(address) || !/^\d{1,2}$/.test(prefix) || Number(prefix) > 32) {
    throw new UsageError(`${FLAG} "${text}" is no range of IPv4`, "write 10.0.0.0/16");
  }
  if (Number(prefix) < WIDEST || Number(prefix) > NARROWEST) {
    throw new UsageError(`${FLAG} ${text}: a range has /${WIDEST} to /${NARROWEST}`);
  }
  const bits = 32 - Number(prefix);
  const number = address.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
  const base = Math.floor(number / 2 ** bits) * 2 ** bits;
  return `${[24, 16, 8, 0].map((shift) => Math.floor(base / 2 ** shift) % 256).join(".")}/${prefix}`;
}
