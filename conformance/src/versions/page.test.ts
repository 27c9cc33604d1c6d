import { expect, test } from "vitest";
import { versionsPage } from "./page.ts";

test("the page of versions is in date: run npm run docs", async () => {
  await expect(versionsPage()).toMatchFileSnapshot("../../../docs/reference/versions.md");
});
