import { expect, test } from "vitest";
import { type Share, SharedBudget } from "./shared-budget.ts";

/** Shares that say in `cut` when they had to end. */
function budgetOf(limit: number) {
  const budget = new SharedBudget(limit);
  const cut: string[] = [];
  const share = (name: string, holder = name): Share => {
    const own: Share = budget.share(holder, () => {
      cut.push(name);
      own.free();
    });
    return own;
  };
  return { budget, cut, share };
}

test("the oldest share of the largest holder ends", () => {
  const { budget, cut, share } = budgetOf(100);
  for (const name of ["a1", "a2", "a3"]) expect(share(name, "a").grow(30)).toBe(true);
  expect(share("b").grow(40)).toBe(true);
  expect(cut).toEqual(["a1"]);
  expect(budget.size).toBe(100);
});

test("the largest holder itself gets no more", () => {
  const { budget, cut, share } = budgetOf(100);
  share("b").grow(40);
  share("a1", "a").grow(60);
  const more = share("a2", "a");
  expect(more.grow(1)).toBe(false);
  more.free();
  expect([cut, budget.size]).toEqual([[], 100]);
});

test("nobody gives way to somebody who has as much", () => {
  const { cut, share } = budgetOf(2);
  share("a").grow(1);
  share("b").grow(1);
  expect(share("c").grow(1)).toBe(false);
  expect(cut).toEqual([]);
});

test("a single holding may be larger than the budget, and an ended one no longer counts", () => {
  const { budget, share } = budgetOf(10);
  const large = share("a");
  expect(large.grow(50)).toBe(true);
  large.free();
  large.free();
  expect(budget.size).toBe(0);
  expect(share("b").grow(10)).toBe(true);
});
