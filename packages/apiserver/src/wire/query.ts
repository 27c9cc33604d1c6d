// The query of a request as Go's net/url reads it: pairs with a semicolon or a broken escape are left out.

const ODD = /[;%]|^\?/;
const BROKEN_ESCAPE = /%(?![0-9A-Fa-f]{2})/;

export function parseQuery(text: string): URLSearchParams {
  if (!ODD.test(text)) return new URLSearchParams(text);
  const pairs = text.split("&").filter((pair) => !pair.includes(";") && !BROKEN_ESCAPE.test(pair));
  // A question mark at the start belongs to a name, which URLSearchParams would take away.
  return new URLSearchParams(`&${pairs.join("&")}`);
}
