// Recognises a node: a kubelet, by the name and the group of its user. Upstream: kubernetes pkg/auth/nodeidentifier.

const PREFIX = "system:node:";
const GROUP = "system:nodes";

/** The name of the node, empty where the user does not say; undefined for everybody else. */
export function nodeOf(name: string | undefined, groups: readonly string[] | undefined): string | undefined {
  if (name === undefined || !name.startsWith(PREFIX) || groups === undefined || !groups.includes(GROUP)) {
    return undefined;
  }
  return name.slice(PREFIX.length);
}
