import type { KubeObject } from "@celadon/kube";
import { expect, test } from "vitest";
import { World, type WorldOptions } from "./world.ts";

const pod = (spec: object): KubeObject => ({ apiVersion: "v1", kind: "Pod", metadata: { name: "a" }, spec });
const container = { name: "c", image: "i:1" };

// biome-ignore format: one case per line
const cases: { name: string; object: KubeObject; options?: WorldOptions; status?: string; problems: string[] }[] = [
  { name: "well",                    object: pod({ containers: [container] }), problems: [] },
  { name: "an unknown field",        object: pod({ containers: [container], nodeNam: "n" }), status: 'Pod in version "v1" cannot be handled as a Pod: strict decoding error: unknown field "spec.nodeNam"', problems: ['deny unknown field "spec.nodeNam" spec/nodeNam'] },
  { name: "told of it only",         object: pod({ containers: [container], nodeNam: "n" }), options: { fieldValidation: "Warn" }, problems: ['warning unknown field "spec.nodeNam" spec/nodeNam'] },
  { name: "or not at all",           object: pod({ containers: [container], nodeNam: "n" }), options: { fieldValidation: "Ignore" }, problems: [] },
  { name: "a wrong type",            object: pod({ containers: [container], priority: "high" }), status: 'Pod in version "v1" cannot be handled as a Pod: json: cannot unmarshal string into Go struct field PodSpec.spec.priority of type int32', problems: ["deny json: cannot unmarshal string into Go struct field PodSpec.spec.priority of type int32 spec/priority"] },
];

test.each(cases)("$name", async ({ object, options = {}, status, problems }) => {
  const outcome = await World.of([], options).review({ object });
  expect(outcome.status?.message).toBe(status);
  expect(outcome.problems.map(({ level, message, path = [] }) => `${level} ${message} ${path.join("/")}`)).toEqual(
    problems,
  );
});

test("policies see the defaults a server fills in", async () => {
  const { object } = await World.of([]).review({ object: pod({ containers: [container] }) });
  expect(object?.spec).toMatchObject({ restartPolicy: "Always", containers: [{ imagePullPolicy: "IfNotPresent" }] });
  const { object: bare } = await World.of([], { serverDefaults: false }).review({
    object: pod({ containers: [container] }),
  });
  expect(bare?.spec).toEqual({ containers: [container] });
});
