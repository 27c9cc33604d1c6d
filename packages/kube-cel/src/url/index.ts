// URLs as Go reads and writes them, for those who meet them outside of expressions.

export { GoUrl, parseRequestUri, parseUrl } from "./parse-url.ts";
export { UrlFailure } from "./percent.ts";
