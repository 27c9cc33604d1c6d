// The distributed store, in a cluster of etcd v3. Speaks gRPC by Node's own HTTP/2.

export type { EtcdOptions } from "./etcd-store.ts";
export { openEtcd } from "./etcd-store.ts";
