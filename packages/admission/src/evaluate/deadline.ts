// Hosts that never answer. A host's promise is waited for no longer than the caller's signal allows; giving up looks like a host that
// failed, with the words of a Go context, so that the same code handles both. No clock is read here: a caller that wants a deadline passes
// AbortSignal.timeout(n).

import { type Hosts, isPromise, type Maybe } from "../hosts.ts";

/**
 * Milliseconds that servers give the expressions of one stage of a request. Policies take less than a millisecond; those that use up the
 * whole budget of the reference take about a second.
 */
export const EVALUATION_TIME = 2000;

/** An AbortSignal, or for callers without one just its flag: that ends evaluations, but cannot end waiting. */
export interface Signal {
  readonly aborted: boolean;
  readonly reason?: unknown;
  addEventListener?(type: "abort", listener: () => void): void;
  removeEventListener?(type: "abort", listener: () => void): void;
}

/** The answer, or a rejection once the signal has aborted. An answer that is not a promise is returned as it is. */
export function answerBefore<T>(answer: Maybe<T>, signal: Signal | undefined): Maybe<T> {
  return isPromise(answer) && signal !== undefined && canEndWaiting(signal) ? raced(answer, signal) : answer;
}

/** The same hosts, without waiting for them once the signal has aborted. */
export function hostsBefore(hosts: Hosts, signal: Signal | undefined): Hosts {
  if (signal === undefined || !canEndWaiting(signal)) return hosts;
  const before = <T>(answer: Maybe<T>): Maybe<T> => answerBefore(answer, signal);
  const { namespaces, params, authorizer, resources, converter } = hosts;
  return {
    ...(namespaces && { namespaces: { namespace: (name) => before(namespaces.namespace(name)) } }),
    ...(params && {
      params: {
        scope: (kind) => before(params.scope(kind)),
        get: (kind, namespace, name) => before(params.get(kind, namespace, name)),
        list: (kind, namespace, selector) => before(params.list(kind, namespace, selector)),
      },
    }),
    ...(authorizer && { authorizer: { authorize: (attributes) => before(authorizer.authorize(attributes)) } }),
    // Answers at once.
    ...(resources && { resources }),
    ...(converter && { converter: { convert: (object, to) => before(converter.convert(object, to)) } }),
  };
}

function canEndWaiting(signal: Signal): boolean {
  return typeof signal.addEventListener === "function";
}

function raced<T>(answer: Promise<T>, signal: Signal): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => {
      signal.removeEventListener?.("abort", giveUp);
      reject(new Error(abortText(signal)));
    };
    const settled = (settle: () => void): void => {
      signal.removeEventListener?.("abort", giveUp);
      settle();
    };
    // Also when given up already: a later rejection has no effect, but must be handled.
    Promise.resolve(answer).then(
      (value) => settled(() => resolve(value)),
      (thrown: unknown) => settled(() => reject(thrown)),
    );
    if (signal.aborted) giveUp();
    else signal.addEventListener?.("abort", giveUp);
  });
}

function abortText({ reason }: Signal): string {
  const timedOut = typeof reason === "object" && reason !== null && "name" in reason && reason.name === "TimeoutError";
  return timedOut ? "context deadline exceeded" : "context canceled";
}
