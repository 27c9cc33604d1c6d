// The API server's rules for names, labels, ports and formatted strings.

export { isBase64, isDate, isDateTime, isUuid, isUuid3, isUuid4, isUuid5 } from "../formats.ts";
export {
  checkDns1035Label,
  checkDns1035LabelPrefix,
  checkDns1123Label,
  checkDns1123LabelPrefix,
  checkDns1123Subdomain,
  checkDns1123SubdomainPrefix,
  checkLabelValue,
  checkPathSegmentName,
  checkPortNumber,
  checkQualifiedName,
  patternProblem,
  type TextCheck,
} from "../names.ts";
export { validateFullyQualifiedName } from "../validate-name.ts";
