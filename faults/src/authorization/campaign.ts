// Random requests of users with random roles, sent to kube-apiserver and to this server with the same users, roles and objects. Never a success
// here where the reference refuses; and with or without a reference, no user sees an object that no rule gives a right to.

import type { Connection } from "@celadon/client";
import type { CampaignOptions, CampaignReport } from "../campaign.ts";
import { seeded } from "../random.ts";
import { problemOf, shown, Tally } from "./compare.ts";
import { type GeneratedRequest, randomRequest } from "./requests.ts";
import { type Grant, identities, maySee, randomGrants } from "./rights.ts";
import { ADMIN, setUp } from "./set-up.ts";
import { type Answered, Side } from "./wire.ts";

export interface AuthorizationOptions extends CampaignOptions {
  readonly here: Connection;
  /** kube-apiserver; without it, only the rights themselves are checked. */
  readonly reference: Connection | undefined;
  readonly times: number;
  /** Requests at once. */
  readonly parallel?: number;
}

export interface AuthorizationReport extends CampaignReport {
  readonly requests: number;
  readonly successes: number;
  readonly refusals: number;
  readonly hasReference: boolean;
  readonly sameCode: number;
  readonly differences: Tally["differences"];
}

const MOST_PROBLEMS = 50;
const PARALLEL = 8;

export async function authorizationCampaign(options: AuthorizationOptions): Promise<AuthorizationReport> {
  const { times, seed, progress, signal, parallel = PARALLEL } = options;
  const random = seeded(seed);
  const grants = randomGrants(random);
  const here = await Side.at(options.here);
  const there = options.reference && (await Side.at(options.reference));
  await Promise.all([setUp(here, grants), there && setUp(there, grants)]);
  progress?.(`set up ${grants.length} roles${there === undefined ? "; there is no reference to compare with" : ""}`);
  const requests = Array.from({ length: times }, () => randomRequest(random));
  const problems: string[] = [];
  const tally = new Tally();
  const counts = { requests: 0, successes: 0, refusals: 0 };
  const check = (request: GeneratedRequest, own: Answered, other: Answered | undefined): void => {
    counts.requests++;
    if (own.code < 300) counts.successes++;
    else counts.refusals++;
    const found = [
      ...(own.code === 0 && other?.code !== 0 ? [`no answer here: ${shown(request)}`] : []),
      ...(own.code >= 500 && other !== undefined && other.code < 500
        ? [`${own.code} here, ${other.code} at the reference: ${shown(request)}`]
        : []),
      ...seenWithoutRight(grants, request, own),
    ];
    if (other !== undefined) {
      const problem = problemOf(request, own, other);
      if (problem === undefined) tally.add(request, own, other);
      else found.push(problem);
    }
    if (problems.length < MOST_PROBLEMS) problems.push(...found);
  };
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < requests.length && !signal?.aborted) {
      const request = requests[next++]!;
      if (next % 1_000 === 0) progress?.(`${next} of ${times}, ${problems.length} problems`);
      const [own, other] = await Promise.all([here.send(request.bytes), there?.send(request.bytes)]);
      check(request, own, other);
    }
  };
  await Promise.all(Array.from({ length: parallel }, worker));
  return {
    ...counts,
    hasReference: there !== undefined,
    sameCode: there === undefined ? 0 : counts.requests - tally.total - problems.length,
    differences: tally.differences,
    problems,
  };
}

const MARKER = /marker-([a-z.]*)\/([a-z]+)\/([a-z-]*)\/(az[.a-z-]*[a-z])-/g;

function seenWithoutRight(grants: readonly Grant[], request: GeneratedRequest, { body }: Answered): readonly string[] {
  if (request.user === ADMIN) return [];
  const seen = [...body.matchAll(MARKER)].filter(([, group = "", resource = "", namespace = "", name = ""]) => {
    const object = { group, resource, namespace, name };
    return !identities(grants, request.user).some((user) => maySee(grants, user, object));
  });
  return seen.slice(0, 1).map(([marker]) => `shows ${marker} without a right: ${shown(request)}`);
}
