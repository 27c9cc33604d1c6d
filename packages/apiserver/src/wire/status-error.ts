// A refusal on its way to the client: thrown by handlers, turned into an answer in one place.

export { StatusError, statusOf } from "@celadon/write";
