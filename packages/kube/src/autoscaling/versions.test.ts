// Autoscalers as a kube-apiserver stored them: written in one version, read in the other and in the same one again.

import { expect, test } from "vitest";
import { createObject } from "../../../write/src/requests.testing.ts";
import { applyDefaults, withServerDefaults } from "../defaults/index.ts";
import { fieldErrorText } from "../field-error.ts";
import type { KubeObject } from "../metadata.ts";
import { recorded } from "../recorded.testing.ts";
import { decode } from "../types/index.ts";
import { autoscalerIn } from "./versions.ts";

interface Part {
  readonly apiVersion: string;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly spec: object;
  readonly status?: object;
}

interface Row {
  readonly name: string;
  readonly given: Part;
  /** The object as it is read afterwards. */
  readonly seen?: readonly Part[];
  /** Why it is not accepted. */
  readonly refused?: readonly string[];
}

const KIND = { group: "autoscaling", kind: "HorizontalPodAutoscaler" };
const rows = recorded<Row>("versions", import.meta.url);

function objectOf({ apiVersion, annotations, spec, status }: Part): KubeObject {
  const metadata = { name: "x", namespace: "default", ...(annotations && { annotations }) };
  const { kind } = KIND;
  const given = { apiVersion, kind, metadata, spec: { minReplicas: 1, ...spec }, status };
  return decode({ apiVersion, kind }, given)!.object as KubeObject;
}

function partOf({ apiVersion, metadata, spec, status }: KubeObject): Part {
  const annotations = metadata?.annotations as Part["annotations"];
  return { apiVersion, ...(annotations && { annotations }), spec, status } as Part;
}

/** The annotations are converted in the order in which they are written. */
const inOrder = ({ spec, status }: Part): unknown => [(spec as { metrics?: unknown }).metrics, status];

const stored = (given: Part): KubeObject => applyDefaults(autoscalerIn(objectOf(given), "autoscaling/v2"));

test.each(rows.filter(({ seen }) => seen !== undefined))("$name", ({ given, seen }) => {
  const read = seen!.map(({ apiVersion }) => partOf(autoscalerIn(stored(given), apiVersion)));
  expect(read).toEqual(seen);
  expect(JSON.stringify(read.map(inOrder))).toBe(JSON.stringify(seen!.map(inOrder)));
});

test.each(rows.filter(({ refused }) => refused !== undefined))("$name is refused", async ({ given, refused }) => {
  const { errors = [] } = await createObject(withServerDefaults(objectOf(given)), { namespace: "default" });
  expect(errors.map(fieldErrorText)).toEqual(refused);
});

test("an object of the version that is asked for stays as it is", () => {
  for (const { given } of rows.slice(0, 3)) {
    const object = objectOf(given);
    expect(autoscalerIn(object, given.apiVersion)).toBe(object);
  }
});

test("a conversion to the first version is the same when repeated", () => {
  for (const { given } of rows) {
    const once = autoscalerIn(stored(given), "autoscaling/v1");
    expect(autoscalerIn(autoscalerIn(once, "autoscaling/v2"), "autoscaling/v1")).toEqual(once);
  }
});
