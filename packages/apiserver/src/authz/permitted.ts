// A request that its user may make. Only the authorizer's consent makes one, and handlers get the target and selectors of a request only
// from it: the authorized request is the served one.

import type { UserInfo } from "@celadon/admission";
import type { RequestInfo } from "../wire/request-info.ts";
import type { Access } from "./access.ts";

export class Permitted {
  readonly #user: UserInfo;
  readonly #info: RequestInfo;

  private constructor(user: UserInfo, info: RequestInfo) {
    this.#user = user;
    this.#info = info;
  }

  /** Throws a StatusError when the user may not make the request. */
  static async check(access: Access, user: UserInfo, info: RequestInfo): Promise<Permitted> {
    const asked = access.check(user, info);
    if (asked !== undefined) await asked;
    return new Permitted(user, info);
  }

  get user(): UserInfo {
    return this.#user;
  }

  /** The attributes that were authorized. */
  get info(): RequestInfo {
    return this.#info;
  }
}
