import type { CreatedApiKey } from "#lib/contract/api-keys";
import type { Member } from "#lib/contract/members";
import type { Project } from "#lib/contract/projects";
import { data, expect, test, unique } from "./signed-in.ts";

test("restricts a project to its members, gives one a role, and takes it back", async ({ page, browser }) => {
  const baseURL = process.env.E2E_BASE_URL!;
  const project = await data<Project>(page.request, "post", "/projects", { name: unique("Plans") });
  const credentials = { email: `${crypto.randomUUID()}@example.com`, password: "battery staple" };
  const name = unique("Vic");
  await data<Member>(page.request, "post", "/members", { ...credentials, name, role: "analyst" });
  const theirs = await browser.newContext({ baseURL, storageState: { cookies: [], origins: [] } });
  const headers = { origin: baseURL };
  const signedIn = await theirs.request.post("/api/auth/sign-in/email", { headers, data: credentials });
  expect(signedIn.ok()).toBe(true);
  const status = async (path = "", body?: unknown) => {
    const url = `/api/v1/projects/${project.id}${path}`;
    const response = body
      ? await theirs.request.post(url, { headers, data: body })
      : await theirs.request.get(url);
    return response.status();
  };

  await page.goto(`/projects/${project.id}/settings`);
  const access = page.getByLabel("Access to the project");
  await expect(access).toHaveValue("open");
  expect(await status()).toBe(200);
  await access.selectOption("restricted");
  await expect(page.getByText("Only admins of the service have access.")).toBeVisible();
  expect(await status()).toBe(404);

  await page.getByLabel("Member to add").selectOption({ label: name });
  await page.getByRole("button", { name: "Add to project" }).click();
  const role = page.getByLabel(`Role of ${name}`);
  await expect(role).toHaveValue("viewer");
  expect([await status(), await status("/models/train", {})]).toEqual([200, 403]);

  await role.selectOption("admin");
  await expect.poll(() => status("/api-keys")).toBe(200);
  const own = await theirs.newPage();
  await own.goto(`/projects/${project.id}/settings`);
  await expect(own.getByLabel("Access to the project")).toHaveValue("restricted");

  await page.getByRole("button", { name: `Remove ${name} from the project` }).click();
  await expect(role).toHaveCount(0);
  expect(await status()).toBe(404);
  await own.goto("/");
  await expect(own.getByRole("heading", { name: "Projects" })).toBeVisible();
  await expect(own.getByText(project.name)).toHaveCount(0);
  await theirs.close();
});

test("creates a key that may only predict", async ({ page, playwright, demo }) => {
  const path = `/projects/${demo.project.id}`;
  await page.goto(`${path}/settings`);
  await page.getByRole("button", { name: "Create API Key" }).click();
  const dialog = page.getByRole("dialog");
  const name = unique("Shop");
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByLabel(/^Read:/).uncheck();
  await dialog.getByLabel(/^Write:/).uncheck();
  const created = page.waitForResponse((one) => one.url().endsWith("/api-keys") && one.status() === 201);
  await dialog.getByRole("button", { name: "Create key" }).click();
  const { key } = ((await (await created).json()) as { data: CreatedApiKey }).data;
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(page.getByRole("row", { name }).getByText("only predict")).toBeVisible();
  const program = await playwright.request.newContext({
    baseURL: process.env.E2E_BASE_URL!,
    extraHTTPHeaders: { "x-api-key": key },
  });
  expect((await program.get(`/api/v1${path}`)).status()).toBe(403);
  expect((await program.post(`/api/v1${path}/predict`, { data: { input: {} } })).status()).not.toBe(403);
  await program.dispose();
});

test("creates a key for the addresses of its program", async ({ page, playwright, demo }) => {
  const path = `/projects/${demo.project.id}`;
  await page.goto(`${path}/settings`);
  await page.getByRole("button", { name: "Create API Key" }).click();
  const dialog = page.getByRole("dialog");
  const name = unique("Office");
  await dialog.getByLabel("Name").fill(name);
  const addresses = dialog.getByLabel("Allowed addresses");
  await addresses.fill("192.0.2.7, office");
  await dialog.getByRole("button", { name: "Create key" }).click();
  await expect(dialog.getByText(/^Use an address like 192\.0\.2\.7/)).toBeVisible();
  await addresses.fill("192.0.2.7, 2001:db8::/32");
  const created = page.waitForResponse((one) => one.url().endsWith("/api-keys") && one.status() === 201);
  await dialog.getByRole("button", { name: "Create key" }).click();
  const { key } = ((await (await created).json()) as { data: CreatedApiKey }).data;
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(page.getByRole("row", { name }).getByText("from 192.0.2.7, 2001:db8::/32")).toBeVisible();
  const program = await playwright.request.newContext({
    baseURL: process.env.E2E_BASE_URL!,
    extraHTTPHeaders: { "x-api-key": key },
  });
  const refused = await program.get(`/api/v1${path}`);
  expect(refused.status()).toBe(403);
  expect(await refused.text()).toContain("may not be used from");
  await program.dispose();
});
