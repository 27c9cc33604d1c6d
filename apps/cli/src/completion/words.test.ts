import { expect, test } from "vitest";
import { verbs } from "../commands/index.ts";
import { shapeOf } from "./shape.ts";
import { type ClusterNames, completionOf, completionText } from "./words.ts";

const CLUSTER: ClusterNames = {
  namespaces: async () => ["default", "shop"],
  types: async () => ["pods", "podtemplates", "services"],
  objects: async (type) => (type === "pods" ? ["web-1", "web-2", "db"] : []),
};

// biome-ignore format: one case per line
const cases = [
  { line: ["ch"],                                 words: ["check"],                        directive: 4 },
  { line: ["crd", ""],                            words: ["upgrade"],                      directive: 4 },
  { line: ["check", "--as-u"],                    words: ["--as-uid", "--as-user-extra"],  directive: 4 },
  { line: ["check", ""],                          words: [],                               directive: 0 },
  { line: ["check", "-f", "x"],                   words: [],                               directive: 0 },
  { line: ["check", "-o", "ju"],                  words: ["junit"],                        directive: 4 },
  { line: ["check", "-n", ""],                    words: ["default", "shop"],              directive: 4 },
  { line: ["completion", "z"],                    words: ["zsh"],                          directive: 4 },
  { line: ["why", "de"],                          words: ["deny"],                         directive: 6 },
  { line: ["why", "deny", "pod"],                 words: ["pods/", "podtemplates/"],       directive: 6 },
  { line: ["why", "deny", "pods/w"],              words: ["pods/web-1", "pods/web-2"],     directive: 4 },
  { line: ["nothing", ""],                        words: [],                               directive: 4 },
];
test.each(cases)("$line", async ({ line, words, directive }) => {
  const shape = shapeOf(await Promise.all(verbs.map(async (verb) => (await verb.load()).command)));
  const completion = await completionOf(line, shape, () => CLUSTER);
  expect(completion.words.map((word) => word.split("\t")[0])).toEqual(words);
  expect(completion.directive).toBe(directive);
});

test("the text ends with the directive", () => {
  expect(completionText({ words: ["a\tb", "c"], directive: 4 })).toBe("a\tb\nc\n:4\n");
});
