import { expect, test } from "vitest";
import { testIo } from "../io.testing.ts";
import { paintOf } from "./paint.ts";
import { say } from "./say.ts";

// biome-ignore format: one line each
const lines = [
  { what: "plain",    line: "Playground at http://127.0.0.1:7780/",      want: "Playground at http://127.0.0.1:7780/\n" },
  { what: "coloured", line: `${paintOf(true).bold("API")}, ready`,       want: "\u001b[1mAPI\u001b[22m, ready\n" },
  { what: "hostile",  line: "a\n::error::b\u001b[2J\u202e",              want: "a\\n::error::b\\u001b[2J\\u202e\n" },
  { what: "command",  line: "::error::b",                                want: ":\\u003aerror::b\n" },
];

test.each(lines)("$what", ({ line, want }) => {
  const io = testIo();
  say(io, line);
  expect(io.stdout).toBe(want);
});
