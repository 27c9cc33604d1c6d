// The organizations in a certificate signing request, which become the groups of its user.

const ORGANIZATION = "55040a";

interface Element {
  readonly tag: number;
  readonly content: Buffer;
}

/** Of a request in PEM; none where it cannot be read. */
export function organizationsOf(pem: string): readonly string[] {
  const base64 = /-----BEGIN CERTIFICATE REQUEST-----([^-]*)-----END/.exec(pem)?.[1] ?? "";
  const [request] = elements(Buffer.from(base64, "base64"));
  const [info] = elements(request?.content);
  const [, subject] = elements(info?.content);
  return elements(subject?.content).flatMap(({ content: set }) =>
    elements(set).flatMap(({ content }) => {
      const [type, value] = elements(content);
      return type?.content.toString("hex") === ORGANIZATION && value !== undefined
        ? [value.content.toString("utf8")]
        : [];
    }),
  );
}

/** The elements of a DER sequence or set, up to the first that is cut off. */
function elements(bytes: Buffer | undefined): readonly Element[] {
  const found: Element[] = [];
  let at = 0;
  while (bytes !== undefined && at + 2 <= bytes.length) {
    const tag = bytes[at]!;
    let length = bytes[at + 1]!;
    at += 2;
    if (length >= 0x80) {
      const size = length & 0x7f;
      if (size === 0 || size > 4 || at + size > bytes.length) break;
      length = bytes.readUIntBE(at, size);
      at += size;
    }
    if (at + length > bytes.length) break;
    found.push({ tag, content: bytes.subarray(at, at + length) });
    at += length;
  }
  return found;
}
