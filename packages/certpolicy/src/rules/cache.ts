// Compiled rules by text, the least recently used given up first. A rule that does not compile is cached too: a bad rule costs as little as
// a good one.

import { compileRule, type InvalidRule, type Rule } from "./rule.ts";

/** The default number of compiled rules that are kept. */
export const RULE_CACHE_SIZE = 1024;

/** Compiled rules by text. The oldest is removed when the cache is full. */
export class RuleCache {
  readonly capacity: number;
  readonly #rules = new Map<string, Rule | InvalidRule>();

  constructor(capacity: number = RULE_CACHE_SIZE) {
    this.capacity = capacity;
  }

  get size(): number {
    return this.#rules.size;
  }

  /** Does not count as a use. */
  has(text: string): boolean {
    return this.#rules.has(text);
  }

  get(text: string): Rule | InvalidRule {
    const rule = this.#rules.get(text) ?? compileRule(text);
    // A Map keeps insertion order: taken out and put back, an entry is the newest.
    this.#rules.delete(text);
    this.#rules.set(text, rule);
    if (this.#rules.size > this.capacity) {
      for (const oldest of this.#rules.keys()) {
        this.#rules.delete(oldest);
        break;
      }
    }
    return rule;
  }
}
