// Cases for the campaign: random expressions, typed and loose, changed cases of earlier failures, and changed real ones.

import type { Env } from "@celadon/cel";
import { Grafter } from "../graft.ts";
import { mutate } from "../mutate.ts";
import type { Random } from "../random.ts";
import { DOCUMENTS } from "./documents.ts";
import { makeDocument, shapeOf } from "./made-documents.ts";
import { Expressions } from "./random-expression.ts";
import { textCall } from "./texts.ts";

export interface Case {
  readonly kind: string;
  readonly expr: string;
  /** JSON text. */
  readonly vars: string;
}

export function* casesFrom(random: Random, env: Env, real: readonly string[]): Generator<Case> {
  const expressions = new Expressions(random, env);
  const grafter = real.length > 0 ? new Grafter(env, real) : undefined;
  const seeds = real.map((expr) => ({ expr }));
  const over = (kind: string, expr: string): Case => ({
    kind,
    expr: sendable(expr),
    vars: random.pick(DOCUMENTS),
  });
  for (const expr of real) yield forReal("real", expr, random, env);
  while (true) {
    switch (random.below(11)) {
      case 0:
      case 1:
      case 2:
        yield over("typed", expressions.next(false));
        break;
      case 3:
      case 4:
        yield over("loose", expressions.next(true));
        break;
      case 5:
        yield over("optional", expressions.optional());
        break;
      case 6:
        yield over("lists", expressions.listFunctions());
        break;
      case 7:
        yield over("texts", textCall(random));
        break;
      default:
        if (grafter === undefined) yield over("typed", expressions.next(false));
        else if (random.oneIn(3)) yield forReal("real, text changed", mutate(random, seeds), random, env);
        else yield forReal("real, parts changed", grafter.next(random), random, env);
    }
  }
}

/** Half a surrogate pair cannot be written in UTF-8, nor can a range that is longer than memory be made. */
function sendable(text: string): string {
  return text.replaceAll(/[\ud800-\udfff]/gu, "\ufffd").replaceAll(/lists\.range\((?!\d{1,4}\))/g, "lists.range(3 % ");
}

function forReal(kind: string, text: string, random: Random, env: Env): Case {
  const expr = sendable(text);
  const { ast } = env.parse(expr);
  const vars = ast === undefined ? random.pick(DOCUMENTS) : makeDocument(shapeOf(ast), random);
  return { kind, expr, vars };
}
