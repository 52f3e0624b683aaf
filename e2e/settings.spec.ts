import type { Locator } from "@playwright/test";
import type { Project } from "#lib/contract/projects";
import { data, expect, test, unique } from "./signed-in.ts";
import { takePictures } from "./take-pictures.ts";

/** Fills a field once the page has become interactive, which the button of a changed form shows. */
const enter = (field: Locator, text: string, save: Locator) =>
  expect(async () => {
    await field.fill(text);
    await expect(save).toBeEnabled({ timeout: 1_000 });
    await expect(field).toHaveValue(text, { timeout: 1_000 });
  }).toPass();

test("replaces a description that a program has set to an empty text", async ({ page }) => {
  const empty = { name: unique("Empty"), description: "" };
  const project = await data<Project>(page.request, "post", "/projects", empty);
  await page.goto(`/projects/${project.id}/settings`);
  const description = page.getByLabel("Description");
  await description.fill("Written later");
  await page.locator("form").filter({ has: description }).getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved.")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(description).toHaveValue("");
});

test("saves a name although the project has changed otherwise", async ({ page }) => {
  const project = await data<Project>(page.request, "post", "/projects", { name: unique("Busy") });
  const path = `/projects/${project.id}`;
  await page.goto(`${path}/settings`);
  const card = page.locator("form").filter({ has: page.getByLabel("Description") });
  const name = unique("Named");
  const save = card.getByRole("button", { name: "Save" });
  await enter(card.getByLabel("Name"), name, save);
  // The first read of the version precedes the change.
  let reads = 0;
  await page.route(`**/api/v1${path}`, async (route) => {
    if (route.request().method() !== "GET" || reads++ > 0) return route.fallback();
    const response = await route.fetch();
    await data(page.request, "patch", path, { description: "Changed meanwhile" });
    await route.fulfill({ response });
  });
  await save.click();
  await expect(page.getByText("Saved.")).toBeVisible();
  const now = await data<Project>(page.request, "get", path);
  expect(now).toMatchObject({ name, description: "Changed meanwhile" });
});

test("sets how many runs of each scenario are kept", async ({ page }) => {
  const project = await data<Project>(page.request, "post", "/projects", { name: unique("Kept") });
  const path = `/projects/${project.id}`;
  await page.goto(`${path}/settings`);
  const kept = page.getByLabel("Runs kept of each scenario");
  const save = page.locator("form").filter({ has: kept }).getByRole("button", { name: "Save" });
  await expect(kept).toHaveValue("24");
  for (const text of ["0", "201", "", "1.5"]) {
    await enter(kept, text, save);
    await save.click();
    await expect(kept).toHaveAccessibleDescription("Enter a whole number from 1 to 200");
  }
  await takePictures(page, "runs-kept");
  await enter(kept, "36", save);
  await save.click();
  await expect(page.getByText("Saved.")).toBeVisible();
  expect(await data<Project>(page.request, "get", path)).toMatchObject({ runsKept: 36 });
});
