import type { Locator, Page } from "@playwright/test";
import type { Project } from "#lib/contract/projects";
import type { Scenario } from "#lib/contract/scenarios";
import { inspect } from "./inspect.ts";
import { rentals } from "./rentals.ts";
import { admin, findDemo } from "./service.ts";
import { copied, data, expect, test, unique } from "./signed-in.ts";

/** Presses Tab until a control has the focus, and checks that the focus is visible. */
async function tabTo(page: Page, control: Locator): Promise<void> {
  await expect(control).toBeVisible();
  for (let presses = 0; presses < 120; presses++) {
    if (await control.evaluate((element) => element === document.activeElement)) {
      const outline = await control.evaluate((element) => {
        const shown = element.matches(".sr-only") ? element.parentElement! : element;
        return Number.parseFloat(getComputedStyle(shown).outlineWidth);
      });
      expect(outline, "focus is visible").toBeGreaterThan(0);
      return;
    }
    await page.keyboard.press("Tab");
  }
  throw new Error(`${control} cannot be reached by Tab`);
}

async function press(page: Page, control: Locator, key = "Enter"): Promise<void> {
  await tabTo(page, control);
  await page.keyboard.press(key);
}

/**
 * Selects an item of the open menu by its first letters. Waits for the focus, because Enter would select another item.
 */
async function choose(page: Page, letters: string, name: string): Promise<void> {
  const item = page.getByRole("menu").getByRole("menuitem", { name });
  await expect(item).toBeVisible();
  await expect(async () => {
    await page.keyboard.type(letters);
    await expect(item).toBeFocused({ timeout: 2_000 });
  }).toPass();
  await page.keyboard.press("Enter");
}

/** Opens the palette, types and confirms with Enter. */
async function goTo(page: Page, letters: string, option: string): Promise<void> {
  const palette = page.getByRole("dialog", { name: "Commands" });
  await expect(async () => {
    await page.keyboard.press("Control+k");
    await expect(palette).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await page.keyboard.type(letters);
  await expect(palette.getByRole("option", { selected: true })).toContainText(option);
  await page.keyboard.press("Enter");
  await expect(palette).toHaveCount(0);
}

test("lets an analyst sign in, upload a scenario with renamed columns and compare it by keyboard only", async ({
  page,
}) => {
  await page.context().clearCookies();
  await page.goto("/login");
  await tabTo(page, page.getByLabel("Email"));
  await page.keyboard.type(admin.email);
  await tabTo(page, page.getByLabel("Password"));
  await page.keyboard.type(admin.password);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Projects" })).toBeVisible();
  const project = findDemo(await data<Project[]>(page.request, "get", "/projects"));
  const at = `/projects/${project.id}/scenarios`;
  const title = unique("By keyboard");
  const scenarios = await data<Scenario[]>(page.request, "get", at);
  // The oldest scenario belongs to the demo.
  const first = scenarios.findLast(({ status }) => status === "Completed")!;
  const csv = await page.request.get(`/api/v1${at}/${first.id}/predictions`, {
    headers: { accept: "text/csv" },
  });
  const renamed = (await csv.text()).replace("wind", "Wind m").replace("weather", "sky");

  await goTo(page, project.name.slice(0, 6), project.name);
  await expect(page).toHaveURL(new RegExp(`${at}$`));
  await goTo(page, "new sc", "New scenario");
  const dialog = page.getByRole("dialog", { name: "New scenario" });
  await tabTo(page, dialog.getByLabel("Title"));
  await page.keyboard.type(title);
  const hex = dialog.getByLabel("Colour as hex");
  const proposed = await hex.inputValue();
  expect(scenarios.map((scenario) => scenario.color)).not.toContain(proposed);
  await tabTo(page, dialog.getByRole("radio", { checked: true }));
  await page.keyboard.press("ArrowRight");
  await expect(hex).not.toHaveValue(proposed);
  const next = await hex.inputValue();
  // Releases the key before the page has moved the focus, as on a slow machine.
  await page.evaluate(() => {
    for (const type of ["keydown", "keyup"])
      document.activeElement!.dispatchEvent(new KeyboardEvent(type, { key: "ArrowRight", bubbles: true }));
  });
  await expect(hex).not.toHaveValue(next);
  const color = await hex.inputValue();
  await press(page, dialog.getByRole("tab", { name: "Generate to a date" }), "ArrowLeft");
  // Waits for the file dialog before the key press, which may be faster than the interception.
  const chooser = page.waitForEvent("filechooser");
  await press(page, dialog.getByLabel("Choose a CSV or Excel file"));
  await (await chooser).setFiles({
    name: "february.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(renamed),
  });

  // The nearest name is proposed for one column; the other is selected by hand. Nothing has been sent so far.
  await expect(dialog.getByLabel("File column for wind")).toHaveValue("Wind m");
  await tabTo(page, dialog.getByLabel("File column for weather"));
  await page.keyboard.type("sky");
  await press(page, dialog.getByRole("button", { name: "Use these names" }));
  await expect(dialog.getByText("rows fit the model")).toBeVisible();
  await press(page, dialog.getByRole("button", { name: "Create scenario" }));
  await expect(page.getByRole("heading", { name: `${title} Completed` })).toBeVisible({ timeout: 60_000 });
  const created = (await data<Scenario[]>(page.request, "get", at)).find(
    (scenario) => scenario.title === title,
  )!;
  expect(created).toMatchObject({ color, rowCount: first.rowCount, fileName: "february.csv" });
  expect(created.summary?.mean).toBeCloseTo(first.summary!.mean!, 6);

  await press(page, page.getByRole("link", { name: "Scenarios", exact: true }).first());
  await press(page, page.getByRole("checkbox", { name: `Select ${title}` }), "Space");
  await press(page, page.getByRole("checkbox", { name: `Select ${first.title}`, exact: true }), "Space");
  await page.evaluate(() => scrollTo(0, 0));
  await press(page, page.getByRole("link", { name: "Compare 2" }));
  await expect(page.getByRole("figure").first()).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`ids=${created.id}`));
});

