import { Invalid } from "@celadon/kube/errors";
import { expect, test } from "vitest";
import { mergeConfiguration } from "./apply-configuration.ts";
import { builtinMergeType } from "./schema/builtin-types.ts";

const type = builtinMergeType({ group: "", version: "v1", kind: "Pod" })!;
const pod = (spec: object): { apiVersion: string; kind: string; spec: object } => ({
  apiVersion: "v1",
  kind: "Pod",
  spec,
});
const live = pod({ containers: [{ name: "a", env: [{ name: "X", value: "1" }] }], nodeSelector: { disk: "ssd" } });

test("items are merged by name, all else stays", () => {
  const config = pod({ containers: [{ name: "a", env: [{ name: "Y", value: "2" }] }, { name: "b" }] });
  expect(mergeConfiguration(type, live, config)).toEqual(
    pod({
      containers: [
        {
          name: "a",
          env: [
            { name: "X", value: "1" },
            { name: "Y", value: "2" },
          ],
        },
        { name: "b" },
      ],
      nodeSelector: { disk: "ssd" },
    }),
  );
});

const ATOMIC = "invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs:";

// biome-ignore format: one text per line
const refused: [object, string][] = [
  [{ replicasx: 1 },                                      "failed to convert patch object to typed object: .spec.replicasx: field not declared in schema"],
  [{ nodeSelector: { a: "b" } },                          `${ATOMIC} .spec.nodeSelector`],
  [{ initContainers: [{ name: "i", args: ["x"] }] },      `${ATOMIC} .spec.initContainers[0].args`],
  [{ imagePullSecrets: [{ name: "s" }], tolerations: [] }, `${ATOMIC} .spec.imagePullSecrets[0], .spec.tolerations`],
  [{ containers: [{ name: "a" }, { name: "a" }] },        `failed to convert patch object to typed object: .spec.containers: duplicate entries for key [name="a"]`],
];

test.each(refused)("refused %#", (spec, message) => {
  expect(mergeConfiguration(type, live, pod(spec))).toEqual(new Invalid(message));
});

test("an object that is not of its type", () => {
  expect(mergeConfiguration(type, pod({ containers: 1 }), pod({}))).toEqual(
    new Invalid("failed to convert original object to typed object: .spec.containers: expected list, got &{1}"),
  );
});

test("duplicates in the object: those that are named become one", () => {
  const twice = pod({ containers: [{ name: "a", image: "1" }, { name: "b" }, { name: "a", image: "2" }] });
  expect(mergeConfiguration(type, twice, pod({ containers: [{ name: "a", tty: true }] }))).toEqual(
    pod({ containers: [{ name: "a", tty: true }, { name: "b" }] }),
  );
});
