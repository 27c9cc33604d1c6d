// The names in certificates and in signing requests, without what reading keys and extensions needs.

export { certificateSubject } from "./certificate-subject.ts";
export { OID, type SubjectAttribute, textsOf } from "./subject.ts";