test("lets an admin create and revoke a key, change and undo the default checkpoint, and delete a checkpoint by keyboard only", async ({
  page,
  demo: { project },
}) => {
  const at = `/projects/${project.id}`;
  const name = unique("Without a mouse");
  await page.goto(`${at}/checkpoints`);
  const before = page.getByRole("row").filter({ has: page.getByText("default", { exact: true }) });
  await expect(before).toHaveCount(1);
  const label = (await before.getByRole("button").first().textContent())!;

  await goTo(page, "create api", "Create API key");
  const dialog = page.getByRole("dialog");
  await tabTo(page, dialog.getByLabel("Name"));
  await page.keyboard.type(name);
  await page.keyboard.press("Enter");
  await expect(dialog.getByText("Copy it now")).toBeVisible();
  await press(page, dialog.getByRole("button", { name: "Done" }));
  await press(page, page.getByRole("button", { name: `Revoke ${name}` }));
  await press(page, dialog.getByRole("button", { name: "Revoke key" }));
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("row", { name }).getByText("revoked", { exact: true })).toBeVisible();

  await goTo(page, "checkpoints", "Checkpoints");
  await press(page, page.getByRole("button", { name: "Create checkpoint" }));
  await tabTo(page, dialog.getByLabel("Label"));
  await page.keyboard.type(name);
  await page.keyboard.press("Enter");
  const row = page.getByRole("row", { name });
  const actions = row.getByRole("button", { name: /^Actions for/ });
  await expect(actions).toBeVisible({ timeout: 60_000 });

  await press(page, actions);
  await choose(page, "Make", "Make default");
  await expect(row.getByText("default", { exact: true })).toBeVisible();
  await page.keyboard.press("Alt+t");
  await press(page, page.getByRole("button", { name: "Undo" }));
  await expect(
    page.getByRole("row", { name: new RegExp(label) }).getByText("default", { exact: true }),
  ).toBeVisible();
  await expect(row.getByText("default", { exact: true })).toHaveCount(0);

  await press(page, actions);
  await choose(page, "Del", "Delete");
  await press(page, dialog.getByRole("button", { name: /Delete/ }));
  await expect(dialog).toBeHidden();
  await expect(row).toHaveCount(0, { timeout: 30_000 });
});

