// The claims in a JSON web token, without verifying it.

/** The claims; undefined if the text is no token. */
export function claimsOfToken(text: string): unknown {
  const [, payload, ...rest] = text.trim().split(".");
  if (payload === undefined || rest.length !== 1) return undefined;
  try {
    return JSON.parse(Buffer.from(payload, "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
}
