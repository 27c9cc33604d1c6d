// Kubernetes' function libraries, each one table.

export { AUTHORIZER, DecisionValue, GroupCheck, PathCheck, RESOURCE_CHECK, ResourceCheck } from "./authorizer.ts";
export { authzLibrary, authzSelectorsLibrary } from "./authz.ts";
export { CIDR, Cidr, cidrLibrary } from "./cidr.ts";
export { kubeStringsLibrary } from "./extensions.ts";
export { FORMAT, formatLibrary, NAMED_FORMATS, NamedFormat } from "./format.ts";
export { IP, Ip, ipLibrary } from "./ip.ts";
export { jsonPatchLibrary } from "./jsonpatch.ts";
export { listsLibrary } from "./lists.ts";
export { QUANTITY, QuantityValue, quantityLibrary } from "./quantity.ts";
export { regexLibrary } from "./regex.ts";
export { SEMVER, Semver, semverLibrary } from "./semver.ts";
export { URL_TYPE, Url, urlsLibrary } from "./urls.ts";
