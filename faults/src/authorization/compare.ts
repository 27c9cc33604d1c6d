// The answers of two servers to the same request. A success here where the reference refuses, or with other objects, is a problem; other
// differences are counted by their codes, with an example of each.

import { reasonOf } from "./reasons.ts";
import type { GeneratedRequest } from "./requests.ts";
import { NAMESPACES } from "./rights.ts";
import type { Answered } from "./wire.ts";

const isSuccess = ({ code }: Answered): boolean => code >= 200 && code < 300;

/** The first lines of a request that matter to a reader. */
export function shown({ bytes, user }: GeneratedRequest): string {
  const [line = "", ...headers] = bytes.split("\r\n\r\n")[0]!.split("\r\n");
  const own = headers.filter((header) => !/^(?:Host: localhost|Connection|[XY]\d+: 1$)/.test(header));
  const flood = headers.filter((header) => /^[XY]\d+: 1$/.test(header)).length;
  return [`${user}: ${line}`, ...own.slice(0, 6), ...(flood > 0 ? [`and ${flood} more headers`] : [])]
    .join(" | ")
    .slice(0, 600);
}

/** Undefined where both do the same, or this side is stricter in a way that is counted. */
export function problemOf(request: GeneratedRequest, here: Answered, there: Answered): string | undefined {
  if (!isSuccess(here)) return undefined;
  if (!isSuccess(there)) return `${here.code} here, ${there.code} at the reference: ${shown(request)}`;
  const [own, wanted] = [objectsIn(here.body), objectsIn(there.body)];
  const extra = own.filter((name) => !wanted.includes(name));
  if (extra.length === 0) return undefined;
  return `answers with ${extra.join(", ")}, the reference with ${wanted.join(", ") || "nothing"}: ${shown(request)}`;
}

/** Objects that controllers make in every namespace: the reference runs without them. */
const OF_CONTROLLERS: ReadonlySet<string> = new Set(["kube-root-ca.crt", "default"]);

/** Objects of the comparison in a body, as `kind namespace/name`. */
function objectsIn(body: string): readonly string[] {
  const found = new Set<string>();
  for (const line of body.startsWith('{"type":') ? body.split("\n") : [body]) {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      continue;
    }
    for (const object of flattened(value)) {
      const { kind = "", metadata } = object;
      const { namespace = "", name = "" } = metadata ?? {};
      if (OF_CONTROLLERS.has(name)) continue;
      if (NAMESPACES.includes(namespace) || name.startsWith("az-")) found.add(`${kind} ${namespace}/${name}`);
    }
  }
  return [...found].sort();
}

interface Shown {
  readonly kind?: string;
  readonly type?: string;
  readonly object?: Shown;
  readonly items?: readonly Shown[];
  readonly rows?: readonly { readonly object?: Shown }[];
  readonly metadata?: { readonly namespace?: string; readonly name?: string };
}

/** Kinds of items are left out: only some lists say them. */
function flattened(value: unknown): readonly Shown[] {
  const shown = (value ?? {}) as Shown;
  if (shown.type !== undefined && shown.object !== undefined) return flattened(shown.object);
  if (Array.isArray(shown.items)) return shown.items.map(({ metadata }) => ({ ...(metadata && { metadata }) }));
  if (Array.isArray(shown.rows))
    return shown.rows.flatMap(({ object }) => (object?.metadata ? [{ metadata: object.metadata }] : []));
  return shown.metadata === undefined || shown.kind === "Status" ? [] : [shown];
}

/** Differences that are no problem, by their reason, or by codes where none is known. */
export class Tally {
  readonly #counts = new Map<string, { count: number; example: string }>();

  add(request: GeneratedRequest, here: Answered, there: Answered): void {
    if (here.code === there.code) return;
    const codes = `${here.code} here, ${there.code} at the reference`;
    const key = reasonOf(request, here.code, there.code) ?? `unexplained: ${codes} (${request.kind})`;
    const known = this.#counts.get(key);
    if (known === undefined) this.#counts.set(key, { count: 1, example: `${codes}: ${shown(request)}` });
    else known.count++;
  }

  get total(): number {
    return [...this.#counts.values()].reduce((sum, { count }) => sum + count, 0);
  }

  /** The most frequent first. */
  get differences(): Readonly<Record<string, { readonly count: number; readonly example: string }>> {
    return Object.fromEntries([...this.#counts].sort(([, a], [, b]) => b.count - a.count));
  }
}
