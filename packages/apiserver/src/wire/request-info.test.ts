import { expect, test } from "vitest";
import { requestInfo } from "./request-info.ts";

// verb, group/version, namespace, resource, subresource, name; `-` for paths that are no resource
// biome-ignore format: one case per line
const cases: readonly (readonly [string, string, string])[] = [
  ["GET",    "/api/v1/pods",                                            "list /v1 '' pods '' ''"],
  ["GET",    "/api/v1/pods?watch=true",                                 "watch /v1 '' pods '' ''"],
  ["GET",    "/api/v1/pods?watch",                                      "watch /v1 '' pods '' ''"],
  ["GET",    "/api/v1/pods?watch=0",                                    "list /v1 '' pods '' ''"],
  ["GET",    "/api/v1/namespaces/a/pods?fieldSelector=metadata.name%3Dx", "list /v1 'a' pods '' 'x'"],
  ["GET",    "/api/v1/namespaces/a/pods?fieldSelector=metadata.name!%3Dx", "list /v1 'a' pods '' ''"],
  ["HEAD",   "/api/v1/namespaces/a/pods/b",                             "get /v1 'a' pods '' 'b'"],
  ["GET",    "/api/v1/namespaces/a/pods/b/log",                         "get /v1 'a' pods 'log' 'b'"],
  ["POST",   "/apis/apps/v1/namespaces/a/deployments",                  "create apps/v1 'a' deployments '' ''"],
  ["PATCH",  "/apis/apps/v1/namespaces/a/deployments/b/scale",          "patch apps/v1 'a' deployments 'scale' 'b'"],
  ["DELETE", "/apis/apps/v1/namespaces/a/deployments",                  "deletecollection apps/v1 'a' deployments '' ''"],
  ["DELETE", "/apis/apps/v1/namespaces/a/deployments/b",                "delete apps/v1 'a' deployments '' 'b'"],
  ["GET",    "/api/v1/namespaces",                                      "list /v1 '' namespaces '' ''"],
  ["GET",    "/api/v1/namespaces/a",                                    "get /v1 'a' namespaces '' 'a'"],
  ["PUT",    "/api/v1/namespaces/a/finalize",                           "update /v1 'a' namespaces 'finalize' 'a'"],
  ["PUT",    "/api/v1/namespaces/a/status",                             "update /v1 'a' namespaces 'status' 'a'"],
  ["GET",    "/api/v1/watch/namespaces/a/pods",                         "watch /v1 'a' pods '' ''"],
  ["GET",    "/api/v1/namespaces/a/services/web:80/proxy/x/y",          "get /v1 'a' services 'proxy' 'web:80'"],
  ["GET",    "/apis/rbac.authorization.k8s.io/v1/clusterroles/system%3Aadmin", "get rbac.authorization.k8s.io/v1 '' clusterroles '' 'system:admin'"],
  ["GET",    "/api/v1/namespaces/a/pods?watch=False",                   "list /v1 'a' pods '' ''"],
  ["GET",    "/api/v1/namespaces/a/pods?watch=f",                       "watch /v1 'a' pods '' ''"],
  ["GET",    "/api/v1/watch/namespaces/a/pods/b?fieldSelector=metadata.name%3Dx", "watch /v1 'a' pods '' 'b'"],
  ["GET",    "/api/v1/watch/namespaces/a/pods?fieldSelector=metadata.name%3Dx", "watch /v1 'a' pods '' ''"],
  ["GET",    "/api/v1/namespaces/a/pods?fieldSelector=metadata.name%3Dx&limit=x", "list /v1 'a' pods '' ''"],
  ["GET",    "/api/v1/namespaces/a/pods?fieldSelector=metadata.name%3Dx&labelSelector=%3D", "list /v1 'a' pods '' ''"],
  ["DELETE", "/api/v1/namespaces/a/pods?fieldSelector=metadata.name%3Dx", "deletecollection /v1 'a' pods '' ''"],
  ["GET",    "/api/v1/namespaces//secrets",                             "list /v1 '' secrets '' ''"],
  ["GET",    "/api/v1/namespaces/a%2Fsecrets%2Fb",                      "get /v1 'a' secrets '' 'b'"],
  ["GET",    "/api/v1/namespaces/a/secrets/b%ff",                       "get /v1 'a' secrets '' 'b\ufffd'"],
  ["GET",    "/api/v1",                                                 "- get /api/v1"],
  ["GET",    "/apis/apps/v1",                                           "- get /apis/apps/v1"],
  ["GET",    "/healthz/",                                               "- get /healthz/"],
  ["POST",   "/",                                                       "- post /"],
  ["GET",    "/api/v1/watch",                                           "- get /api/v1/watch"],
];

test.each(cases)("%s %s", (method, url, want) => {
  const [path = "", query = ""] = url.split("?");
  const info = requestInfo(method, path, new URLSearchParams(query));
  const { verb, group, version, namespace, resource, subresource, name } = info;
  const told = info.isResource
    ? `${verb} ${group}/${version} '${namespace}' ${resource} '${subresource}' '${name}'`
    : `- ${verb} ${info.path}`;
  expect(told).toBe(want);
});
