// When an image is pulled, if nobody says: always for `latest`, which is the tag of an image without tag and digest.

// A name, with a registry perhaps, then a tag, then a digest. Any other reference has no tag.
const REFERENCE =
  /^(?:[a-zA-Z0-9.-]+(?::[0-9]+)?\/|\[[0-9a-fA-F:]+\](?::[0-9]+)?\/)?[a-z0-9]+(?:[._/-]+[a-z0-9]+)*(?::([\w][\w.-]{0,127}))?(@[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,})?$/;

// An id, which is no name.
const ID = /^[a-f0-9]{64}$/;

export function imagePullPolicy(image: unknown): string {
  const match = typeof image === "string" && !ID.test(image) ? REFERENCE.exec(image) : null;
  if (match === null) return "IfNotPresent";
  const [, tag, digest] = match;
  return tag === "latest" || (tag === undefined && digest === undefined) ? "Always" : "IfNotPresent";
}
