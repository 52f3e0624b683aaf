import type { Page } from "@playwright/test";
import type { Dataset } from "#lib/contract/datasets";
import type { Project } from "#lib/contract/projects";
import { dailyDemand } from "#testing/sample-series";
import { admin } from "./service.ts";
import { data, expect, signedOut, test, unique } from "./signed-in.ts";

/** Holds the page's scripts until the returned function is called: meanwhile the page is what the server rendered. */
async function holdScripts(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route("**/_next/static/**/*.js", async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

test("keeps a text that is typed before the page's scripts run", async ({ page }) => {
  const project = await data<Project>(page.request, "post", "/projects", { name: unique("Slow page") });
  const release = await holdScripts(page);
  await page.goto(`/projects/${project.id}/settings`, { waitUntil: "commit" });
  const [name, description] = [
    page.getByLabel("Name", { exact: true }).first(),
    page.getByLabel("Description").first(),
  ];
  await description.pressSequentially("Four years of prices");
  release();
  await expect(name).toHaveValue(project.name);
  await expect(description).toHaveValue("Four years of prices");
  await page.getByRole("button", { name: "Save", exact: true }).first().click();
  await expect
    .poll(async () => await data<Project>(page.request, "get", `/projects/${project.id}`))
    .toMatchObject({ name: project.name, description: "Four years of prices" });
});

test("does not take what a page shows by itself for an entry", async ({ page, demo }) => {
  await page.goto(`/projects/${demo.project.id}/scenarios?open=new-scenario`);
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("tab", { name: "Adjust a scenario" }).click();
  await dialog.getByLabel("Start from").selectOption({ label: demo.scenarios[0]!.title });
  await dialog.getByRole("button", { name: "Add a step" }).click();
  const step = dialog.getByRole("group", { name: "Step 1" });
  await step.getByLabel("Feature").selectOption("weather");
  await step.getByLabel("Value").fill("snow");
  // The fields disappear, and appear again with what was chosen. A change of the feature would begin a new step, which
  // shows the second time.
  for (const _ of [1, 2]) {
    await dialog.getByRole("tab", { name: "Upload a CSV" }).click();
    await expect(step).toBeHidden();
    await dialog.getByRole("tab", { name: "Adjust a scenario" }).click();
    await expect(step.getByLabel("Feature")).toHaveValue("weather");
    await expect(step.getByLabel("Value")).toHaveValue("snow");
  }
});

test.describe("signed out", () => {
  test.use({ storageState: signedOut });

  test("signs in with what is typed before the scripts run, and never shows a password in the address", async ({
    page,
  }) => {
    const release = await holdScripts(page);
    await page.goto("/login", { waitUntil: "commit" });
    await page.getByLabel("Email").pressSequentially(admin.email);
    await page.getByLabel("Password").pressSequentially(admin.password);
    await page.keyboard.press("Enter");
    await expect(page.getByRole("button", { name: "Sign in" })).toBeDisabled();
    expect(page.url()).toMatch(/\/login$/);
    release();
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByRole("heading", { name: "Projects" })).toBeVisible();
  });
});

test("saves a dataset by a click while the file is read again for the chosen target", async ({ page }) => {
  // The second and later workers, which read the file again, begin when the test says so.
  await page.addInitScript(() => {
    const held: (() => void)[] = [];
    let count = 0;
    const Original = window.Worker;
    window.Worker = class extends Original {
      override postMessage(message: unknown) {
        if (count++ < 2) super.postMessage(message);
        else held.push(() => super.postMessage(message));
      }
    };
    Object.assign(window, {
      releaseWorkers() {
        for (const start of held.splice(0)) start();
      },
    });
  });
  const project = await data<Project>(page.request, "post", "/projects", { name: unique("Slow file") });
  await page.goto(`/projects/${project.id}/data`);
  await page
    .getByLabel("Choose a CSV or Excel file")
    .setInputFiles({ name: "demand.csv", mimeType: "text/csv", buffer: Buffer.from(dailyDemand(60)) });
  await expect(page.getByLabel("Timestamp")).toHaveValue("date");
  await expect(page.getByRole("progressbar", { name: "Reading the file" })).toHaveCount(0);
  await page.getByLabel("Target").selectOption("demand");
  await expect(page.getByRole("progressbar", { name: "Reading the file" })).toBeVisible();
  const save = page.getByRole("button", { name: "Save dataset" });
  await save.click();
  await expect(save).toBeDisabled();
  await page.evaluate(() => (window as unknown as { releaseWorkers(): void }).releaseWorkers());
  await expect(page.getByText("Saved 60 rows.")).toBeVisible();
  expect(await data<Dataset>(page.request, "get", `/projects/${project.id}/dataset`)).toMatchObject({
    target: "demand",
  });
});
