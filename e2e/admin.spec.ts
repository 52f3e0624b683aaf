import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Project } from "#lib/contract/projects";
import type { Scenario } from "#lib/contract/scenarios";
import { copied, data, expect, test, unique } from "./signed-in.ts";

const run = promisify(execFile);

test("creates a key whose curl command works in a shell and returns 401 after the key is revoked", async ({
  page,
  demo,
}) => {
  const name = unique("Nightly export");
  await page.goto(`/projects/${demo.project.id}/settings`);
  await expect(page.getByRole("heading", { name: "API Keys" })).toBeVisible();
  await page.getByRole("button", { name: "Create API Key" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill(name);
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /create/i })
    .click();

  await page.getByRole("dialog").getByRole("button", { name: "Copy command" }).click();
  await expect(page.getByRole("dialog").getByText("Copied")).toBeVisible();
  const line = await copied(page);
  expect(line).toMatch(/X-API-Key: mps_[0-9A-Za-z]{36}/);
  const call = async () => JSON.parse((await run("sh", ["-c", `${line} -s`])).stdout);
  expect(await call()).toMatchObject({ success: true, data: expect.any(Array) });

  // The key is shown only once, so Escape does not close the dialog.
  await page.keyboard.press("Escape");
  await expect(page.getByText(line)).toBeVisible();
  await page.getByRole("dialog").getByRole("button", { name: "Done" }).click();
  await expect(page.getByText(line)).toHaveCount(0);
  // The audit log below also names the key.
  const row = page.getByRole("row", { name }).first();
  await row.getByRole("button", { name: /revoke/i }).click();
  const confirm = page.getByRole("dialog");
  await confirm.getByRole("button", { name: /revoke/i }).click();
  await expect(row.getByText(/revoked/i)).toBeVisible();
  expect(await call()).toMatchObject({ success: false, error: { code: "api_key_invalid" } });
});

test("makes another checkpoint the only default and proposes it to analysts", async ({
  page,
  context,
  demo,
}) => {
  const path = `/projects/${demo.project.id}/checkpoints`;
  const label = unique("Second choice");
  const origin = process.env.E2E_BASE_URL!;
  const analyst = await context.newPage();
  await analyst.goto(`/projects/${demo.project.id}/scenarios`);
  const checkpoint = analyst.getByRole("dialog").getByLabel("Checkpoint", { exact: true });
  const open = () => analyst.getByRole("button", { name: "New scenario" }).click();
  await open();
  await expect(checkpoint).toHaveValue(demo.project.defaultCheckpointId!);
  await expect(analyst.getByRole("dialog").getByLabel("Title")).toBeFocused();
  await analyst.keyboard.press("Escape");
  const created = await page.request.post(`/api/v1${path}`, {
    headers: { origin },
    data: { label },
  });
  expect(created.status()).toBe(202);
  await page.goto(path);
  const row = page.getByRole("row", { name: label });
  await expect(row).toBeVisible({ timeout: 30_000 });
  await row.getByRole("button", { name: /actions/i }).click();
  const saved = page.waitForResponse((response) => response.request().method() === "PUT");
  await page.getByRole("menuitem", { name: /default/i }).click();
  await expect(row.getByText("default", { exact: true })).toBeVisible();
  await expect(page.getByText("default", { exact: true })).toHaveCount(1);
  // The UI updates optimistically, before the service confirms.
  expect((await saved).ok()).toBe(true);
  await open();
  await expect(checkpoint.locator("option:checked")).toHaveText(`${label} (default, current model)`);
});

test("removes a member with or without the member's API keys, and marks the keys that remain", async ({
  page,
  playwright,
  demo,
}) => {
  const baseURL = process.env.E2E_BASE_URL!;
  const addMember = async (word: string) => {
    const credentials = { email: `${crypto.randomUUID()}@example.com`, password: "battery staple" };
    const name = unique(word);
    await data(page.request, "post", "/members", { ...credentials, name, role: "admin" });
    const session = await playwright.request.newContext({ baseURL });
    const headers = { origin: baseURL };
    expect((await session.post("/api/auth/sign-in/email", { headers, data: credentials })).ok()).toBe(true);
    await data(session, "post", `/projects/${demo.project.id}/api-keys`, { name: `Key of ${name}` });
    await session.dispose();
    return name;
  };
  const [kept, revoked] = [await addMember("Kim"), await addMember("Rey")];
  await page.goto(`/projects/${demo.project.id}/settings`);
  for (const name of [kept, revoked]) {
    await page.getByRole("button", { name: `Actions for ${name}` }).click();
    await page.getByRole("menuitem", { name: "Remove" }).click();
    const dialog = page.getByRole("dialog");
    const box = dialog.getByLabel("Also revoke 1 API key of this member");
    await expect(box).not.toBeChecked();
    if (name === revoked) await box.check();
    await dialog.getByRole("button", { name: "Remove member" }).click();
    await expect(page.getByRole("button", { name: `Actions for ${name}` })).toHaveCount(0);
    const row = page.getByRole("row", { name: `Key of ${name}` }).first();
    await expect(row.getByText("Creator removed")).toBeVisible();
    await expect(row.getByText(name === revoked ? "revoked" : "active", { exact: true })).toBeVisible();
  }
});

test("sets the unit of the target, which axes, tables and the crosshair show", async ({ page, demo }) => {
  const { id, target } = demo.project;
  const project = `/projects/${id}`;
  await page.goto(`${project}/settings`);
  const unit = page.getByLabel(`Unit of ${target}`, { exact: true });
  await unit.fill("MWh per day");
  await page.getByLabel(`Decimals of ${target}`, { exact: true }).fill("11");
  const form = page.locator("form").filter({ has: unit });
  await form.getByRole("button", { name: "Save" }).click();
  await expect(form.getByRole("alert")).toHaveText("Use a whole number from 0 to 10");
  await page.getByLabel(`Decimals of ${target}`, { exact: true }).fill("1");
  await form.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved.")).toBeVisible();
  const { display } = await data<Project>(page.request, "get", project);
  expect(display).toEqual({ [target!]: { displayName: null, unit: "MWh per day", decimals: 1 } });

  const [scenario] = await data<Scenario[]>(page.request, "get", `${project}/scenarios?status=Completed`);
  await page.goto(`${project}/scenarios/${scenario!.id}`);
  const chart = page.getByRole("slider", { name: "Point of the chart" }).first();
  await expect(page.getByText(/^[^(]+ \(MWh per day\)$/).first()).toBeVisible();
  await chart.press("ArrowRight");
  await expect(chart).toHaveAttribute("aria-valuetext", /\d\.\d MWh per day/);

  await data(page.request, "patch", project, { display: {} });
});
