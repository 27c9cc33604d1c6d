// Expressions that mostly parse and often check: a part of one is replaced by a part of another, of the same type if there is one. The
// parser knows the parts, the checker their types.

import { type Env, formatType } from "@celadon/cel";
import type { Random } from "./random.ts";

interface Part {
  readonly start: number;
  readonly end: number;
  readonly type: string;
}

/** Longest part and result; larger ones only repeat what smaller ones show, slowly. */
const LONGEST_PART = 100;
const LONGEST = 1000;

export class Grafter {
  private readonly env: Env;
  private readonly texts: readonly string[];
  private readonly byType = new Map<string, string[]>();

  constructor(env: Env, texts: readonly string[]) {
    this.env = env;
    this.texts = texts;
    const seen = new Set<string>();
    for (const text of texts) {
      for (const { start, end, type } of this.partsOf(text)) {
        const part = text.slice(start, end);
        if (part.length > LONGEST_PART || seen.has(part)) continue;
        seen.add(part);
        const parts = this.byType.get(type);
        if (parts === undefined) this.byType.set(type, [part]);
        else parts.push(part);
      }
    }
  }

  next(random: Random): string {
    let text = random.pick(this.texts);
    for (let times = 1 + random.below(random.oneIn(5) ? 8 : 3); times > 0 && text.length < LONGEST; times--) {
      const parts = this.partsOf(text);
      if (parts.length === 0) break;
      const { start, end, type } = random.pick(parts);
      const pool = random.oneIn(6) ? random.pick([...this.byType.values()]) : (this.byType.get(type) ?? []);
      if (pool.length === 0) continue;
      const part = random.pick(pool);
      text = `${text.slice(0, start)}${/^\w+$/.test(part) ? part : `(${part})`}${text.slice(end)}`;
    }
    return text;
  }

  /** Finds the sub-expressions of a text; none when it does not parse. */
  private partsOf(text: string): Part[] {
    const { ast, issues } = this.env.parse(text);
    if (ast === undefined || issues.length > 0) return [];
    const { types } = this.env.check(ast);
    const parts: Part[] = [];
    for (const [id, { start, end }] of ast.spans) {
      const type = types.get(id);
      if (end > start) parts.push({ start, end, type: type === undefined ? "unknown" : formatType(type) });
    }
    return parts;
  }
}
