// In place of @celadon/kube-cel/access for the simulator in the bundle: an API server's configurations of authentication and authorization
// are loaded with the first text that has one. Callers that review call `loadAccess` first.

type Package = typeof import("@celadon/kube-cel/access");

/** Both are set once the package is loaded. */
export let acceptAuthentication: Package["acceptAuthentication"];
export let acceptAuthorization: Package["acceptAuthorization"];

/** Loads the package where one of the texts needs it. */
export async function loadAccess(texts: readonly string[]): Promise<void> {
  if (acceptAuthentication !== undefined || !texts.some((text) => /Auth\w+Configuration/.test(text))) return;
  ({ acceptAuthentication, acceptAuthorization } = await import("@celadon/kube-cel/access"));
}
