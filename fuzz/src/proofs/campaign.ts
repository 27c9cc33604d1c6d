// Every proof is attacked: random expressions about boxes with random objects, and pairs of real policies with generated requests.

import type { SearchLimits } from "@celadon/prove";
import type { Manifest } from "@celadon/simulator/manifests";
import { Random } from "../random.ts";
import { attackExpression, type WrongProof } from "./attack.ts";
import { comparePair, type PairAnswer } from "./pairs.ts";
import { randomExpression } from "./random-expression.ts";
import { realPolicies } from "./real-policies.ts";

export interface ExpressionCampaign {
  readonly seed: number;
  readonly limits: SearchLimits;
  /** Objects for each expression with a proof. */
  readonly objects: number;
  /** Whether to go on, by the number of expressions so far. */
  readonly goOn: (done: number) => boolean;
}

export interface ExpressionFigures {
  readonly expressions: number;
  readonly questions: number;
  readonly decided: number;
  readonly proved: number;
  readonly objects: number;
  readonly wrong: readonly WrongProof[];
}

export async function attackExpressions(campaign: ExpressionCampaign): Promise<ExpressionFigures> {
  const random = new Random(campaign.seed);
  const figures = { expressions: 0, questions: 0, decided: 0, proved: 0, objects: 0 };
  const wrong: WrongProof[] = [];
  while (campaign.goOn(figures.expressions) && wrong.length < MOST_WRONG) {
    const attacked = await attackExpression(randomExpression(random), random, campaign.objects, campaign.limits);
    if (attacked === undefined) continue;
    figures.expressions++;
    figures.questions += attacked.questions;
    figures.decided += attacked.decided;
    figures.proved += attacked.proved;
    figures.objects += attacked.objects;
    wrong.push(...attacked.wrong);
  }
  return { ...figures, wrong };
}

const MOST_WRONG = 5;

export interface PairFigures {
  readonly pairs: number;
  readonly relations: Readonly<Record<string, number>>;
  /** Milliseconds. */
  readonly median: number;
  readonly requests: number;
  readonly wrong: readonly PairAnswer[];
}

export interface PairCampaign {
  readonly seed: number;
  readonly limits: SearchLimits;
  readonly pairs: number;
  /** Requests for each pair with a proof. */
  readonly requests: number;
  readonly groups?: readonly (readonly Manifest[])[];
}

export async function comparePairs(campaign: PairCampaign): Promise<PairFigures> {
  const { seed, limits, pairs, requests, groups = realPolicies() } = campaign;
  const random = new Random(seed);
  const answers: PairAnswer[] = [];
  while (answers.length < pairs && groups.length > 0) {
    const answer = await comparePair(random.pick(groups), random, limits, requests);
    if (answer !== undefined) answers.push(answer);
  }
  const relations: Record<string, number> = {};
  for (const { relation } of answers) relations[relation] = (relations[relation] ?? 0) + 1;
  const times = answers.map(({ time }) => time).sort((a, b) => a - b);
  return {
    pairs: answers.length,
    relations,
    median: Math.round(times[times.length >> 1] ?? 0),
    requests: answers.reduce((sum, { requests: tried }) => sum + tried, 0),
    wrong: answers.filter(({ wrong }) => wrong.length > 0),
  };
}
