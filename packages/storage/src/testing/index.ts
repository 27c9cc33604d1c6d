// For tests of users of a store: members of etcd, where it is installed.

export { startChild } from "./child.ts";
export type { MemberOptions } from "./etcd-member.ts";
export { EtcdMember, etcdCluster, findEtcd, startEtcd } from "./etcd-member.ts";
