// The clauses of the policy text for all objects of the object text, and the smallest change of the object of the request that turns one of
// them. Loaded on demand.

import { dataPathText } from "@celadon/cel/explain";
import { nameOf } from "@celadon/kube";
import {
  changeText,
  type FlipOffer,
  type ObjectVerdict,
  type Strip,
  type TextEdit,
  type Workspace,
} from "@celadon/language";
import { type Manifest, roleOf } from "@celadon/simulator/manifests";
import type { ClauseAnswer, Cure, FlipAnswer } from "../model/answer.ts";
import type { TextChange } from "../model/protocol.ts";
import type { LastReview, Session } from "./session.ts";
import { withCases } from "./test-case.ts";
import { FILE_NAMES } from "./texts.ts";

/** The objects of the object text; one that is no manifest, such as a signing request, has no place. */
function objectsOf(session: Session, workspace: Workspace): readonly Manifest[] {
  const placed = workspace.file(FILE_NAMES.object)!.resources();
  return placed.length === 0 ? session.texts.manifests("object") : placed.map(({ resource }) => resource.manifest);
}

/** The request is about the selected one; the others are created by the same user. */
function strips(session: Session, workspace: Workspace): Promise<readonly Strip[]> {
  const { object: _, ...first } = session.ask();
  const others = first.user === undefined ? {} : { user: first.user };
  const asked = objectsOf(session, workspace).map((manifest, i) => ({
    manifest,
    asked: i === session.at ? first : others,
  }));
  return workspace.strips(FILE_NAMES.policy, asked);
}

/** The result of the clause for the object of the request, if it has one. */
function ownVerdict(session: Session, workspace: Workspace, { results }: Strip): ObjectVerdict | undefined {
  const subject = objectsOf(session, workspace)[session.at];
  const own = results.find(({ verdict }) => verdict.manifest === subject);
  return own === undefined || own.truth === "not reached" ? undefined : own.verdict;
}

const idOf = ({ placed, path }: Strip): string => `${placed.start}/${path.join("/")}`;

/** `validations[0].expression` */
const whatOf = ({ path }: Strip): string =>
  dataPathText({ root: "", path: path[0] === "spec" ? path.slice(1) : path }).replace(/^\./, "");

export async function clauses(session: Session, workspace: Workspace): Promise<readonly ClauseAnswer[]> {
  return (await strips(session, workspace)).map((strip): ClauseAnswer => {
    const { placed, path, results } = strip;
    const { object } = placed.resource;
    const range = placed.resource.part.nearestRange(placed.resource, path);
    const spot = { text: "policy", from: placed.start + range.start, to: placed.start + range.end } as const;
    return {
      id: idOf(strip),
      what: whatOf(strip),
      resource: `${String(object.kind)} ${nameOf(object)}`,
      spots: [spot],
      results: results.map(({ verdict: { manifest }, truth }) => ({
        object: `${String(manifest.object.kind)} ${nameOf(manifest.object)}`,
        truth,
      })),
      turns: ownVerdict(session, workspace, strip) !== undefined,
    };
  });
}

interface Found extends FlipOffer {
  readonly strip: Strip;
}

async function found(session: Session, workspace: Workspace, id: string): Promise<Found | undefined> {
  const strip = (await strips(session, workspace)).find((candidate) => idOf(candidate) === id);
  const verdict = strip && ownVerdict(session, workspace, strip);
  const offer = verdict && (await workspace.flip(strip, verdict));
  return offer && { ...offer, strip: strip! };
}

export async function flip(session: Session, workspace: Workspace, id: string): Promise<FlipAnswer> {
  const offer = await found(session, workspace, id);
  if (offer === undefined) return {};
  const { edits, title, strip } = offer;
  const { truth, verdict } = offer.flip;
  const denied = verdict.problems.some(({ level }) => level === "deny");
  const isPolicy = roleOf(strip.placed.resource.object) === "policy" || strip.path.at(-1) === "rule";
  const rest = isPolicy ? `, and the object ${denied ? "still denied" : "allowed"}` : "";
  return {
    title,
    effect: `${whatOf(strip)} would be ${truth}${rest}`,
    ...(edits && { changes: changesOf(edits) }),
  };
}

/** The changes with which the object would be allowed; only where it is denied. */
export async function cure(session: Session, workspace: Workspace, pause: () => Promise<void>): Promise<Cure> {
  const { object: _, ...asked } = session.ask();
  const manifest = objectsOf(session, workspace)[session.at];
  const offer = manifest && (await workspace.cure(manifest, asked, pause));
  return offer === undefined ? {} : { title: offer.title, ...(offer.edits && { changes: changesOf(offer.edits) }) };
}

const changesOf = (edits: readonly TextEdit[]): TextChange[] =>
  edits.map(({ range, text }) => ({ from: range.start, to: range.end, insert: text }));

/** The tests with the object as it is, and as it would be. */
export async function flipTests(
  session: Session,
  workspace: Workspace,
  { simulated, outcome }: LastReview,
  id: string,
): Promise<string> {
  const offer = await found(session, workspace, id);
  const text = session.texts.text("tests");
  if (offer === undefined || outcome === undefined) return text;
  const { object } = offer.flip;
  const changed = await simulated.review({ ...session.ask(), object }, { everyPolicy: true });
  return withCases(session, [
    { object: session.objectManifest("object")?.object, outcome },
    { object, outcome: changed, note: changeText(offer.flip) },
  ]);
}
