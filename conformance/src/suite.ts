// The official suites as flat lists of cases, each with its own path: suite/file/section/name.

import {
  getCheckingSuite,
  getComprehensionSuite,
  getConformanceSuite,
  getParsingSuite,
  type IncrementalTest,
  type IncrementalTestSuite,
} from "@bufbuild/cel-spec/testdata/tests.js";

export interface Case {
  readonly path: string;
  /** The name of the case's group in reports: the file, or the whole suite when it has none. */
  readonly group: string;
  readonly test: IncrementalTest;
}

function flatten(suite: IncrementalTestSuite): Case[] {
  const cases: Case[] = [];
  const seen = new Map<string, number>();
  const visit = (node: IncrementalTestSuite, path: readonly string[]): void => {
    for (const test of node.tests) {
      const name = [...path, test.name].join("/");
      const count = (seen.get(name) ?? 0) + 1;
      seen.set(name, count);
      // Some names are used twice in a section.
      cases.push({ path: count === 1 ? name : `${name}#${count}`, group: path.slice(0, 2).join("/"), test });
    }
    for (const child of node.suites) visit(child, [...path, child.name]);
  };
  visit(suite, [suite.name]);
  return cases;
}

export const suites = {
  conformance: flatten(getConformanceSuite()),
  parsing: flatten(getParsingSuite()),
  checking: flatten(getCheckingSuite()),
  comprehensions: flatten(getComprehensionSuite()),
} as const;

export type SuiteName = keyof typeof suites;

export function byGroup(cases: readonly Case[]): [string, Case[]][] {
  const groups = new Map<string, Case[]>();
  for (const testCase of cases) {
    const group = groups.get(testCase.group);
    if (group === undefined) groups.set(testCase.group, [testCase]);
    else group.push(testCase);
  }
  return [...groups];
}
