// The campaign itself: that it finds calls to try and that no reader throws on its first changed inputs. Slow inputs are not tested here.

import { createEnv, type Env } from "@celadon/cel";
import { kubeEnv } from "@celadon/kube-cel";
import { expect, test } from "vitest";
import { callsOf } from "./calls.ts";
import { worstInputs } from "./inputs.ts";
import { worstRequests } from "./requests.ts";
import { worstOf } from "./search.ts";

test("most functions of Kubernetes are tried, and operators and macros", () => {
  const calls = callsOf(kubeEnv() as Env);
  const names = new Set(calls.map(({ name }) => name.split(" ")[0]));
  for (const name of ["_+_", "@in", "map", "format", "findAll", "sets.contains", "quantity", "isURL", "_==_", "sort"]) {
    expect(names, name).toContain(name);
  }
  expect(calls.length).toBeGreaterThan(300);
});

test("a search returns the worst case it found", () => {
  const call = {
    name: "size",
    expr: "a.size()",
    types: callsOf(createEnv() as Env).find(({ expr }) => expr === "a.all(k, true)")!.types,
  };
  const worst = worstOf(call, createEnv() as Env, 5, "interpreted");
  expect(worst).toMatchObject({ call: "size", expr: "a.size()", interrupted: false });
  expect(worst?.cost).toBeGreaterThan(100);
});

test("no reader throws", async () => {
  const rows = await worstInputs(30, 1, /./);
  expect(rows.map(({ reader }) => reader)).toEqual(["YAML", "JSON", "DER", "regular expression", "canonical tree"]);
  for (const { reader, thrown, inputs } of rows) {
    expect(thrown, reader).toEqual([]);
    expect(inputs).toBeGreaterThan(0);
  }
});

test("no request is answered with an internal error", async () => {
  const rows = await worstRequests(20, 1, /./);
  expect(rows.length).toBeGreaterThan(15);
  for (const { reader, thrown, inputs } of rows) {
    expect(thrown, reader).toEqual([]);
    expect(inputs).toBeGreaterThan(0);
  }
});
