import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import type { Project } from "#lib/contract/projects";
import type { Scenario } from "#lib/contract/scenarios";
import { finish } from "./jobs.ts";
import { data, expect, test, unique } from "./signed-in.ts";

const titles = ["Low price", "Usual price", "High price"];
const base64 = (text: string) => Buffer.from(text).toString("base64");

/** Path of the scenarios, for page and API. */
let list: string;

/** Creates a project with a scenario of four prices for each title. */
test.beforeAll(async ({ playwright, session }) => {
  const baseURL = process.env.E2E_BASE_URL!;
  const request = await playwright.request.newContext({ baseURL, storageState: session });
  const { id } = await data<Project>(request, "post", "/projects", { name: unique("Many scenarios") });
  list = `/projects/${id}/scenarios`;
  const rows = Array.from({ length: 60 }, (_, row) => `${row % 7},${40 - 3 * (row % 7)}`);
  await data(request, "put", `/projects/${id}/dataset`, {
    target: "sales",
    fileData: base64(`price,sales\n${rows.join("\n")}\n`),
  });
  await finish(request, `/projects/${id}/models/train`, { algorithm: "ridge" });
  const pricesFrom = (first: number) => [0, 1, 2, 3].map((more) => first + more).join("\n");
  await Promise.all(
    titles.map((title, at) =>
      finish(request, list, { title, fileData: base64(`price\n${pricesFrom(1 + at)}\n`) }),
    ),
  );
  await request.dispose();
});

const select = (page: Page, title: string) => page.getByRole("checkbox", { name: `Select ${title}` });