test("lets an analyst upload data, train, predict, change an input, see why and share it by keyboard, in few steps", async ({
  page,
}) => {
  test.setTimeout(300_000);
  const { id } = await data<Project>(page.request, "post", "/projects", { name: unique("Rentals") });
  /** Steps that would each be a click of a mouse. */
  let clicks = 0;
  const act = async (control: Locator, key = "Enter") => {
    await press(page, control, key);
    clicks++;
  };
  const select = async (control: Locator, letters: string) => {
    await tabTo(page, control);
    await page.keyboard.type(letters);
  };
  await page.goto(`/projects/${id}/data`);
  const chooser = page.waitForEvent("filechooser");
  await act(page.getByLabel("Choose a CSV or Excel file"));
  const buffer = Buffer.from(rentals(true));
  await (await chooser).setFiles({ name: "rentals.csv", mimeType: "text/csv", buffer });
  clicks++; // The file in the system's dialog.
  await act(page.getByRole("button", { name: "Use hr" }));
  // The file is read again. Until then, the button that saves is disabled.
  await expect(page.getByText("frequency: hourly")).toBeVisible();
  await expect(page.getByRole("button", { name: "Save dataset" })).toBeEnabled();
  await select(page.getByLabel("Target"), "cnt");
  clicks += 2; // The list and its option.
  await act(page.getByRole("button", { name: "Save dataset" }));
  const suspects = page.getByRole("region", { name: "Columns to check" });
  for (const columns of ["casual, registered", "instant"]) {
    const exclude = suspects.getByRole("button", { name: `Exclude ${columns}` });
    await act(exclude);
    await expect(exclude).toHaveCount(0);
  }
  await act(page.getByRole("link", { name: "Train a model" }));
  const dialog = page.getByRole("dialog");
  // A small model keeps the test short. A user leaves the default.
  await select(dialog.getByLabel("Algorithm"), "Ridge");
  await act(dialog.getByRole("button", { name: "Start training" }));
  const tried = page.locator("section", { has: page.getByRole("heading", { name: "Try it" }) }).last();
  await expect(tried.getByText("90 % prediction interval")).toBeVisible({ timeout: 120_000 });
  await act(page.getByRole("link", { name: "New scenario" }));
  await act(dialog.getByRole("button", { name: "Create scenario" }));
  await expect(page.getByRole("heading", { name: "Forecast from 26 Jan 2024 Completed" })).toBeVisible({
    timeout: 60_000,
  });
  await expect(page.getByRole("figure", { name: /^Predictions of Forecast/ })).toBeVisible();
  expect(clicks, "steps to the first scenario's predictions").toBeLessThanOrEqual(12);

  clicks = 0;
  const address = page.url();
  await act(page.getByRole("button", { name: "Edit inputs" }));
  const panel = page.getByRole("region", { name: "Edit inputs" });
  const difference = panel.getByRole("row", { name: /^Sum/ }).getByRole("cell").last();
  await expect(difference).toHaveText("0");
  await act(panel.getByRole("slider", { name: "Change of temp" }), "ArrowRight");
  await expect(difference).not.toHaveText("0");
  await expect(page.getByText(/^The edited prediction is .+ in total over 168 rows: Temp /)).toBeVisible();
  await act(panel.getByRole("button", { name: "Save as scenario" }));
  await act(panel.getByRole("button", { name: "Copy link" }));
  await expect.poll(() => copied(page)).toContain("/scenarios/compare?ids=");
  expect(page.url(), "the page of the change, its effect, its reason and the link").toBe(address);
  expect(clicks, "steps to a change, its effect, its reason and a link").toBeLessThanOrEqual(10);
  // The link opens when the saved scenario is ready, and explains it.
  const saved = new URL(await copied(page)).searchParams.get("why");
  const status = async () =>
    (await data<Scenario>(page.request, "get", `/projects/${id}/scenarios/${saved}`)).status;
  await expect.poll(status, { timeout: 60_000 }).toBe("Completed");
  await page.goto(await copied(page));
  await expect(
    page.getByText(/^“Forecast from 26 Jan 2024, temp \+1 %” is .+ in total over .+: Temp /i),
  ).toBeVisible();
  await page.goBack();
  await press(page, page.getByRole("button", { name: "± 1 std. dev." }));
  await press(page, page.getByRole("list", { name: "Effect of each input" }).getByRole("button").last());
  await press(page, page.getByRole("button", { name: "Find the setting" }));
  await expect(page.getByRole("button", { name: "Create this scenario" })).toBeVisible({ timeout: 30_000 });
  expect(await inspect(page, "sensitivity and goal", { within: "main" })).toEqual([]);
  await data(page.request, "delete", `/projects/${id}`);
});
