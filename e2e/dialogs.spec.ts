import type { Locator, Page } from "@playwright/test";
import type { Member } from "#lib/contract/members";
import { expectToFit, smallWindows, withoutPage } from "./fits.ts";
import { inspect, windows } from "./inspect.ts";
import { finish } from "./jobs.ts";
import { type Demo, data, expect, test, unique } from "./signed-in.ts";

/** `begins` is the label of the field that has the focus after opening. */
type Opening = { name: string; path: string; begins?: string | RegExp; open(page: Page): Promise<unknown> };

const click = (name: string | RegExp) => (page: Page) => page.getByRole("button", { name }).first().click();
const choose = (menu: string | RegExp, item: string) => async (page: Page) => {
  await page.getByRole("button", { name: menu }).first().click();
  await page.getByRole("menuitem", { name: item }).click();
};
/** Ticks rows, and opens the dialog for them. */
const tick = (rows: number, open: Opening["open"]) => async (page: Page) => {
  const boxes = page.getByRole("main").locator("tbody").getByRole("checkbox");
  for (let row = 0; row < rows; row++) await boxes.nth(row).check();
  await open(page);
};
const tab = (name: string) => async (page: Page) => {
  await page.getByRole("button", { name: "New scenario" }).click();
  await page.getByRole("tab", { name }).click();
};

