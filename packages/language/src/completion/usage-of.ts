// The use of names around an expression: in it up to the cursor, in its neighbours, in the messages.

import { type JsonPath, trimEndOf } from "@celadon/base";
import type { KubeObject } from "@celadon/kube";
import { expressionsIn } from "@celadon/simulator/manifests";
import { Usage } from "./usage.ts";

/** Definitions may hold hundreds of rules: the nearest ones are enough. */
const MOST = 40;

/** `before` is the expression up to the cursor, `after` the text behind it. */
export function usageOf(object: KubeObject, path: JsonPath, before: string, after: string): Usage {
  const usage = new Usage();
  // The word under the cursor does not count as a use.
  usage.add(trimEndOf(before, /\w/), 1.5);
  usage.add(after.replace(/^\w+/, ""), 1);
  const key = JSON.stringify(path);
  const all = expressionsIn(object);
  const own = all.findIndex((expression) => JSON.stringify(expression.path) === key);
  const from = Math.max(0, (own === -1 ? all.length : own) - MOST / 2);
  for (const expression of all.slice(from, from + MOST)) {
    if (JSON.stringify(expression.path) !== key) usage.add(expression.text, nearness(path, expression.path));
  }
  const message = siblingText(object, path, "message");
  if (message !== undefined) usage.addWords(message);
  return usage;
}

/** Expressions of the same node weigh as much as the expression itself. */
function nearness(path: JsonPath, other: JsonPath): number {
  let shared = 0;
  while (shared < path.length && path[shared] === other[shared]) shared++;
  return shared >= path.length - 2 ? 1 : 0.5;
}

function siblingText(object: unknown, path: JsonPath, name: string): string | undefined {
  let holder = object as Record<string | number, unknown> | undefined;
  for (const step of path.slice(0, -1)) {
    holder =
      typeof holder === "object" && holder !== null && Object.hasOwn(holder, step)
        ? (holder[step] as typeof holder)
        : undefined;
  }
  const text = typeof holder === "object" && holder !== null && Object.hasOwn(holder, name) ? holder[name] : undefined;
  return typeof text === "string" ? text : undefined;
}
