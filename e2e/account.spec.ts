import type { Browser, Page } from "@playwright/test";
import { inspect } from "./inspect.ts";
import { data, expect, signedOut, test } from "./signed-in.ts";

const former = "battery staple";
const next = "another horse battery";

/** Signs in through the page, in a new browser. */
async function signIn(browser: Browser, email: string, password: string): Promise<Page> {
  const context = await browser.newContext({ storageState: signedOut });
  const page = await context.newPage();
  await page.goto("/login");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { name: "Projects" })).toBeVisible();
  return page;
}

test("a member changes the own password, which signs the member out in the other browser", async ({
  page: admin,
  browser,
}) => {
  const email = `${crypto.randomUUID()}@example.com`;
  await data(admin.request, "post", "/members", { name: "Kim Account", email, password: former });
  const [page, other] = [await signIn(browser, email, former), await signIn(browser, email, former)];
  await page.getByRole("button", { name: "Account of Kim Account" }).click();
  await page.getByRole("menuitem", { name: "Account" }).click();
  await expect(page.getByRole("heading", { name: "Account" })).toBeVisible();
  await expect(page.getByRole("row", { name: "this session" })).toHaveCount(1);
  await expect(page.getByRole("button", { name: /^End the session/ })).toHaveCount(1);
  expect(await inspect(page, "account of a member")).toEqual([]);

  const change = page.getByRole("button", { name: "Change password" });
  await change.click();
  await expect(page.getByText("Write your current password")).toBeVisible();
  await page.getByLabel("Current password").fill("a wrong password");
  await page.getByLabel("New password").fill(next);
  await change.click();
  await expect(page.getByText("The current password is wrong.")).toBeVisible();
  await other.reload();
  await expect(other.getByRole("heading", { name: "Projects" })).toBeVisible();

  await page.getByLabel("Current password").fill(former);
  await change.click();
  await expect(page.getByText("Password changed. 1 other session ended.")).toBeVisible();
  await expect(page.getByText("You are signed in only here.")).toBeVisible();
  await page.reload();
  await expect(page.getByRole("row", { name: "this session" })).toBeVisible();
  await other.reload();
  await expect(other).toHaveURL(/\/login/);

  const again = await signIn(browser, email, next);
  await page.reload();
  await page.getByRole("button", { name: /^End the session/ }).click();
  await expect(page.getByText("You are signed in only here.")).toBeVisible();
  await again.reload();
  await expect(again).toHaveURL(/\/login/);
  for (const one of [page, other, again]) await one.context().close();
});
