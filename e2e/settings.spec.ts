import type { Locator } from "@playwright/test";
import type { Project } from "#lib/contract/projects";
import { data, expect, test, unique } from "./signed-in.ts";

/** Fills a field once the page has become interactive, which the button of a changed form shows. */
const enter = (field: Locator, text: string, save: Locator) =>
  expect(async () => {
    await field.fill(text);
    await expect(save).toBeEnabled({ timeout: 1_000 });
    await expect(field).toHaveValue(text, { timeout: 1_000 });
  }).toPass();

const conflict = "These settings have changed elsewhere. Reload to see them; your entries are discarded.";

test("does not overwrite a name that another tab has changed, and reads it again on request", async ({
  page,
}) => {
  const project = await data<Project>(page.request, "post", "/projects", { name: unique("First") });
  const path = `/projects/${project.id}`;
  await page.goto(`${path}/settings`);
  const card = page.locator("form").filter({ has: page.getByLabel("Description") });
  const [name, save] = [card.getByLabel("Name"), card.getByRole("button", { name: "Save" })];
  await enter(name, unique("Mine"), save);
  const theirs = unique("Theirs");
  await data(page.request, "patch", path, { name: theirs });
  await save.click();
  await expect(card.getByRole("alert")).toHaveText(conflict);
  expect(await data<Project>(page.request, "get", path)).toMatchObject({ name: theirs });
  await card.getByRole("button", { name: "Reload" }).click();
  await expect(name).toHaveValue(theirs);
  await expect(card.getByRole("alert")).toBeHidden();

  const mine = unique("Mine");
  await name.fill(mine);
  await save.click();
  await expect(page.getByText("Saved.")).toBeVisible();
  // Undo does not overwrite a later change either.
  const later = unique("Later");
  await data(page.request, "patch", path, { name: later });
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("These settings have changed elsewhere.", { exact: true })).toBeVisible();
  expect(await data<Project>(page.request, "get", path)).toMatchObject({ name: later });
});

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

test("does not overwrite the display and the dependencies that another tab has changed", async ({ page }) => {
  const upstream = await data<Project>(page.request, "post", "/projects", { name: unique("Upstream") });
  const project = await data<Project>(page.request, "post", "/projects", { name: unique("Shown") });
  const path = `/projects/${project.id}`;
  const fileData = Buffer.from("price,sales\n1,2\n2,3\n3,4\n").toString("base64");
  await data(page.request, "put", `${path}/dataset`, { fileData, target: "sales" });
  await page.goto(`${path}/settings`);
  const display = page.locator("form").filter({ has: page.getByLabel("Unit of price") });
  const save = display.getByRole("button", { name: "Save" });
  await enter(display.getByLabel("Unit of price"), "EUR", save);
  const column = { displayName: null, unit: "USD", decimals: null };
  await data(page.request, "patch", path, { display: { price: column } });
  await save.click();
  await expect(display.getByRole("alert")).toHaveText(conflict);
  await display.getByRole("button", { name: "Reload" }).click();
  await expect(display.getByLabel("Unit of price")).toHaveValue("USD");
  await display.getByLabel("Unit of price").fill("EUR");
  await save.click();
  await expect(page.getByText("Saved.")).toBeVisible();
  await expect(display.getByLabel("Unit of price")).toHaveValue("EUR");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(display.getByLabel("Unit of price")).toHaveValue("USD");

  await page.getByRole("button", { name: "Change", exact: true }).click();
  const form = page.locator("form").filter({ has: page.getByRole("button", { name: "Add a dependency" }) });
  await form.getByRole("button", { name: "Add a dependency" }).click();
  await form.getByLabel("Project").selectOption(upstream.id);
  await form.getByLabel("Feature name").fill("mine");
  const dependencies = [{ projectId: upstream.id, featureName: "theirs" }];
  await data(page.request, "put", `${path}/dependencies`, { dependencies });
  await form.getByRole("button", { name: "Save" }).click();
  await expect(form.getByRole("alert")).toHaveText(conflict);
  await form.getByRole("button", { name: "Reload" }).click();
  await expect(form.getByLabel("Feature name")).toHaveValue("theirs");
});
