// The identities of results from one run to the next, for readers that tell new results from known ones.

import { createHash } from "node:crypto";
import type { ReportRow, Subject } from "../answer.ts";
import type { Setting } from "../formats.ts";
import { pathFrom } from "../where.ts";

/** `apps/v1/Deployment/shop/web` */
export function qualifiedName({ apiVersion, kind, namespace, name }: Subject): string {
  return [apiVersion, kind, ...(namespace === undefined ? [] : [namespace]), name].join("/");
}

/**
 * The identity of a result in the next run: rule, file, object, field and name, but neither the line, which moves with every edit above it,
 * nor the message, which may be reworded. Results that are alike in all of that are numbered.
 */
export function fingerprintsOf(results: readonly ReportRow[], setting: Setting): readonly string[] {
  const seen = new Map<string, number>();
  return results.map(({ rule, place, subject, field, name }) => {
    const file = place === undefined ? undefined : pathFrom(setting, place.file);
    const identity = JSON.stringify([rule, file, subject && qualifiedName(subject), field, name]);
    const hash = createHash("sha256").update(identity).digest("hex").slice(0, 32);
    const count = seen.get(hash) ?? 0;
    seen.set(hash, count + 1);
    return count === 0 ? hash : `${hash}:${count}`;
  });
}
