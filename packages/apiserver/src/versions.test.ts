// A server that emulates another version of Kubernetes: the version it reports, the resources it serves, and its treatment of objects.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startServer, type TestServer } from "./testing/start-server.ts";

// biome-ignore format: one version per line
const VERSIONS = [
  { kubeVersion: "1.30", gitVersion: "v1.30.14+celadon", absent: "networking.k8s.io/v1/ipaddresses",   served: "flowcontrol.apiserver.k8s.io/v1beta3/flowschemas" },
  { kubeVersion: "1.32", gitVersion: "v1.32.13+celadon", absent: "resource.k8s.io/v1/deviceclasses",   served: "apps/v1/deployments" },
  { kubeVersion: "1.34", gitVersion: "v1.34.1+celadon",  absent: "admissionregistration.k8s.io/v1/mutatingadmissionpolicies", served: "resource.k8s.io/v1/deviceclasses" },
  { kubeVersion: "1.37", gitVersion: "v1.37.1+celadon",  absent: "flowcontrol.apiserver.k8s.io/v1beta3/flowschemas", served: "certificates.k8s.io/v1/clustertrustbundles" },
] as const;

describe.each(VERSIONS)("Kubernetes $kubeVersion", ({ kubeVersion, gitVersion, absent, served }) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({ kubeVersion });
  });
  afterAll(() => server.close());

  const get = async (path: string) => (await server.client.call("GET", path)) as { code: number; text: string };

  test("says which version it is", async () => {
    const { text } = await get("/version");
    expect(JSON.parse(text)).toMatchObject({ gitVersion, minor: kubeVersion.slice(2) });
  });

  test("serves the resources of the version and no others", async () => {
    const listed = async (name: string): Promise<boolean> => {
      const [plural, ...version] = name.split("/").reverse();
      const { code, text } = await get(`/apis/${version.reverse().join("/")}`);
      const { resources = [] } = code === 200 ? (JSON.parse(text) as { resources?: { name: string }[] }) : {};
      const isListed = resources.some((resource) => resource.name === plural);
      expect((await get(`/apis/${name}`)).code).toBe(isListed ? 200 : 404);
      return isListed;
    };
    expect(await listed(served)).toBe(true);
    expect(await listed(absent)).toBe(false);
  });

  test("drops or warns about fields it does not have", async () => {
    const pod = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "p" },
      spec: { containers: [{ name: "c", image: "i" }], hostnameOverride: "h" },
    };
    const { code, text, warnings } = (await server.client.call("POST", "/api/v1/namespaces/default/pods", {
      body: pod,
    })) as { code: number; text: string; warnings?: readonly string[] };
    const { spec } = JSON.parse(text) as { spec: { hostnameOverride?: string } };
    expect(code).toBe(201);
    expect(spec.hostnameOverride).toBe(Number(kubeVersion.slice(2)) >= 35 ? "h" : undefined);
    const unknown = 'unknown field "spec.hostnameOverride"';
    expect(warnings?.includes(unknown) ?? false).toBe(Number(kubeVersion.slice(2)) < 34);
  });

  test("validates as the version does", async () => {
    const service = {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "1abc" },
      spec: { ports: [{ port: 80 }] },
    };
    const { code } = await server.client.call("POST", "/api/v1/namespaces/default/services", { body: service });
    expect(code).toBe(Number(kubeVersion.slice(2)) >= 36 ? 201 : 422);
  });
});

test("a version that is none is an error of the caller", async () => {
  await expect(startServer({ kubeVersion: "1.x" as "1.30" })).rejects.toThrow('"1.x" is no minor of Kubernetes');
});
