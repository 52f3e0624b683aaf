import type { Page } from "@playwright/test";
import type { Checkpoint } from "#lib/contract/checkpoints";
import { expectToFit } from "./fits.ts";
import { finish } from "./jobs.ts";
import { data, expect, test, unique } from "./signed-in.ts";

const base64 = (text: string) => Buffer.from(text).toString("base64");
const dailyCsv = (days: number, column = "price") =>
  `date,${column},sales\n${Array.from({ length: days }, (_, day) => {
    const date = new Date(Date.UTC(2026, 0, 1) + day * 86_400_000).toISOString().slice(0, 10);
    return `${date},${day % 9},${50 + (day % 9) * 3 + (day % 4)}`;
  }).join("\n")}\n`;

const newProject = async (page: Page, name: string) =>
  `/projects/${(await data<{ id: string }>(page.request, "post", "/projects", { name: unique(name) })).id}`;

test("does not read Live while the service is down, and the edit panel loses its error afterwards", async ({
  page,
  demo,
}) => {
  await page.goto(`/projects/${demo.project.id}/scenarios/${demo.scenarios[0]!.id}`);
  const state = page.getByRole("status").filter({ hasText: /^(Live|Polling|No connection)$/ });
  await expect(state).toHaveText("Live", { timeout: 30_000 });
  await page.getByRole("button", { name: "Edit inputs" }).click();
  const panel = page.getByRole("region", { name: "Edit inputs" });
  const slider = panel.getByRole("slider").first();
  await expect(slider).toBeVisible();
  const outage = { success: false, error: { code: "service_unavailable", message: "Down for a test." } };
  await page.route("**/api/v1/**", (route) => route.fulfill({ status: 503, json: outage }));
  await slider.press("ArrowRight");
  await expect(panel.getByText("Down for a test.").first()).toBeVisible();
  await expect(state).toHaveText("No connection");
  await page.unroute("**/api/v1/**");
  await expect(state).toHaveText("Live", { timeout: 30_000 });
  await expect(panel.getByText("Down for a test.")).toHaveCount(0);
});

test("keeps the horizon of the last training, also if the models arrive after the dialog is asked for", async ({
  page,
}) => {
  const path = await newProject(page, "Horizon");
  const dataset = { target: "sales", timestamp: "date", fileData: base64(dailyCsv(200)) };
  await data(page.request, "put", `${path}/dataset`, dataset);
  await finish(page.request, `${path}/models/train`, { algorithm: "ridge", horizon: 14 });
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route("**/models?*", async (route) => {
    await promise;
    await route.continue();
  });
  const read = page.waitForResponse((response) => response.url().endsWith("/dataset"));
  await page.goto(`${path}/model?open=train`);
  await (await read).finished();
  resolve();
  await expect(page.getByRole("dialog").getByLabel("Forecast horizon in steps")).toHaveValue("14");

  // The label that the checkpoint dialog promises is the label that the checkpoint gets.
  await finish(page.request, `${path}/checkpoints`, {});
  await page.goto(`${path}/checkpoints`);
  await page.getByRole("button", { name: "Create checkpoint" }).click();
  const promised = await page
    .getByRole("dialog")
    .getByText(/^Default: .+_02$/)
    .textContent();
  await page.getByRole("dialog").getByRole("button", { name: "Create checkpoint" }).click();
  const labels = async () =>
    (await data<Checkpoint[]>(page.request, "get", `${path}/checkpoints`)).map(({ label }) => label);
  await expect.poll(labels).toContain(promised!.replace("Default: ", ""));
});

test("keeps the calendar unit and the statistic from one scenario to the next", async ({ page, demo }) => {
  const [first, second] = demo.scenarios;
  await page.goto(`/projects/${demo.project.id}/scenarios/${first!.id}`);
  await page.getByLabel("Points").first().selectOption("By week");
  await page.getByLabel("Statistic").first().selectOption("Sum");
  await expect(page).toHaveURL(/aggregate=sum/);
  await page.getByRole("link", { name: "Scenarios", exact: true }).click();
  await page.getByRole("link", { name: second!.title, exact: true }).first().click();
  await expect(page.getByLabel("Points").first()).toHaveValue("week");
  await expect(page.getByLabel("Statistic").first()).toHaveValue("sum");
});

