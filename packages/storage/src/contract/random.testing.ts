// Random programs against the model: every answer and every history is the same, with compactions at any time in between.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Changes, Entry, Store, StoreOperation } from "../index.ts";
import { Model, type ModelBatch, type ModelEntry } from "./model.testing.ts";
import type { Subject } from "./subject.testing.ts";
import { bytes, codeOf, take, text } from "./texts.testing.ts";

type Condition = "none" | "current" | "absent" | "stale";

type Step =
  | { readonly do: "write"; readonly operations: readonly StepOperation[] }
  | {
      readonly do: "read";
      readonly back: number;
      readonly key: string;
      readonly prefix: string;
      readonly limit: number;
    }
  | { readonly do: "compact"; readonly back: number }
  | { readonly do: "watch"; readonly back: number; readonly prefix: string }
  | { readonly do: "reopen" };

interface StepOperation {
  readonly op: "put" | "delete" | "check";
  readonly key: string;
  readonly condition: Condition;
  readonly value: string;
}

const keys = ["/a/1", "/a/2", "/a/b/3", "/a/b/", "/b/1", "/b", "/ü/\u{1f600}", "/ü/\ufffd"];
const prefixes = ["", "/", "/a", "/a/", "/a/b/", "/b", "/ü/", "/none/"];

const operation: fc.Arbitrary<StepOperation> = fc.record({
  op: fc.constantFrom("put", "put", "put", "delete", "check"),
  key: fc.constantFrom(...keys),
  condition: fc.constantFrom("none", "current", "current", "absent", "stale"),
  value: fc.string({ maxLength: 6 }),
});

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("write" as const),
      operations: fc.uniqueArray(operation, { minLength: 1, maxLength: 4, selector: ({ key }) => key }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("read" as const),
      back: fc.nat(8),
      key: fc.constantFrom(...keys),
      prefix: fc.constantFrom(...prefixes),
      limit: fc.nat(4),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("compact" as const), back: fc.nat(6) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("watch" as const), back: fc.nat(8), prefix: fc.constantFrom(...prefixes) }),
  },
  { weight: 1, arbitrary: fc.constant({ do: "reopen" as const }) },
);

export function randomContract(subject: Subject): void {
  describe("random programs", () => {
    test("answer as the model does", { timeout: 120_000 }, async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
          const run = await Run.start(subject);
          try {
            for (const each of steps) await run.step(each);
            await run.finish();
          } finally {
            await run.close();
          }
        }),
        { seed: 16, numRuns: subject.randomRuns ?? 40 },
      );
    });
  });
}

class Run {
  readonly #subject: Subject;
  readonly #model: Model;
  #store: Store;

  static async start(subject: Subject): Promise<Run> {
    const store = await subject.open();
    return new Run(subject, store, new Model(await store.revision()));
  }

  private constructor(subject: Subject, store: Store, model: Model) {
    this.#subject = subject;
    this.#store = store;
    this.#model = model;
  }

  async step(each: Step): Promise<void> {
    switch (each.do) {
      case "write":
        return this.#write(each.operations);
      case "read":
        return this.#read(each);
      case "compact":
        return this.#compact(this.#model.revision - each.back);
      case "watch":
        return this.#watch(this.#model.revision - each.back, each.prefix);
      case "reopen":
        if (this.#subject.reopen !== undefined) this.#store = await this.#subject.reopen(this.#store);
    }
  }

  /** Everything that can still be read equals the model. */
  async finish(): Promise<void> {
    for (
      let revision = Math.max(this.#model.first, this.#model.compacted);
      revision <= this.#model.revision;
      revision++
    ) {
      const { entries } = await this.#store.list("", { revision });
      expect(entries.map(plain)).toEqual(this.#model.list("", revision));
    }
    await this.#watch(Math.max(this.#model.first, this.#model.compacted) + 1, "");
    for (const prefix of prefixes) {
      const { length } = this.#model.list(prefix, this.#model.revision);
      expect(await this.#store.count(prefix)).toEqual({ revision: this.#model.revision, count: length });
    }
  }

  close(): Promise<void> {
    return this.#store.close();
  }

  async #write(steps: readonly StepOperation[]): Promise<void> {
    const now = this.#model.at(this.#model.revision);
    const operations = steps.map(({ op, key, condition, value }): StoreOperation => {
      const current = now.get(key)?.modRevision ?? 0;
      const wanted = { none: undefined, current, absent: 0, stale: Math.max(0, current - 1) }[condition];
      if (op === "check") return { op, key, ifRevision: wanted ?? current };
      const condition_ = wanted === undefined ? {} : { ifRevision: wanted };
      return op === "put" ? { op, key, value: bytes(value), ...condition_ } : { op, key, ...condition_ };
    });
    const written = await this.#store.write(operations);
    expect(written.written ? written : { ...written, current: written.current.map(plain) }).toEqual(
      this.#model.write(operations),
    );
  }

  async #read({ back, key, prefix, limit }: Extract<Step, { do: "read" }>): Promise<void> {
    const revision = this.#model.revision - back;
    const at = back === 0 ? {} : { revision };
    if (revision < this.#model.first) return;
    if (revision < this.#model.compacted) {
      expect(await codeOf(this.#store.get(key, at))).toBe("compacted");
      return;
    }
    expect(plain((await this.#store.get(key, at)).entry)).toEqual(this.#model.at(revision).get(key));
    const all = this.#model.list(prefix, revision);
    const page = await this.#store.list(prefix, { ...at, limit, remaining: true });
    const shown = limit === 0 ? all : all.slice(0, limit);
    expect(page.entries.map(plain)).toEqual(shown);
    expect(page).toMatchObject({ revision, more: shown.length < all.length, remaining: all.length - shown.length });
    if (page.more) {
      const rest = await this.#store.list(prefix, { revision, after: page.entries.at(-1)!.key });
      expect(rest.entries.map(plain)).toEqual(all.slice(limit));
    }
    expect(await this.#store.count(prefix, at)).toEqual({ revision, count: all.length });
  }

  async #compact(revision: number): Promise<void> {
    if (revision < this.#model.first) return;
    await this.#store.compact(revision);
    this.#model.compacted = Math.max(this.#model.compacted, revision);
  }

  async #watch(from: number, prefix: string): Promise<void> {
    if (from <= this.#model.first) return;
    const watch = this.#store.watch(prefix, { from, previous: true });
    const wanted = this.#model.history(prefix, from);
    if (from <= this.#model.compacted) {
      // A watch of the compacted revision itself may be refused or served, if nothing is missing from it.
      if (from < this.#model.compacted) expect(await codeOf(watch.next())).toBe("compacted");
    } else {
      expect((await take(watch, wanted.length)).map(plainBatch)).toEqual(wanted);
    }
    watch.close();
  }
}

function plain(entry: Entry | undefined): ModelEntry | undefined {
  return entry === undefined ? undefined : { ...entry, value: text(entry.value) };
}

function plainBatch({ revision, changes }: Changes): ModelBatch {
  return {
    revision,
    changes: changes.map((change) => ({
      key: change.key,
      entry: change.type === "put" ? plain(change.entry) : undefined,
      previous: plain(change.previous),
    })),
  };
}
