// What is done to a cluster of three while clients work.

import type { EtcdMember } from "@celadon/storage/testing";
import type { Random } from "../random.ts";

export interface Fault {
  readonly name: string;
  /** Does it and undoes it; resolves when all members run again. */
  run(members: readonly EtcdMember[], random: Random): Promise<void>;
}

const seconds = (count: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, count * 1000));

export const faults: readonly Fault[] = [
  {
    name: "leader killed",
    async run(members) {
      const leader = await leaderOf(members);
      await leader.stop("SIGKILL");
      await seconds(3);
      leader.start();
    },
  },
  {
    name: "follower stopped and continued",
    async run(members, random) {
      const leader = await leaderOf(members);
      const followers = members.filter((member) => member !== leader);
      await pause(followers[random(followers.length)]!);
    },
  },
  {
    name: "leader stopped and continued",
    async run(members) {
      await pause(await leaderOf(members));
    },
  },
  {
    name: "all restarted",
    async run(members) {
      await Promise.all(members.map((member) => member.stop("SIGTERM")));
      await seconds(1);
      for (const member of members) member.start();
    },
  },
  {
    name: "all killed",
    async run(members) {
      await Promise.all(members.map((member) => member.stop("SIGKILL")));
      for (const member of members) member.start();
    },
  },
];

async function pause(member: EtcdMember): Promise<void> {
  member.signal("SIGSTOP");
  await seconds(4);
  member.signal("SIGCONT");
}

/** The member that leads, as the members say through their JSON gateway. */
export async function leaderOf(members: readonly EtcdMember[]): Promise<EtcdMember> {
  for (let attempt = 0; attempt < 300; attempt++) {
    for (const member of members) {
      const status = await statusOf(member);
      if (status !== undefined && status.leader !== "0" && status.leader === status.header.member_id) return member;
    }
    await seconds(0.1);
  }
  throw new Error("the cluster has no leader");
}

async function statusOf(member: EtcdMember): Promise<{ leader: string; header: { member_id: string } } | undefined> {
  try {
    const answer = await fetch(`${member.endpoint}/v3/maintenance/status`, {
      method: "POST",
      body: "{}",
      signal: AbortSignal.timeout(1_000),
    });
    return answer.ok ? ((await answer.json()) as { leader: string; header: { member_id: string } }) : undefined;
  } catch {
    return undefined;
  }
}
