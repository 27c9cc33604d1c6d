import { expect, test } from "vitest";
import { ANSWER, answerOf, PLAIN } from "../answer.testing.ts";
import { wholeText } from "../pieces.ts";
import { hasXmllint, junitProblems } from "../schemas.testing.ts";
import { render } from "./junit.ts";
import { parseXml, type XmlElement } from "./xml.testing.ts";

if (!hasXmllint)
  console.warn("xmllint is not installed: JUnit reports are not validated against the schema, only by structure");

const cases = (suite: XmlElement): readonly XmlElement[] => suite.children.filter(({ name }) => name === "testcase");

test("suites by group, with their counts", () => {
  const root = parseXml(wholeText(render(ANSWER, PLAIN)));
  expect(root).toMatchObject({
    name: "testsuites",
    attributes: { name: "celadon", tests: "7", failures: "2", errors: "2", skipped: "1", time: "1.512" },
  });
  expect(root.children.map(({ attributes }) => attributes)).toEqual([
    { name: "pods.yaml", tests: "4", failures: "2", errors: "0", skipped: "0", time: "1.512" },
    { name: "nodes.yaml", tests: "3", failures: "0", errors: "2", skipped: "1" },
  ]);
  for (const suite of root.children) expect(cases(suite)).toHaveLength(Number(suite.attributes.tests));
});

test("the element of each result", () => {
  const [pods, nodes] = parseXml(wholeText(render(ANSWER, PLAIN))).children;
  const inside = [...cases(pods!), ...cases(nodes!)].map(({ children }) => children.map(({ name }) => name));
  expect(inside).toEqual([
    [],
    ["properties", "failure"],
    ["failure"],
    ["system-out"],
    ["error"],
    ["skipped"],
    ["error"],
  ]);
  const [passed, failed] = cases(pods!);
  expect(passed!.attributes).toEqual({
    name: "Pod shop/web",
    classname: "policy/trusted-images/validations[0]",
    time: "0.013",
  });
  expect(failed!.attributes).toMatchObject({ file: "my pods/50%#?é.yaml", line: "12" });
  expect(failed!.children[1]).toMatchObject({
    attributes: { message: "image docker.io/db is not allowed", type: "policy/trusted-images/validations[0]" },
    text: "image docker.io/db is not allowed\nspec.containers[0].image is docker.io/db\nat my pods/50%#?é.yaml:12:7",
  });
});

test("every text survives, and what XML cannot hold is written out", () => {
  const nasty = cases(parseXml(wholeText(render(ANSWER, PLAIN))).children[0]!)[2]!;
  const shown = "a <b> & \"c\", 'd': 100% ]]>\r\n\\u001b[31mred\\u0000 \\ud800 é 日本 😀 ::error::x\ttab";
  expect(nasty.attributes.name).toBe(shown);
  expect(nasty.children[0]!.attributes.message).toBe(shown);
  expect(nasty.children[0]!.text).toBe(`${shown}\n${shown}`);
});

test.skipIf(!hasXmllint).each([
  ["a full report", ANSWER],
  ["an empty report", answerOf([])],
])("%s fits the schema", (_, answer) => {
  expect(junitProblems(wholeText(render(answer, PLAIN)))).toEqual([]);
});
