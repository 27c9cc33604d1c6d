import { expect, test } from "vitest";
import { parse } from "yaml";
import { decodeProtobuf } from "../codec/protobuf/decode.ts";
import { KindTable } from "../kinds/kind-table.ts";
import { PROTOBUF_TYPE, YAML_TYPE } from "../wire/accept.ts";
import type { Call, Content } from "../wire/call.ts";
import { StatusError } from "../wire/status-error.ts";
import { Discovery } from "./discovery.ts";
import { compareVersions } from "./groups.ts";

const discovery = new Discovery(new KindTable(), () => "127.0.0.1:6443");
const V2 = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

function get(path: string, accept = "application/json", more: Record<string, string> = {}): Content {
  const headers: Record<string, string> = { accept, ...more };
  const call = { header: (name: string) => headers[name] } as Call;
  return discovery.answer(call, path.split("/").slice(1))!;
}

const bodyOf = (content: Content) => JSON.parse(String(content.body));

test("a client gets the form it prefers", () => {
  // biome-ignore format: one case per line
  const cases = [
    [`${V2}, application/json`, "APIGroupDiscoveryList", "apidiscovery.k8s.io/v2", V2],
    [`${V2.replace("v=v2", "v=v2beta1")}, application/json`, "APIGroupList", "v1", "application/json"],
    ["application/json", "APIGroupList", "v1", "application/json"],
    ["*/*", "APIGroupList", "v1", "application/json"],
    ["image/png, application/json;q=0.9", "APIGroupList", "v1", "application/json"],
  ] as const;
  for (const [accept, kind, apiVersion, type] of cases) {
    const answer = get("/apis", accept);
    expect([answer.type, bodyOf(answer).kind, bodyOf(answer).apiVersion], accept).toEqual([type, kind, apiVersion]);
  }
  expect(() => get("/apis", "image/png")).toThrow(StatusError);
});

test("subresources have the kinds they are written as", () => {
  const { items } = bodyOf(get("/api", V2));
  const pods = items[0].versions[0].resources.find((resource: { resource: string }) => resource.resource === "pods");
  expect(pods).toMatchObject({ scope: "Namespaced", singularResource: "pod", shortNames: ["po"], categories: ["all"] });
  const eviction = pods.subresources.find(
    (subresource: { subresource: string }) => subresource.subresource === "eviction",
  );
  expect(eviction).toEqual({
    subresource: "eviction",
    responseKind: { group: "policy", version: "v1", kind: "Eviction" },
    verbs: ["create"],
  });
  const legacy = bodyOf(get("/api/v1")).resources.find(
    (resource: { name: string }) => resource.name === "pods/eviction",
  );
  expect(legacy).toMatchObject({
    kind: "Eviction",
    group: "policy",
    version: "v1",
    singularName: "",
    namespaced: true,
  });
});

test("every document is also YAML and protobuf", () => {
  for (const path of ["/api", "/apis", "/api/v1", "/apis/apps", "/apis/apps/v1"]) {
    const json = bodyOf(get(path));
    expect(parse(String(get(path, YAML_TYPE).body)), path).toEqual(json);
    const decoded = decodeProtobuf(get(path, PROTOBUF_TYPE).body as Uint8Array);
    expect(decoded, path).toEqual(json.apiVersion === undefined ? { ...json, apiVersion: "" } : json);
  }
  const aggregated = get("/apis", V2.replace("json", "vnd.kubernetes.protobuf"));
  expect(aggregated.type).toBe(V2.replace("json", "vnd.kubernetes.protobuf"));
  expect(decodeProtobuf(aggregated.body as Uint8Array)).toEqual(bodyOf(get("/apis", V2)));
});

test("kinds in the group and version of a built-in resource have neither", () => {
  const { items } = bodyOf(get("/apis", V2));
  const apps = items.find((item: { metadata: { name: string } }) => item.metadata.name === "apps");
  const deployments = apps.versions[0].resources.find((item: { resource: string }) => item.resource === "deployments");
  expect(deployments.responseKind).toEqual({ group: "", version: "", kind: "Deployment" });
  expect(deployments.subresources).toMatchObject([
    { subresource: "scale", responseKind: { group: "autoscaling", version: "v1", kind: "Scale" } },
    { subresource: "status", responseKind: { group: "", version: "", kind: "Deployment" } },
  ]);
});

test("hashes of storage versions are those of kube-apiserver", () => {
  const hashes = (path: string): unknown[] =>
    bodyOf(get(path)).resources.flatMap((item: { storageVersionHash?: string }) => item.storageVersionHash ?? []);
  expect(hashes("/apis/apiextensions.k8s.io/v1")).toEqual(["jfWCUB31mvA="]);
  expect(hashes("/apis/admissionregistration.k8s.io/v1").slice(0, 2)).toEqual(["LYmCf+UMVdg=", "90V5FRZZ3Zg="]);
  expect(hashes("/apis/apps/v1")[0]).toBe("85nkx63pcBU=");
});

test("the preferred version comes first", () => {
  const group = bodyOf(get("/apis/autoscaling"));
  expect(group.preferredVersion).toEqual({ groupVersion: "autoscaling/v2", version: "v2" });
  const versions = ["v1alpha1", "foo", "v1", "v11beta2", "v10", "v2", "v11alpha1", "v3beta1", "bar", "v1beta1"];
  expect(versions.sort(compareVersions)).toEqual([
    "v10",
    "v2",
    "v1",
    "v11beta2",
    "v3beta1",
    "v1beta1",
    "v11alpha1",
    "v1alpha1",
    "bar",
    "foo",
  ]);
});

test("an unchanged document is not sent again", () => {
  const etag = get("/apis", V2).headers?.etag;
  expect(get("/apis", V2, { "if-none-match": etag! }).code).toBe(304);
});

test("groups and versions that are not served are not found", () => {
  expect(get("/apis/nowhere").code).toBe(404);
  expect(get("/apis/apps/v9").code).toBe(404);
});