test("keeps a long column name inside the list of columns", async ({ page }) => {
  const path = await newProject(page, "Long name");
  const column = `average_${"consumption_of_all_buildings_".repeat(5)}kwh`;
  await page.goto(`${path}/data`);
  const buffer = Buffer.from(dailyCsv(60, column));
  await page
    .getByLabel("Choose a CSV or Excel file")
    .setInputFiles({ name: "long.csv", mimeType: "text/csv", buffer });
  await expect(page.getByLabel(`Exclude ${column}`)).toBeVisible();
  await expectToFit(page, "columns", [
    { width: 1440, height: 900 },
    { width: 1024, height: 768 },
    { width: 390, height: 844 },
  ]);
  for (const box of [page.getByLabel(`Exclude ${column}`), page.getByLabel(`Read ${column} as category`)]) {
    const { x, width } = (await box.boundingBox())!;
    expect(x + width).toBeLessThanOrEqual(390);
  }
});

test("finds the comparison in the palette, and focuses the page that it opens", async ({ page, demo }) => {
  await page.goto(`/projects/${demo.project.id}/scenarios`);
  const search = page.getByRole("combobox");
  await expect(async () => {
    await page.keyboard.press("Control+k");
    await expect(search).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await search.fill("compare");
  await expect(page.getByRole("option", { name: "Compare scenarios" })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/scenarios\/compare/);
  await expect.poll(() => page.evaluate(() => document.activeElement !== document.body)).toBe(true);
});

test("shows title, status and total of each scenario on a phone without scrolling sideways", async ({
  page,
  demo,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/projects/${demo.project.id}/scenarios`);
  const row = page.getByRole("row").filter({ hasText: demo.scenarios[0]!.title }).first();
  await expect(row.getByText("Completed").filter({ visible: true })).toBeInViewport({ ratio: 1 });
  await expect(row.getByText(/^Total [\d,.]+/)).toBeInViewport({ ratio: 1 });
  await expect(row.getByRole("link", { name: demo.scenarios[0]!.title })).toBeInViewport({ ratio: 1 });
  await expect(page.getByText("Scroll for more columns →")).toHaveCount(0);
});

test("leaves the focus on the page after a scenario is created by keyboard", async ({ page }) => {
  const path = await newProject(page, "By keyboard");
  const dataset = { target: "sales", timestamp: "date", fileData: base64(dailyCsv(200)) };
  await data(page.request, "put", `${path}/dataset`, dataset);
  await finish(page.request, `${path}/models/train`, { algorithm: "ridge" });
  await page.goto(`${path}/scenarios`);
  await page.getByRole("button", { name: "New scenario" }).first().focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog").getByLabel("Title")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/scenarios\/[0-9a-f-]{36}/);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Forecast from");
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("content");
});

test("hydrates each page while a job runs, with any clock and zone of the browser", async ({
  browser,
  session,
}) => {
  const context = await browser.newContext({
    baseURL: process.env.E2E_BASE_URL!,
    storageState: session,
    timezoneId: "Pacific/Auckland",
    locale: "de-DE",
  });
  const page = await context.newPage();
  await page.addInitScript(() => {
    const now = Date.now;
    Date.now = () => now() + 7_654_321;
  });
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(`${page.url()} ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error" && /hydrat|#4[12]\d/i.test(message.text())) errors.push(message.text());
  });
  const path = await newProject(page, "Hydration");
  const dataset = { target: "sales", timestamp: "date", fileData: base64(dailyCsv(9_000)) };
  await data(page.request, "put", `${path}/dataset`, dataset);
  const { jobId } = await data<{ jobId: string }>(page.request, "post", `${path}/models/train`, {});
  let progressSeen = false;
  // Each page is loaded several times. Then the rest of the training would only take time.
  for (let round = 0; round < 40 && !(progressSeen && round >= 5); round++) {
    for (const section of ["scenarios", "jobs", "model"]) {
      const response = await page.goto(`${path}/${section}`);
      progressSeen ||= / %/.test((await response!.text()).replaceAll(/<script.*?<\/script>/gs, ""));
      await expect(page.getByRole("status").filter({ hasText: /Live|Polling/ })).toBeVisible();
    }
    const { status } = await data<{ status: string }>(page.request, "get", `/jobs/${jobId}`);
    if (status !== "Pending" && status !== "Running") break;
  }
  await page.request.post(`/api/v1/jobs/${jobId}/cancel`, { headers: { origin: process.env.E2E_BASE_URL! } });
  expect(progressSeen).toBe(true);
  expect(errors).toEqual([]);
  await context.close();
});
