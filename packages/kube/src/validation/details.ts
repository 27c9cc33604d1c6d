// Complaints that many fields share.

export const IMMUTABLE = "field is immutable";
export const MUST_NOT_BE_NEGATIVE = "must be greater than or equal to 0";
export const MUST_BE_POSITIVE = "must be greater than zero";
export const MUST_BE_INTEGER = "must be an integer";
