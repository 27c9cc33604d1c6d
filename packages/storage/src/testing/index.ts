// For tests of what stands on a store: members of etcd, where it is installed.

export { startChild } from "./child.ts";
export type { MemberOptions } from "./etcd-member.ts";
export { EtcdMember, etcdCluster, findEtcd, startEtcd } from "./etcd-member.ts";
