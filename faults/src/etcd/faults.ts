// The faults of a three-member cluster while clients work.

import type { EtcdMember } from "@celadon/storage/testing";
import { pause } from "../campaign.ts";
import type { Random } from "../random.ts";

export interface Fault {
  readonly name: string;
  /** Causes the fault and repairs it; resolves when all members run again. */
  run(members: readonly EtcdMember[], random: Random): Promise<void>;
}

export const faults: readonly Fault[] = [
  {
    name: "leader killed",
    async run(members) {
      const leader = await leaderOf(members);
      await leader.stop("SIGKILL");
      await pause(3_000);
      leader.start();
    },
  },
  {
    name: "follower stopped and continued",
    async run(members, random) {
      const leader = await leaderOf(members);
      const followers = members.filter((member) => member !== leader);
      await stopAndContinue(followers[random(followers.length)]!);
    },
  },
  {
    name: "leader stopped and continued",
    async run(members) {
      await stopAndContinue(await leaderOf(members));
    },
  },
  {
    name: "all restarted",
    async run(members) {
      await Promise.all(members.map((member) => member.stop("SIGTERM")));
      await pause(1_000);
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

async function stopAndContinue(member: EtcdMember): Promise<void> {
  member.signal("SIGSTOP");
  await pause(4_000);
  member.signal("SIGCONT");
}

/** The leader, as reported by the members' JSON gateway. */
export async function leaderOf(members: readonly EtcdMember[]): Promise<EtcdMember> {
  for (let attempt = 0; attempt < 300; attempt++) {
    for (const member of members) {
      const status = await statusOf(member);
      if (status !== undefined && status.leader !== "0" && status.leader === status.header.member_id) return member;
    }
    await pause(100);
  }
  throw new Error("the cluster has no leader");
}

async function statusOf(member: EtcdMember): Promise<{ leader: string; header: { member_id: string } } | undefined> {
  return (await askMember(member, "status", {})) as { leader: string; header: { member_id: string } } | undefined;
}

/** Calls a member's maintenance API through its JSON gateway; undefined without a response. */
export async function askMember(member: EtcdMember, what: string, body: object): Promise<unknown> {
  try {
    const answer = await fetch(`${member.endpoint}/v3/maintenance/${what}`, {
      method: "POST",
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(10_000),
    });
    return answer.ok ? await answer.json() : undefined;
  } catch {
    return undefined;
  }
}
