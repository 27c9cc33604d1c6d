// The arguments that TypeScript allows a command to read (checked by `npm run typecheck`).

import { expect, test } from "vitest";
import { makeArgs } from "../args/parse.ts";
import { type Args, type ArgsOf, defineCommand, type Option } from "./command.ts";
import { EXIT } from "./exit.ts";

const OPTIONS = [
  { name: "all", help: "everything" },
  { name: "width", value: "N", help: "columns" },
] as const satisfies readonly Option[];

const about = { name: "x", summary: "", usage: "", about: "", examples: [] };

test("a command reads the flags of its table, and the global ones", async () => {
  const seen: unknown[] = [];
  const command = defineCommand({
    ...about,
    options: OPTIONS,
    run: async (args) => {
      seen.push(args.on("all"), args.number("width", { min: 1, max: 9 }), args.on("quiet"), args.shared.on("cluster"));
      // @ts-expect-error: no flag of this table
      seen.push(args.text("with"));
      return EXIT.ok;
    },
  });
  const values = new Map([
    ["all", [""]],
    ["width", ["7"]],
  ]);
  await command.run(makeArgs([], values), undefined as never);
  expect(seen).toEqual([true, 7, false, false, undefined]);
});

test("a helper cannot be given the flags of a command that lacks one", () => {
  const helper = (args: Args<"width" | "depth">): string | undefined => args.text("depth");
  const args: ArgsOf<typeof OPTIONS> = makeArgs([], new Map([["width", ["7"]]]));
  // @ts-expect-error: the table has no depth
  expect(helper(args)).toBeUndefined();
});
