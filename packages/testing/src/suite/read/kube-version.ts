// `kubeVersion` of a suite: tests prove nothing about resources that an API server of that version would refuse.

import { CURRENT, compareMinors, FIRST, type Minor, toMinor } from "@celadon/kube-cel";

/** The minor, or undefined when the text names none that is known. */
export function knownMinor(text: string): Minor | undefined {
  const minor = /^v?1\.\d{1,3}(?:\.\d+)?$/.test(text) ? toMinor(text) : undefined;
  if (minor === undefined || compareMinors(minor, FIRST) < 0 || compareMinors(minor, CURRENT) > 0) return undefined;
  return minor;
}
