import { describe, expect, test } from "vitest";
import { UsageError } from "../program/exit.ts";
import { parseKubeVersion, parseKubeVersions } from "./kube-version.ts";

describe("names of versions", () => {
  // biome-ignore format: one case per line
  const cases = [
    { text: undefined,                 want: ["1.37"] },
    { text: "1.30",                    want: ["1.30"] },
    { text: "v1.30",                   want: ["1.30"] },
    { text: "v1.30.2",                 want: ["1.30"] },
    { text: "v1.29.3-gke.1282000",     want: ["1.29"] },
    { text: "1.29+",                   want: ["1.29"] },
    { text: "1.30..1.33",              want: ["1.30", "1.31", "1.32", "1.33"] },
    { text: "v1.35.1..v1.36.0",        want: ["1.35", "1.36"] },
    { text: "1.30..1.30",              want: ["1.30"] },
    { text: "1.32,1.30",               want: ["1.30", "1.32"] },
    { text: "1.30, 1.32, 1.30",        want: ["1.30", "1.32"] },
    { text: "1.28,1.30..1.31,1.31",    want: ["1.28", "1.30", "1.31"] },
  ];
  test.each(cases)("$text", ({ text, want }) => expect(parseKubeVersions(text)).toEqual(want));
});

describe("what does not", () => {
  // biome-ignore format: one case per line
  const cases = [
    { text: "",             message: `--kube-version "": "" is no Kubernetes version` },
    { text: "latest",       message: `--kube-version "latest": "latest" is no Kubernetes version` },
    { text: "1.30.x",       message: `--kube-version "1.30.x": "1.30.x" is no Kubernetes version` },
    { text: "30",           message: `--kube-version "30": "30" is no Kubernetes version` },
    { text: "1.30..",       message: `--kube-version "1.30..": "" is no Kubernetes version` },
    { text: "1.30,",        message: `--kube-version "1.30,": "" is no Kubernetes version` },
    { text: "1.30...1.32",  message: `--kube-version "1.30...1.32": ".1.32" is no Kubernetes version` },
    { text: "1.1..2..3",    message: `--kube-version "1.1..2..3" is not a range of versions` },
    { text: "1.36..1.30",   message: `--kube-version "1.36..1.30": 1.36 is after 1.30`, hint: "did you mean 1.30..1.36?" },
    { text: "1.27",         message: "--kube-version 1.27 is not supported; supported versions are 1.28 to 1.37" },
    { text: "1.38",         message: "--kube-version 1.38 is not supported; supported versions are 1.28 to 1.37" },
    { text: "2.30",         message: "--kube-version 2.30 is not supported; supported versions are 1.28 to 1.37" },
    { text: "1.3",          message: "--kube-version 1.3 is not supported; supported versions are 1.28 to 1.37", hint: "did you mean 1.30?" },
    { text: "1.30..1.9999999999", message: "--kube-version 1.9999999999 is not supported; supported versions are 1.28 to 1.37" },
  ];
  test.each(cases)("$text", ({ text, message, hint }) => {
    const error = errorOf(() => parseKubeVersions(text));
    expect(error.message).toBe(message);
    if (hint !== undefined) expect(error.hint).toBe(hint);
  });

  test("several where one is wanted", () => {
    expect(errorOf(() => parseKubeVersion("1.30..1.32")).message).toContain("names 3 versions");
    expect(parseKubeVersion("1.30")).toBe("1.30");
  });
});

function errorOf(run: () => unknown): UsageError {
  try {
    run();
  } catch (error) {
    if (error instanceof UsageError) return error;
  }
  throw new Error("no usage error");
}
