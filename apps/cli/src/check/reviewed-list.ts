// The results of `check` for every object, in order. Most objects of a long stream are allowed, without problems: for those a name and a
// line are kept, and the number of a result that they share with others.

import { startOf } from "../outcome/place.ts";
import type { ReviewedObject, ReviewedWebhook } from "../outcome/reviewed.ts";
import type { ShownPlace } from "../output/answer.ts";
import { Column } from "../sources/column.ts";

/** The common part of objects that differ in name, uid and line only. */
interface Common {
  readonly reviewed: ReviewedObject;
  readonly place: ShownPlace | undefined;
}

export class ReviewedList implements Iterable<ReviewedObject> {
  /** The whole of it, or the name of an object that has the rest in common with others. */
  readonly #items: (ReviewedObject | string)[] = [];
  readonly #uids: string[] = [];
  readonly #line = new Column();
  readonly #number = new Column();
  readonly #common: Common[] = [];
  /** Numbers of the common parts, by kind, namespace and file. */
  readonly #alike = new Map<string, number[]>();
  #whole = 0;

  get length(): number {
    return this.#items.length;
  }

  /** The number of objects that are kept whole. */
  get whole(): number {
    return this.#whole;
  }

  push(reviewed: ReviewedObject): void {
    const isShort = saysNothing(reviewed);
    const place = isShort ? startOf(reviewed.manifest) : undefined;
    const { name, uid } = reviewed.subject;
    if (isShort && uid !== undefined) this.#uids[this.length] = uid;
    if (!isShort) this.#whole++;
    this.#line.push(place?.line ?? 0);
    this.#number.push(isShort ? this.#numberOf({ reviewed, place }) : -1);
    this.#items.push(isShort ? name : reviewed);
  }

  #numberOf(common: Common): number {
    const { kind, namespace = "" } = common.reviewed.subject;
    const key = `${kind} ${namespace} ${common.place?.file ?? ""}`;
    let alike = this.#alike.get(key);
    if (alike === undefined) this.#alike.set(key, (alike = []));
    const known = alike.find((number) => isAlike(this.#common[number]!, common));
    if (known !== undefined) return known;
    const number = this.#common.push(common) - 1;
    alike.push(number);
    return number;
  }

  *[Symbol.iterator](): Generator<ReviewedObject> {
    for (const [i, item] of this.#items.entries()) yield typeof item === "string" ? this.#restored(i, item) : item;
  }

  #restored(index: number, name: string): ReviewedObject {
    const { reviewed, place } = this.#common[this.#number.at(index)]!;
    const uid = this.#uids[index];
    const { object } = reviewed.manifest;
    const start = place && { ...place, line: this.#line.at(index) };
    return {
      ...reviewed,
      subject: { ...reviewed.subject, name, ...(uid !== undefined && { uid }) },
      manifest: { object, ...(start && { origin: originAt(start) }) },
    };
  }
}

/** Allowed, with nothing to report except the evaluated policies and webhooks. */
function saysNothing(reviewed: ReviewedObject): boolean {
  const { allowed, status, certificate, problems, warnings, mutations, auditAnnotations } = reviewed;
  if (!allowed || status !== undefined || certificate !== undefined) return false;
  return problems.length + warnings.length + mutations.length === 0 && Object.keys(auditAnnotations).length === 0;
}

function isAlike({ reviewed: a, place: placeOfA }: Common, { reviewed: b, place: placeOfB }: Common): boolean {
  return (
    placeOfA?.file === placeOfB?.file &&
    placeOfA?.column === placeOfB?.column &&
    // In the order in which they are written.
    isSameList(Object.keys(a.subject), Object.keys(b.subject)) &&
    a.subject.apiVersion === b.subject.apiVersion &&
    a.subject.kind === b.subject.kind &&
    a.subject.namespace === b.subject.namespace &&
    a.operation === b.operation &&
    a.subresource === b.subresource &&
    a.user === b.user &&
    isSameList(a.policies, b.policies) &&
    isSameList(a.assumptions, b.assumptions) &&
    isSameList(a.webhooks, b.webhooks, isSameWebhook)
  );
}

function isSameList<T>(a: readonly T[], b: readonly T[], isSame: (a: T, b: T) => boolean = Object.is): boolean {
  return a.length === b.length && a.every((item, i) => isSame(item, b[i]!));
}

function isSameWebhook(a: ReviewedWebhook, b: ReviewedWebhook): boolean {
  return (
    a.configuration === b.configuration &&
    a.webhook === b.webhook &&
    a.type === b.type &&
    a.called === b.called &&
    a.refusal === b.refusal &&
    a.error === b.error
  );
}

/** For an object without problems, only the beginning is shown. */
function originAt(start: ShownPlace): NonNullable<ReviewedObject["manifest"]["origin"]> {
  const { file } = start;
  return {
    file,
    positionOf: () => ({ ...start, offset: 0 }),
    positionIn: () => undefined,
    lineText: () => undefined,
  };
}
