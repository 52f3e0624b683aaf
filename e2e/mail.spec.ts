import { rmSync } from "node:fs";
import { expect, type Page, test } from "@playwright/test";
import { startMailServer } from "#testing/mail-server";
import { createDataFolder } from "#testing/run-folder";
import { inspect } from "./inspect.ts";
import { ownPort } from "./own-port.ts";
import { admin, startService, type TestService } from "./service.ts";

// A service with mail, and its mail server.

const password = "another horse battery";
let folder: string;
let service: TestService;
let server: Awaited<ReturnType<typeof startMailServer>>;

test.beforeAll(async () => {
  test.setTimeout(240_000); // The service starts with its demo, on a slow machine too.
  folder = createDataFolder("forkcast-mail-");
  server = await startMailServer();
  const port = String(await ownPort());
  service = await startService(folder, {
    DEMO: "1",
    PORT: port,
    ...server.variables,
    PUBLIC_URL: `http://localhost:${port}`,
  });
});
test.afterAll(async () => {
  await service?.stop();
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const signIn = async (page: Page, email: string, given: string) => {
  await page.goto(`${service.url}/login`);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(given);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { name: "Projects" })).toBeVisible();
};

/** Returns the address of a project of the demo. */
async function projectPage(page: Page): Promise<string> {
  const answer = await page.request.get(`${service.url}/api/v1/projects`);
  const { data } = (await answer.json()) as { data: { id: string }[] };
  return `${service.url}/projects/${data[0]!.id}`;
}

/** Waits for the next mail to an address, and returns its link. */
async function linkTo(address: string): Promise<string> {
  const mails = () => server.received.filter(({ to }) => to.includes(address));
  await expect.poll(() => mails().length).toBe(1);
  const [mail] = mails();
  server.received.length = 0;
  return /http:\S+/.exec(mail!.text.split(":\n").at(-1)!)![0];
}

test("an invited member chooses a password, forgets it, and chooses another one", async ({
  page,
  browser,
}) => {
  await signIn(page, admin.email, admin.password);
  await page.goto(`${await projectPage(page)}/settings`);
  await page.getByRole("button", { name: "Add member" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByLabel("Password")).toHaveCount(0);
  await dialog.getByLabel("Name").fill("Kim Mail");
  await dialog.getByLabel("Email").fill("kim@example.com");
  await dialog.getByRole("button", { name: "Add member" }).click();
  await expect(page.getByText("Kim Mail gets a mail with a link.")).toBeVisible();

  const kim = await (await browser.newContext()).newPage();
  await kim.goto(await linkTo("kim@example.com"));
  await kim.getByLabel("Password").fill("short");
  await kim.getByRole("button", { name: "Set password" }).click();
  await expect(kim.getByText("Use at least 10 characters")).toBeVisible();
  expect(await inspect(kim, "choose a password")).toEqual([]);
  await kim.getByLabel("Password").fill(password);
  await kim.getByRole("button", { name: "Set password" }).click();
  await expect(kim.getByText("Your password is set.")).toBeVisible();
  await signIn(kim, "kim@example.com", password);

  const other = await (await browser.newContext()).newPage();
  await other.goto(`${service.url}/login`);
  await other.getByRole("link", { name: "Forgot password?" }).click();
  expect(await inspect(other, "forgot password")).toEqual([]);
  await other.getByLabel("Email").fill("kim@example.com");
  await other.getByRole("button", { name: "Send link" }).click();
  await expect(other.getByRole("status")).toContainText("a mail with a link is on its way");
  const link = await linkTo("kim@example.com");
  for (const [next, text] of [
    ["yet another battery", "Your password is set."],
    ["one more battery", "The link has expired or was used."],
  ] as const) {
    await other.goto("about:blank");
    await other.goto(link);
    await other.getByLabel("Password").fill(next);
    await other.getByRole("button", { name: "Set password" }).click();
    await expect(other.getByText(text)).toBeVisible();
  }
  await kim.reload();
  await expect(kim).toHaveURL(/\/login/);
  await signIn(other, "kim@example.com", "yet another battery");
  for (const one of [kim, other]) await one.context().close();
});

test("a person is mailed when the training is done", async ({ page }) => {
  await signIn(page, admin.email, admin.password);
  await page.goto(`${await projectPage(page)}/model`);
  await page.getByRole("button", { name: "Train", exact: false }).first().click();
  await page.getByRole("button", { name: "Start training" }).click();
  await page.getByLabel("Mail me when it is done").check();
  const link = await linkTo(admin.email);
  expect(link).toMatch(new RegExp(`^${service.url}/projects/[\\w-]+/model$`));
});
