// Names of derived policies and bindings: they contain the name of the original, and are valid names.

/** Names of policies and bindings are DNS subdomains. */
const MAX_LENGTH = 253;

export function derivedName(place: string, name: string): string {
  const full = `autogen-${place}-${name}`;
  if (full.length <= MAX_LENGTH) return full;
  const tail = `-${fingerprint(full)}`;
  return full.slice(0, MAX_LENGTH - tail.length).replace(/[-.]+$/, "") + tail;
}

/** FNV-1a: tells apart long names that begin alike. */
function fingerprint(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}
