import { expect, test, vi } from "vitest";
import { CONFIG_MAPS, configMap, testServer } from "../server.testing.ts";

test("a namespace that cannot go yet says what keeps it", async () => {
  const { admin } = await testServer();
  await admin.call("POST", "/api/v1/namespaces", { body: { metadata: { name: "old" } } });
  const inOld = CONFIG_MAPS.replace("default", "old");
  await admin.call("POST", inOld, { body: configMap("kept", { metadata: { finalizers: ["example.com/wait"] } }) });
  await admin.call("POST", inOld, { body: configMap("plain") });
  await admin.call("DELETE", "/api/v1/namespaces/old");
  await vi.waitFor(async () => {
    const { status } = (await admin.call("GET", "/api/v1/namespaces/old")).json();
    expect(status.phase).toBe("Terminating");
    const shown = status.conditions?.map(({ type, status: value, message }: Record<string, string>) => [
      type,
      value,
      message,
    ]);
    expect(shown).toEqual([
      ["NamespaceDeletionDiscoveryFailure", "False", "All resources successfully discovered"],
      ["NamespaceDeletionGroupVersionParsingFailure", "False", "All legacy kube types successfully parsed"],
      ["NamespaceDeletionContentFailure", "False", "All content successfully deleted, may be waiting on finalization"],
      ["NamespaceContentRemaining", "True", "Some resources are remaining: configmaps. has 1 resource instances"],
      [
        "NamespaceFinalizersRemaining",
        "True",
        "Some content in the namespace has finalizers remaining: example.com/wait in 1 resource instances",
      ],
    ]);
  }, 100_000);
  await admin.call("PATCH", `${inOld}/kept`, {
    body: { metadata: { finalizers: null } },
    type: "application/merge-patch+json",
  });
  await vi.waitFor(async () => expect((await admin.call("GET", "/api/v1/namespaces/old")).code).toBe(404), 100_000);
});
