// A request that its user may make. Nothing but the authorizer's consent makes one, and handlers get nothing else of where a request goes and
// which objects it selects: what was authorized is what is served.

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
