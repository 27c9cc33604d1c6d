import { createResources } from "@celadon/admission/memory";
import { isInvalid } from "@celadon/kube/errors";
import { describe, expect, test } from "vitest";
import { testIo } from "../io.testing.ts";
import { type AuditEvent, requestOfEvent } from "./audit-event.ts";
import { loadManifests } from "./load.ts";

const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "a", namespace: "n" } };
const status = { apiVersion: "v1", kind: "Status", status: "Failure" };
const event = {
  kind: "Event",
  apiVersion: "audit.k8s.io/v1",
  level: "Request",
  auditID: "1",
  stage: "ResponseComplete",
  requestURI: "/api/v1/namespaces/n/pods?fieldManager=kubectl&dryRun=All",
  verb: "create",
  user: { username: "jane", groups: ["dev"] },
  objectRef: { resource: "pods", namespace: "n", name: "a", apiVersion: "v1" },
  responseStatus: { code: 201 },
  requestObject: pod,
};

async function eventsOf(text: string): Promise<readonly AuditEvent[]> {
  const { events, issues } = await loadManifests(["audit.log"], {}, testIo({ files: { "audit.log": text } }));
  expect(issues).toEqual([]);
  return events;
}

const requestOf = async (changes: object) => {
  const [item] = await eventsOf(JSON.stringify({ ...event, ...changes }));
  return requestOfEvent(item!, createResources());
};

describe("events", () => {
  const lines = `${JSON.stringify(event)}\n${JSON.stringify({ ...event, auditID: "2" })}\n`;
  const list = {
    kind: "EventList",
    apiVersion: "audit.k8s.io/v1",
    items: [event, { ...event, auditID: "2", kind: undefined, apiVersion: undefined }],
  };
  // biome-ignore format: one case per line
  const cases = [
    { name: "a log",   text: lines },
    { name: "a list",  text: JSON.stringify(list, null, 2) },
  ];
  test.each(cases)("of $name", async ({ text }) => {
    expect((await eventsOf(text)).map(({ auditID, verb, name }) => [auditID, verb, name])).toEqual([
      ["1", "create", "a"],
      ["2", "create", "a"],
    ]);
  });

  test("a line that is cut off leaves the others", async () => {
    const io = testIo({ files: { "audit.log": `${lines}{"kind":"Ev` } });
    const { events, issues, notes } = await loadManifests(["audit.log"], {}, io);
    expect(events).toHaveLength(2);
    expect(issues).toEqual([]);
    expect(notes).toMatchObject([{ line: 3, message: expect.stringMatching(/^warning: the last line is cut off/) }]);
  });

  test("those of a workload are manifests", async () => {
    const io = testIo({ files: { "e.yaml": "apiVersion: v1\nkind: Event\nmetadata: {name: x}\n" } });
    expect((await loadManifests(["e.yaml"], {}, io)).manifests).toHaveLength(1);
  });
});

describe("the request", () => {
  test("whole", async () =>
    expect(await requestOf({})).toEqual({
      kind: { group: "", version: "v1", kind: "Pod" },
      resource: { group: "", version: "v1", resource: "pods" },
      name: "a",
      namespace: "n",
      operation: "CREATE",
      userInfo: { username: "jane", groups: ["dev"] },
      object: pod,
      oldObject: null,
      options: { kind: "CreateOptions", apiVersion: "meta.k8s.io/v1", fieldManager: "kubectl" },
      dryRun: true,
    }));

  const scale = { apiVersion: "autoscaling/v1", kind: "Scale", metadata: { name: "a" } };
  const exec = { apiVersion: "v1", kind: "PodExecOptions" };
  const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: "x" } };
  // biome-ignore format: one case per line
  const cases = [
    { name: "an update",              changes: { verb: "update" },                                              want: { operation: "UPDATE", object: pod, oldObject: null } },
    { name: "a patch that was stored", changes: { verb: "patch", requestObject: { spec: {} }, responseObject: pod, responseStatus: { code: 200 } }, want: { operation: "UPDATE", object: pod } },
    { name: "an apply that created",  changes: { verb: "patch", responseObject: pod, responseStatus: { code: 201 } }, want: { operation: "CREATE", object: pod } },
    { name: "an apply that was refused", changes: { verb: "patch", responseObject: status, responseStatus: { code: 422 } }, want: { operation: "UPDATE", object: pod } },
    { name: "a deletion",             changes: { verb: "delete", requestObject: undefined, responseObject: status }, want: { operation: "DELETE", object: null, oldObject: null, kind: { group: "", version: "v1", kind: "Pod" } } },
    { name: "a deletion with the object", changes: { verb: "delete", requestObject: undefined, responseObject: pod }, want: { operation: "DELETE", object: null, oldObject: pod } },
    { name: "a subresource",          changes: { verb: "update", objectRef: { resource: "deployments", apiGroup: "apps", apiVersion: "v1", name: "a", subresource: "scale" }, requestObject: scale }, want: { subresource: "scale", kind: { group: "autoscaling", version: "v1", kind: "Scale" }, resource: { group: "apps", version: "v1", resource: "deployments" } } },
    { name: "a connection",           changes: { verb: "get", objectRef: { resource: "pods", apiVersion: "v1", name: "a", subresource: "exec" }, requestObject: exec }, want: { operation: "CONNECT", options: null } },
    { name: "another user",           changes: { impersonatedUser: { username: "bob" } },                       want: { userInfo: { username: "bob" } } },
    { name: "a namespace",            changes: { objectRef: { resource: "namespaces", apiVersion: "v1", name: "x" }, requestObject: namespace }, want: { name: "x", namespace: "x" } },
    { name: "a name of the server",   changes: { objectRef: { resource: "pods", apiVersion: "v1", namespace: "n" } }, want: { name: "a", namespace: "n" } },
  ];
  test.each(cases)("of $name", async ({ changes, want }) => expect(await requestOf(changes)).toMatchObject(want));
});

describe("no request", () => {
  // biome-ignore format: one case per line
  const cases = [
    { changes: { objectRef: undefined },                    why: "the event is not about a resource" },
    { changes: { stage: "RequestReceived" },                why: "stage 'RequestReceived' is not the end of a request" },
    { changes: { verb: "list" },                            why: "admission does not apply to verb 'list'" },
    { changes: { verb: "constructor" },                     why: "admission does not apply to verb 'constructor'" },
    { changes: { requestObject: undefined },                why: "the event does not include the object; log at level Request or higher" },
    { changes: { verb: "patch", requestObject: [] },        why: "the event does not include the object; log at level RequestResponse or higher" },
    { changes: { verb: "delete", requestObject: undefined, objectRef: { resource: "foos", apiGroup: "x.io", apiVersion: "v1" } }, why: "the kind of resource 'foos' is unknown" },
  ];
  test.each(cases)("$why", async ({ changes, why }) => {
    const request = await requestOf(changes);
    expect(isInvalid(request) && request.message).toBe(why);
  });
});