test("adds tags and notes to a scenario, and finds it by them", async ({ page }) => {
  await page.goto(list);
  await page.getByRole("button", { name: "Actions for Usual price" }).click();
  await page.getByRole("menuitem", { name: "Edit title, tags and notes" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Tags").fill("board meeting");
  await dialog.getByLabel("Tags").press("Enter");
  await dialog.getByLabel("Notes").fill("Agreed with the warehouse.");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("list", { name: "Tags of Usual price" })).toHaveText("board meeting");

  await page.getByLabel("Tag", { exact: true }).selectOption("board meeting (1)");
  await expect(select(page, "Low price")).toHaveCount(0);
  await expect(select(page, "Usual price")).toBeVisible();
  await page.getByLabel("Tag", { exact: true }).selectOption("Tag: all");
  await page.getByRole("searchbox").fill("warehouse");
  await expect(select(page, "Low price")).toHaveCount(0);
  await expect(select(page, "Usual price")).toBeVisible();
  await page.getByRole("searchbox").fill("nothing like this");
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(select(page, "Low price")).toBeVisible();
});

test("finds every scenario in the palette, also those beyond the list's first page", async ({ page }) => {
  await page.route(`**/api/v1${list}?*`, (route) => {
    const url = new URL(route.request().url());
    url.searchParams.set("limit", "1");
    return route.continue({ url: url.href });
  });
  // Unlike the list's page, this one contains no scenarios.
  await page.goto(list.replace("scenarios", "data"));
  await expect(async () => {
    await page.keyboard.press("Control+k");
    await expect(page.getByRole("dialog", { name: "Commands" })).toBeVisible({ timeout: 2_000 });
  }).toPass();
  for (const title of titles) {
    await page.getByRole("combobox", { name: "Search pages" }).fill(title);
    await expect(page.getByRole("option", { name: title })).toBeVisible();
  }
});

test("stops reading the tree's pages after an error, and goes on after a retry", async ({ page }) => {
  let fails = true;
  await page.route(`**/api/v1${list}?*`, (route) => {
    const url = new URL(route.request().url());
    if (fails && url.searchParams.has("cursor")) return route.fulfill({ status: 400, json: {} });
    url.searchParams.set("limit", "1");
    return route.continue({ url: url.href });
  });
  await page.goto(`${list}?view=tree`);
  // The page comes with the whole list. A search reads it in pages.
  await page.getByRole("searchbox").fill("price");
  const problem = page.getByRole("main").getByRole("alert");
  await expect(problem).toBeVisible();
  await page.waitForLoadState("networkidle");
  fails = false;
  await problem.getByRole("button").click();
  for (const title of titles) await expect(select(page, title)).toBeVisible();
});

test("saves, renames, opens and deletes a comparison, and exports it as a workbook", async ({ page }) => {
  await page.goto(list);
  for (const title of titles) await select(page, title).check();
  await page.getByRole("link", { name: "Compare 3" }).click();
  await expect(page.locator("canvas[data-lines]").first()).toBeVisible({ timeout: 30_000 });

  const waiting = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export" }).click();
  await page.getByRole("menuitem", { name: "Excel workbook" }).click();
  const saved = await waiting;
  expect(saved.suggestedFilename()).toMatch(/\.xlsx$/);
  // A workbook is a ZIP archive, whose directory names its parts uncompressed.
  const bytes = readFileSync((await saved.path())!);
  expect(bytes.subarray(0, 2).toString()).toBe("PK");
  for (const sheet of [1, 2, 3, 4]) expect(bytes.includes(`xl/worksheets/sheet${sheet}.xml`)).toBe(true);

  await page.getByRole("button", { name: "Saved comparisons" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name of the shown comparison").fill("Prices");
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await dialog.getByRole("button", { name: "Rename Prices" }).click();
  await dialog.getByLabel("New name of Prices").fill("Prices of May");
  await dialog.getByRole("button", { name: "Rename", exact: true }).click();
  await expect(dialog.getByText("Prices of May")).toBeVisible();

  const address = page.url();
  await page.goto(
    `${address.split("?")[0]}?ids=${new URL(address).searchParams.get("ids")!.split(",").slice(0, 2)}`,
  );
  await page.getByRole("button", { name: "Saved comparisons" }).click();
  await dialog.getByRole("button", { name: "Open Prices of May" }).click();
  await expect.poll(() => new URL(page.url()).searchParams.get("ids")?.split(",")).toHaveLength(3);
  await page.getByRole("button", { name: "Saved comparisons" }).click();
  await dialog.getByRole("button", { name: "Delete Prices of May" }).click();
  await expect(dialog.getByText("No saved comparisons yet.")).toBeVisible();
});

test("changes tags and colour of several scenarios, and archives and restores them", async ({ page }) => {
  const stored = () => data<Scenario[]>(page.request, "get", list);
  const of = async (title: string) => (await stored()).find((one) => one.title === title)!;
  const before = await of("Usual price");
  await page.goto(list);
  for (const title of titles.slice(0, 2)) await select(page, title).check();

  await page.getByRole("button", { name: "Tags", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("combobox", { name: "Tags" }).fill("plan");
  // Leaving the field adds the text.
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("2 scenarios were changed.")).toBeVisible();
  expect((await of("Low price")).tags).toEqual(["plan"]);
  expect((await of("Usual price")).tags).toEqual([...before.tags, "plan"]);

  await page.getByRole("button", { name: "Tags", exact: true }).click();
  await dialog.getByRole("button", { name: "Remove tag plan" }).click();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toBeHidden();
  await expect.poll(async () => (await of("Usual price")).tags).toEqual(before.tags);

  await page.getByRole("button", { name: "Colour", exact: true }).click();
  await dialog.getByLabel("Colour as hex").fill("#123456");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toBeHidden();
  expect((await stored()).filter(({ color }) => color === "#123456")).toHaveLength(2);

  await page.getByRole("button", { name: "Archive", exact: true }).click();
  await expect(page.getByText("2 scenarios were archived.")).toBeVisible();
  await expect(select(page, "Low price")).toHaveCount(0);
  await expect(select(page, "High price")).toBeVisible();
  await page.getByLabel("Archive", { exact: true }).selectOption("Archived: only (2)");
  await expect(select(page, "High price")).toHaveCount(0);
  for (const title of titles.slice(0, 2)) await select(page, title).check();
  await page.getByRole("button", { name: "Restore", exact: true }).click();
  await expect(page.getByText("2 scenarios were restored.")).toBeVisible();
  await page.getByRole("button", { name: "Clear filters" }).click();
  for (const title of titles) await expect(select(page, title)).toBeVisible();
  // Undo of the second message archives them again.
  await page.getByRole("button", { name: "Undo" }).first().click();
  await expect(page.getByText("Undone.")).toBeVisible();
  expect((await stored()).filter(({ archived }) => archived)).toHaveLength(2);
  for (const { id, archived } of await stored()) {
    if (archived) await data(page.request, "patch", `${list}/${id}`, { archived: false });
  }
});

test("deletes a scenario after a delay, and none of several after Undo", async ({ page }) => {
  await page.goto(list);
  for (const title of titles.slice(0, 2)) await select(page, title).check();
  await expect(page.getByText("2 scenarios selected")).toBeVisible();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(select(page, "Low price")).toHaveCount(0);
  await expect(select(page, "High price")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(select(page, "Low price")).toBeVisible();
  await expect(select(page, "Usual price")).toBeVisible();

  await select(page, "High price").check();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  const stored = async () =>
    (await data<{ title: string }[]>(page.request, "get", list)).map(({ title }) => title);
  expect((await stored()).toSorted()).toEqual(titles.toSorted());
  await expect.poll(stored, { timeout: 30_000 }).toHaveLength(2);
  expect(await stored()).not.toContain("High price");
});