/** Opens the panel of a scenario, changes an input, and leaves the page. */
const leave = async (page: Page) => {
  const slider = page.getByRole("region", { name: "Edit inputs" }).getByRole("slider").first();
  if (!(await slider.isVisible())) await click("Edit inputs")(page);
  await slider.press("ArrowRight");
  await page.getByRole("link", { name: "Model", exact: true }).click();
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
  { name: "run again", begins: "Checkpoint", path: "scenarios", open: tick(2, click("Run again")) },
  { name: "tags of several", path: "scenarios", open: tick(2, click("Tags")) },
  { name: "colour of several", path: "scenarios", open: tick(2, click("Colour")) },
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
  { name: "compare checkpoints", path: "checkpoints", open: tick(2, click(/^Compare$/)) },
  { name: "save model", begins: "Label", path: "model", open: click("Create checkpoint") },
  { name: "model details", path: "model", open: choose(/^Actions for/, "Details") },
  { name: "train", begins: "Algorithm", path: "model", open: click("Train again") },
  { name: "import model", path: "model", open: click("Import a model") },
  { name: "add rows", path: "data", open: click("Add rows") },
  { name: "edit a row", path: "data", open: click(/^Edit row/) },
  { name: "create key", begins: "Name", path: "settings", open: click("Create API Key") },
  { name: "rotate key", begins: "The old key works", path: "settings", open: click(/^Rotate/) },
  { name: "revoke key", path: "settings", open: click(/^Revoke/) },
  { name: "add webhook", begins: "URL", path: "settings", open: click("Add webhook") },
  { name: "add member", begins: "Name", path: "settings", open: click("Add member") },
  { name: "password", path: "settings", open: choose(/^Actions for Guest/, "Set a new password") },
  { name: "disable member", path: "settings", open: choose(/^Actions for Guest/, "Disable") },
  { name: "remove member", path: "settings", open: choose(/^Actions for Guest/, "Remove") },
  { name: "delete project", path: "settings", open: click("Delete project") },
  {
    name: "saved comparisons",
    begins: "Name of the shown comparison",
    path: "compare",
    open: click("Saved comparisons"),
  },
  { name: "choose scenarios", path: "compare", open: click("Choose scenarios") },
  { name: "export", path: "compare", open: click("Export") },
  { name: "edit on the page", begins: "Title", path: "scenario", open: click(/^Edit$/) },
  { name: "adjust a copy", begins: "Title", path: "scenario", open: click("Adjust a copy") },
  { name: "run on another checkpoint", path: "scenario", open: click("Run on another checkpoint") },
  { name: "leave question", path: "scenario", open: leave },
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

test("deletes a checkpoint after the scenario that blocked it was deleted", async ({ page }) => {
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  const { id } = await data<{ id: string }>(page.request, "post", "/projects", { name: unique("Blocked") });
  const project = `/projects/${id}`;
  const rows = Array.from({ length: 60 }, (_, row) => `${row % 7},${40 - 3 * (row % 7)}`);
  const dataset = { target: "sales", fileData: base64(`price,sales\n${rows.join("\n")}\n`) };
  await data(page.request, "put", `${project}/dataset`, dataset);
  await finish(page.request, `${project}/models/train`, { algorithm: "ridge" });
  const { checkpointId } = await finish<{ checkpointId: string }>(page.request, `${project}/checkpoints`, {});
  // The scenario is created after the confirmation, and before the service receives it.
  let scenarioId = "";
  await page.route(`**/checkpoints/${checkpointId}`, async (route) => {
    if (route.request().method() === "DELETE" && scenarioId === "") {
      const body = { title: "Late", checkpointId, fileData: base64("price\n3\n") };
      ({ scenarioId } = await finish<{ scenarioId: string }>(page.request, `${project}/scenarios`, body));
    }
    await route.continue();
  });
  await page.goto(`${project}/checkpoints`);
  await page.getByRole("button", { name: /^Actions for/ }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  const confirm = page.getByRole("dialog").getByRole("button", { name: "Delete checkpoint" });
  await confirm.click();
  await expect(page.getByRole("dialog").getByRole("alert").getByRole("link", { name: "Late" })).toBeVisible();
  await expect(confirm).toBeDisabled();
  await data(page.request, "delete", `${project}/scenarios/${scenarioId}`);
  await confirm.click();
  await expect(page.getByText("was deleted.")).toBeVisible();
});

test("keeps the buttons of a long dialog in a low window", async ({ page, demo }) => {
  await page.setViewportSize({ width: 1280, height: 700 });
  await page.goto(`/projects/${demo.project.id}/data`);
  await page.getByRole("button", { name: "Add rows" }).click();
  const dialog = page.getByRole("dialog");
  const rows = Array.from({ length: 20 }, (_, at) => `2016-01-${at + 1},1,rain,false,300`);
  await dialog.getByLabel("Choose a CSV or Excel file").setInputFiles({
    name: "rows.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(`date,wind,weather,in_term,demand_mwh\n${rows.join("\n")}\n`),
  });
  await expect(dialog.getByText("20 rows.")).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Add rows" })).toBeInViewport({ ratio: 1 });
});

test("shows beside the buttons of a long dialog why it cannot be sent", async ({ page, demo }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/projects/${demo.project.id}/data`);
  await page.getByRole("button", { name: "Add rows" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Choose a CSV or Excel file").setInputFiles({
    name: "rows.csv",
    mimeType: "text/csv",
    buffer: Buffer.from("date,wind,weather,in_term,demand_mwh\n2016-01-01,strong,rain,false,300\n"),
  });
  await expect(dialog.getByRole("row", { name: /wind strong/ })).toBeVisible();
  await dialog.getByRole("button", { name: "Add rows" }).click();
  await expect(dialog.getByText(/^Correct 1 issue/)).toBeInViewport({ ratio: 1 });
  await page.goto(`/projects/${demo.project.id}/model?open=import`);
  await dialog.getByLabel("Output column").scrollIntoViewIfNeeded();
  await dialog.getByRole("button", { name: "Import", exact: true }).click();
  await expect(dialog.getByText("Choose a model file.")).toBeInViewport({ ratio: 1 });
});

/** Creates what a page needs to show its dialogs, and returns the paths to delete. */
const prepare: Record<string, (page: Page, demo: Demo) => Promise<string[]>> = {
  async checkpoints(page, { project }) {
    const list = `/projects/${project.id}/checkpoints`;
    const { checkpointId } = await finish<{ checkpointId: string }>(page.request, list, {
      label: longName(),
    });
    return [`${list}/${checkpointId}`];
  },
  async settings(page, { project }) {
    const keys = `/projects/${project.id}/api-keys`;
    const key = await data<{ id: string }>(page.request, "post", keys, { name: longName() });
    const email = `${crypto.randomUUID()}@example.com`;
    const guest = { name: unique("Guest"), email, password: "battery staple", role: "analyst" };
    const member = await data<Member>(page.request, "post", "/members", guest);
    return [`${keys}/${key.id}`, `/members/${member.id}`];
  },
  async compare(page, { project, scenarios }) {
    const list = `/projects/${project.id}/comparisons`;
    const scenarioIds = scenarios.slice(0, 2).map(({ id }) => id);
    const body = { name: longName(), scenarioIds };
    const { id } = await data<{ id: string }>(page.request, "post", list, body);
    return [`${list}/${id}`];
  },
};
const longName = () => unique("To be compared with a long name that needs more than one line");

const addressOf = (path: string, { project, scenarios }: Demo) => {
  const at = `/projects/${project.id}`;
  const [first, second] = scenarios.map(({ id }) => id);
  if (path.startsWith("/")) return path;
  if (path === "compare") return `${at}/scenarios/compare?ids=${first},${second}`;
  return path === "scenario" ? `${at}/scenarios/${first}` : `${at}/${path}`;
};

for (const [path, dialogs] of Object.entries(Object.groupBy(openings, (opening) => opening.path))) {
  test(`passes WCAG 2.2 AA in each dialog and menu, fits every width and 200 % zoom, and restores the focus: ${path}`, async ({
    page,
    demo,
  }) => {
    test.setTimeout(240_000);
    const prepared = (await prepare[path]?.(page, demo)) ?? [];
    await page.emulateMedia({ colorScheme: "light" });
    await page.setViewportSize(windows[0]!);
    await page.goto(addressOf(path, demo));
    await expect(page.getByRole("status", { name: "Loading" })).toHaveCount(0, { timeout: 60_000 });
    const issues: string[] = [];
    for (const opening of dialogs!) issues.push(...(await inspectOpened(page, opening)));
    for (const one of prepared) await data(page.request, "delete", one);
    expect(issues).toEqual([]);
  });
}

/** Opens a dialog or menu, checks it, closes it, and returns the issues. */
async function inspectOpened(page: Page, { name, begins, open }: Opening): Promise<string[]> {
  await page.setViewportSize(windows[0]!);
  // The palette's shortcut works only after hydration.
  const opened: Locator = page.locator("[role=dialog], [role=menu]");
  await expect(async () => {
    if ((await opened.count()) === 0) await open(page);
    await expect(opened).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await expect(opened.getByRole("status", { name: "Loading" })).toHaveCount(0, { timeout: 60_000 });
  await expect(opened.locator(":focus").or(page.locator("[role=menu]:focus"))).toHaveCount(1);
  if (begins) await expect(opened.getByLabel(begins).first(), name).toBeFocused();
  const [zoomed, narrowest] = smallWindows;
  const issues = await withoutPage(page, async () => {
    const found = await inspect(page, name, { within: "[role=dialog], [role=menu]", whole: false });
    await expectToFit(page, name, [zoomed!]);
    return found;
  });
  await expectToFit(page, name, [narrowest!]);
  await page.keyboard.press("Escape");
  await expect(opened).toHaveCount(0);
  // Ctrl-K was pressed without a focused element, so there is no focus to restore.
  if (name !== "palette") {
    const hasFocus = () => page.evaluate(() => document.activeElement !== document.body);
    await expect.poll(hasFocus, `${name}: restores the focus`).toBe(true);
  }
  return issues;
}
