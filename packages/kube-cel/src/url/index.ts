// URLs as Go reads and writes them, for those who meet them outside of expressions.

export { UrlFailure } from "./escape.ts";
export { GoUrl, parseRequestUri, parseUrl } from "./parse-url.ts";
