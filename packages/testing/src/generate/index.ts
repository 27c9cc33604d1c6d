// Objects generated from schemas, guided by the expressions that will read them.

export { type AcceptOptions, accepts } from "./accepts.ts";
export { type Chooser, chooserOf, type Plan, plansOf, randomChooser } from "./chooser.ts";
export { collect, type Origin, type Scope, scopeOf } from "./collect.ts";
export { createInterests, Focus, type Interests } from "./focus.ts";
export { type Generated, type GenerateOptions, generateObject } from "./generate.ts";
export { Random, seedFor } from "./random.ts";
