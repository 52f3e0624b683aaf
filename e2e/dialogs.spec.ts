import type { Locator, Page } from "@playwright/test";
import { findings } from "./axe.ts";
import { misfits, zoomed } from "./fits.ts";
import { expect, test } from "./signed-in.ts";

/** `begins`: the label of the field that one can write or choose in at once. */
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
    name: "recolour",
    begins: "Title",
    path: "scenarios",
    open: choose(/^Actions for/, "Rename or recolour"),
  },
  { name: "delete scenario", path: "scenarios", open: choose(/^Actions for/, "Delete") },
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
  { name: "train", begins: "Algorithm", path: "model", open: click("Train again") },
  { name: "import model", path: "model", open: click("Import a model") },
  { name: "add rows", path: "data", open: click("Add rows") },
  { name: "create key", begins: "Name", path: "settings", open: click("Create API Key") },
  { name: "add member", begins: "Name", path: "settings", open: click("Add member") },
  { name: "password", path: "settings", open: choose(/^Actions for/, "Set a new password") },
  { name: "delete project", path: "settings", open: click("Delete project") },
];

test("a checkpoint that scenarios use is not offered to be deleted: they are named at once, and lead to them", async ({
  page,
  demo,
}) => {
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

test("no dialog or menu has a fault against WCAG 2.2 AA, nor is cut off at 360 pixels or 200 % zoom; each takes the focus and gives it back", async ({
  page,
  demo,
}) => {
  test.setTimeout(420_000);
  const faults: string[] = [];
  let at = "";
  for (const { name, path, begins, open } of openings) {
    await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
    await page.setViewportSize({ width: 1280, height: 800 });
    if (path !== at) {
      await page.goto(path.startsWith("/") ? path : `/projects/${demo.project.id}/${path}`);
      await expect(page.getByRole("status", { name: "Loading" })).toHaveCount(0, { timeout: 60_000 });
      at = path;
    }
    // The palette's keys are heard once the page is alive.
    const opened: Locator = page.locator("[role=dialog], [role=menu]");
    await expect(async () => {
      if ((await opened.count()) === 0) await open(page);
      await expect(opened).toBeVisible({ timeout: 2_000 });
    }).toPass();
    await expect(opened.getByRole("status", { name: "Loading" })).toHaveCount(0, { timeout: 60_000 });
    await expect(opened.locator(":focus").or(page.locator("[role=menu]:focus"))).toHaveCount(1);
    if (begins) await expect(opened.getByLabel(begins).first(), name).toBeFocused();
    const tell = (found: string[]) => faults.push(...found.map((fault) => `${name}: ${fault}`));
    tell(await findings(page, { within: "[role=dialog], [role=menu]" }));
    await page.emulateMedia({ colorScheme: "dark" });
    await expect(page.locator("html")).toHaveClass(/dark/);
    for (const size of [zoomed, { width: 360, height: 740 }]) {
      await page.setViewportSize(size);
      await expect.poll(() => misfits(page), `${name} at ${size.width}`).toEqual([]);
    }
    tell(await findings(page, { within: "[role=dialog], [role=menu]" }));
    await page.keyboard.press("Escape");
    await expect(opened).toHaveCount(0);
    // Ctrl-K was pressed on the page as a whole, which had no focus to give back.
    if (name !== "palette") {
      const hasFocus = () => page.evaluate(() => document.activeElement !== document.body);
      await expect.poll(hasFocus, `${name}: the focus is given back`).toBe(true);
    }
  }
  expect(faults).toEqual([]);
});
