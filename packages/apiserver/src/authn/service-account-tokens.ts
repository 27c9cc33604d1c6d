// Tokens of service accounts: issued for an audience and a time, bound to the account and perhaps a pod, and void when one of those is gone.

import { randomUUID } from "node:crypto";
import type { UserInfo } from "@celadon/admission";
import type { KubeObject } from "@celadon/kube";
import type { TokenSource } from "./authenticator.ts";
import type { Claims, TokenSigner } from "./jwt.ts";
import { serviceAccountGroups, serviceAccountUsername } from "./service-account-name.ts";
import { VerifiedTokens } from "./verified-tokens.ts";

export interface TokenHosts {
  readonly issuer: string;
  /** Seconds since the epoch. */
  now(): number;
  serviceAccount(namespace: string, name: string): KubeObject | undefined;
  /** Finds an object of a kind to which a token can be bound. */
  bound(kind: "Pod" | "Secret" | "Node", namespace: string, name: string): KubeObject | undefined;
}

export interface TokenRequest {
  readonly account: KubeObject;
  readonly audiences: readonly string[];
  readonly seconds: number;
  readonly boundTo?: { readonly kind: "Pod" | "Secret" | "Node"; readonly object: KubeObject };
  /** The node of a pod. */
  readonly node?: { readonly name: string; readonly uid?: string };
}

/** Clocks differ. */
const LEEWAY = 10;
const AFTER_DELETION = 60;
const CLAIM = "kubernetes.io";

export class ServiceAccountTokens implements TokenSource {
  readonly #signer: TokenSigner;
  readonly #hosts: TokenHosts;
  /** Claims are checked every time. */
  readonly #verified = new VerifiedTokens();

  constructor(signer: TokenSigner, hosts: TokenHosts) {
    this.#signer = signer;
    this.#hosts = hosts;
  }

  get issuer(): string {
    return this.#hosts.issuer;
  }

  /** The keys that check them. */
  jwks(): unknown {
    return this.#signer.jwks();
  }

  issue({ account, audiences, seconds, boundTo, node }: TokenRequest): string {
    const { name = "", namespace = "", uid = "" } = account.metadata ?? {};
    const now = Math.floor(this.#hosts.now());
    const bound = boundTo && {
      [boundTo.kind.toLowerCase()]: { name: boundTo.object.metadata?.name, uid: boundTo.object.metadata?.uid },
    };
    return this.#signer.sign({
      aud: audiences,
      exp: now + seconds,
      iat: now,
      iss: this.#hosts.issuer,
      jti: randomUUID(),
      [CLAIM]: { namespace, ...(node && { node }), ...bound, serviceaccount: { name, uid } },
      nbf: now,
      sub: serviceAccountUsername({ namespace, name }),
    });
  }

  user(token: string): UserInfo | undefined {
    return this.review(token, [this.#hosts.issuer])?.user;
  }

  /** Finds the owner of a token, for one of the audiences; undefined when it is not good. */
  review(
    token: string,
    audiences: readonly string[],
  ): { readonly user: UserInfo; readonly audiences: readonly string[] } | undefined {
    const claims = this.#claims(token);
    if (claims === undefined || claims.iss !== this.#hosts.issuer) return undefined;
    const now = this.#hosts.now();
    if (typeof claims.exp !== "number" || claims.exp + LEEWAY < now) return undefined;
    if (typeof claims.nbf === "number" && claims.nbf - LEEWAY > now) return undefined;
    const given = Array.isArray(claims.aud) ? (claims.aud as string[]) : [String(claims.aud)];
    const shared = audiences.filter((audience) => given.includes(audience));
    const user = shared.length > 0 ? this.#userOf(claims) : undefined;
    return user && { user, audiences: shared };
  }

  #claims(token: string): Claims | undefined {
    return this.#verified.claims(token, () => this.#signer.verify(token));
  }

  #userOf(claims: Claims): UserInfo | undefined {
    const own = (claims[CLAIM] ?? {}) as Record<string, unknown>;
    const {
      namespace = "",
      serviceaccount,
      pod,
      secret,
      node,
    } = own as {
      namespace?: string;
      serviceaccount?: Reference;
      pod?: Reference;
      secret?: Reference;
      node?: Reference;
    };
    const { name = "", uid = "" } = serviceaccount ?? {};
    if (!this.#isHere(this.#hosts.serviceAccount(namespace, name), uid)) return undefined;
    if (pod !== undefined && !this.#isThere("Pod", namespace, pod)) return undefined;
    if (secret !== undefined && !this.#isThere("Secret", namespace, secret)) return undefined;
    if (node?.uid !== undefined && pod === undefined && !this.#isThere("Node", "", node)) return undefined;
    const extra: Record<string, readonly string[]> = {
      "authentication.kubernetes.io/credential-id": [`JTI=${String(claims.jti)}`],
    };
    if (pod !== undefined) {
      extra["authentication.kubernetes.io/pod-name"] = [pod.name ?? ""];
      extra["authentication.kubernetes.io/pod-uid"] = [pod.uid ?? ""];
    }
    if (node !== undefined) {
      extra["authentication.kubernetes.io/node-name"] = [node.name ?? ""];
      if (node.uid !== undefined) extra["authentication.kubernetes.io/node-uid"] = [node.uid];
    }
    return {
      username: serviceAccountUsername({ namespace, name }),
      uid,
      groups: serviceAccountGroups(namespace),
      extra,
    };
  }

  #isThere(kind: "Pod" | "Secret" | "Node", namespace: string, { name = "", uid }: Reference): boolean {
    return this.#isHere(this.#hosts.bound(kind, namespace, name), uid);
  }

  /** An object that is being deleted counts a minute longer, however long its finalizers keep it. */
  #isHere(object: KubeObject | undefined, uid: string | undefined): boolean {
    const { uid: actual = "", deletionTimestamp } = object?.metadata ?? {};
    if (actual === "" || actual !== uid) return false;
    return !deletionTimestamp || Date.parse(deletionTimestamp) / 1000 + AFTER_DELETION >= this.#hosts.now();
  }
}

interface Reference {
  readonly name?: string;
  readonly uid?: string;
}
