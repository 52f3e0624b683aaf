import type { Locator, Page } from "@playwright/test";
import { findings } from "./axe.ts";
import { misfits, zoomed } from "./fits.ts";
import { expect, test } from "./signed-in.ts";

/** `begins` is the label of the field that has the focus after opening. */
type Opening = { name: string; path: string; begins?: string | RegExp; open(page: Page): Promise<unknown> };

const click = (name: string | RegExp) => (page: Page) => page.getByRole("button", { name }).first().click();
const choose = (menu: string | RegExp, item: string) => async (page: Page) => {
  await page.getByRole("button", { name: menu }).first().click();
  await page.getByRole("menuitem", { name: item }).click();
};
const tab = (name: string) => async (page: Page) => {
  await page.getByRole("button", { name: "New scenario" }).click();
  await page.getByRole("tab", { name }).click();
};

const openings: Opening[] = [
  { name: "palette", path: "/projects", open: (page) => page.keyboard.press("Control+k") },
  { name: "new project", begins: "Name", path: "/projects", open: click("New project") },
  { name: "account", path: "/projects", open: click(/^Account of/) },
  { name: "upload", path: "scenarios", open: tab("Upload a CSV") },
  { name: "generate", path: "scenarios", open: tab("Generate to a date") },
  { name: "adjust", path: "scenarios", open: tab("Adjust a scenario") },
  {
    name: "edit scenario",
    begins: "Title",
    path: "scenarios",
    open: choose(/^Actions for/, "Edit title, tags and notes"),
  },
  { name: "create checkpoint", begins: "Label", path: "checkpoints", open: click("Create checkpoint") },
  { name: "import checkpoint", path: "checkpoints", open: click("Import") },
  { name: "checkpoint", path: "checkpoints", open: choose(/^Actions for/, "Details") },
  {
    name: "rename checkpoint",
    begins: "Label",
    path: "checkpoints",
    open: choose(/^Actions for/, "Rename or describe"),
  },
  { name: "delete checkpoint", path: "checkpoints", open: choose(/^Actions for/, "Delete") },
  { name: "save model", begins: "Label", path: "model", open: click("Save checkpoint") },
  { name: "model details", path: "model", open: choose(/^Actions for/, "Details") },
  { name: "train", begins: "Algorithm", path: "model", open: click("Train again") },
  { name: "import model", path: "model", open: click("Import a model") },
  { name: "add rows", path: "data", open: click("Add rows") },
  { name: "create key", begins: "Name", path: "settings", open: click("Create API Key") },
  { name: "add member", begins: "Name", path: "settings", open: click("Add member") },
  { name: "password", path: "settings", open: choose(/^Actions for/, "Set a new password") },
  { name: "delete project", path: "settings", open: click("Delete project") },
];

test("blocks deleting a used checkpoint and links to the scenarios that use it", async ({ page, demo }) => {
  const user = demo.scenarios.find(({ checkpointId }) => checkpointId !== null)!;
  await page.goto(`/projects/${demo.project.id}/checkpoints`);
  const row = page.getByRole("row").filter({ hasText: user.checkpointLabel! }).first();
  await row.getByRole("button", { name: /^Actions for/ }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("button", { name: "Delete checkpoint" })).toBeDisabled();
  await dialog.getByRole("link", { name: user.title }).click();
  await expect(page).toHaveURL(new RegExp(user.id));
});

test("keeps the buttons of a long dialog in a low window", async ({ page, demo }) => {
  await page.setViewportSize({ width: 1280, height: 700 });
  await page.goto(`/projects/${demo.project.id}/data`);
  await page.getByRole("button", { name: "Add rows" }).click();
  const dialog = page.getByRole("dialog");
  const rows = Array.from({ length: 20 }, (_, at) => `2016-01-${at + 1},1,rain,false,300`);
  await dialog.getByLabel("Choose a CSV file").setInputFiles({
    ...{ name: "rows.csv", mimeType: "text/csv" },
    buffer: Buffer.from(`date,wind,weather,in_term,demand_mwh\n${rows.join("\n")}\n`),
  });
  await expect(dialog.getByText("20 rows.")).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Add rows" })).toBeInViewport({ ratio: 1 });
});

test("passes WCAG 2.2 AA in each dialog and menu, fits 360 pixels and 200 % zoom, and restores the focus", async ({
  page,
  demo,
}) => {
  test.setTimeout(420_000);
  const issues: string[] = [];
  let at = "";
  for (const { name, path, begins, open } of openings) {
    await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
    await page.setViewportSize({ width: 1280, height: 800 });
    if (path !== at) {
      await page.goto(path.startsWith("/") ? path : `/projects/${demo.project.id}/${path}`);
      await expect(page.getByRole("status", { name: "Loading" })).toHaveCount(0, { timeout: 60_000 });
      at = path;
    }
    // The palette's shortcut works only after hydration.
    const opened: Locator = page.locator("[role=dialog], [role=menu]");
    await expect(async () => {
      if ((await opened.count()) === 0) await open(page);
      await expect(opened).toBeVisible({ timeout: 2_000 });
    }).toPass();
    await expect(opened.getByRole("status", { name: "Loading" })).toHaveCount(0, { timeout: 60_000 });
    await expect(opened.locator(":focus").or(page.locator("[role=menu]:focus"))).toHaveCount(1);
    if (begins) await expect(opened.getByLabel(begins).first(), name).toBeFocused();
    const addIssues = (found: string[]) => issues.push(...found.map((issue) => `${name}: ${issue}`));
    addIssues(await findings(page, { within: "[role=dialog], [role=menu]" }));
    await page.emulateMedia({ colorScheme: "dark" });
    await expect(page.locator("html")).toHaveClass(/dark/);
    for (const size of [zoomed, { width: 360, height: 740 }]) {
      await page.setViewportSize(size);
      await expect.poll(() => misfits(page), `${name} at ${size.width}`).toEqual([]);
    }
    addIssues(await findings(page, { within: "[role=dialog], [role=menu]" }));
    await page.keyboard.press("Escape");
    await expect(opened).toHaveCount(0);
    // Ctrl-K was pressed without a focused element, so there is no focus to restore.
    if (name !== "palette") {
      const hasFocus = () => page.evaluate(() => document.activeElement !== document.body);
      await expect.poll(hasFocus, `${name}: restores the focus`).toBe(true);
    }
  }
  expect(issues).toEqual([]);
});
