// A server for tests: `@celadon/apiserver/testing`. In memory, in the process of the test, ready at once, nothing left behind.

export { type Manifests, type StartOptions, startServer, type TestServer } from "./start-server.ts";
