import type { Browser, Locator, Page } from "@playwright/test";
import { finish } from "./jobs.ts";
import { data, expect, test, unique } from "./signed-in.ts";

// Two people with a browser each open the same form. Both change the same field, and both save.

const csv = (rows: string[]) => Buffer.from(`price,weekday,sales\n${rows.join("\n")}\n`).toString("base64");
const rows = Array.from({ length: 60 }, (_, row) => `${row % 7},${row % 5},${40 - 3 * (row % 7)}`);
const path = { project: "", scenario: "", checkpoint: "", comparison: "", compare: "" };

test.beforeAll(async ({ playwright, baseURL, session }) => {
  const request = await playwright.request.newContext({ baseURL: baseURL!, storageState: session });
  const newProject = async (name: string) =>
    `/projects/${(await data<{ id: string }>(request, "post", "/projects", { name: unique(name) })).id}`;
  path.project = await newProject("Lost updates");
  await data(request, "put", `${path.project}/dataset`, { target: "sales", fileData: csv(rows) });
  await finish(request, `${path.project}/models/train`, { algorithm: "ridge" });
  const scenarios = `${path.project}/scenarios`;
  const created: { scenarioId: string; checkpointId: string }[] = [];
  for (const title of ["Spring", "Summer"]) {
    const fileData = Buffer.from("price,weekday\n3,1\n4,2\n").toString("base64");
    const body = { title, fileData, checkpointId: created[0]?.checkpointId };
    created.push(await finish<{ scenarioId: string; checkpointId: string }>(request, scenarios, body));
  }
  const ids = created.map(({ scenarioId }) => scenarioId);
  path.scenario = `${scenarios}/${ids[0]}`;
  path.checkpoint = `${path.project}/checkpoints/${created[0]!.checkpointId}`;
  const saved = { name: "Two seasons", scenarioIds: ids };
  const { id } = await data<{ id: string }>(request, "post", `${path.project}/comparisons`, saved);
  path.comparison = `${path.project}/comparisons/${id}`;
  path.compare = `${scenarios}/compare?ids=${ids.join(",")}`;
  await request.dispose();
});

type Form = {
  name: string;
  /** Page with the form. */
  page(): string;
  /** Opens the form, and returns the part of the page that contains it. */
  open(page: Page): Promise<Locator>;
  field(form: Locator): Locator;
  label: string;
  save: string;
  /** Reads the stored text of the field. */
  stored(page: Page): Promise<string | null>;
};

const dialog = (page: Page) => page.getByRole("dialog");
const settings = (page: Page, field: string) => page.locator("form").filter({ has: page.getByLabel(field) });
const read = async <T>(page: Page, at: string) => data<T>(page.request, "get", at);

const inScenario =
  (field: "notes" | "title" | "description") =>
  async (page: Page): Promise<string | null> =>
    (await read<Record<string, string | null>>(page, path.scenario))[field]!;
const openScenario = async (page: Page) => {
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  return dialog(page);
};

const forms: Form[] = [
  ...(["Notes", "Title", "Description"] as const).map(
    (label): Form => ({
      name: `${label.toLowerCase()} of a scenario`,
      page: () => path.scenario,
      open: openScenario,
      field: (form) => form.getByLabel(label),
      label,
      save: "Save",
      stored: inScenario(label.toLowerCase() as "notes"),
    }),
  ),
  {
    name: "label of a checkpoint",
    page: () => `${path.project}/checkpoints`,
    open: async (page) => {
      await page
        .getByRole("button", { name: /^Actions for/ })
        .first()
        .click();
      await page.getByRole("menuitem", { name: "Rename or describe" }).click();
      return dialog(page);
    },
    field: (form) => form.getByLabel("Label"),
    label: "Label",
    save: "Save",
    stored: async (page) => (await read<{ label: string }>(page, path.checkpoint)).label,
  },
  {
    name: "name of a saved comparison",
    page: () => path.compare,
    open: async (page) => {
      await page.getByRole("button", { name: "Saved comparisons" }).click();
      await page.getByRole("button", { name: /^Rename/ }).click();
      return dialog(page);
    },
    field: (form) => form.getByLabel(/^New name/),
    label: "Name",
    save: "Rename",
    stored: async (page) => (await read<{ name: string }>(page, path.comparison)).name,
  },
  {
    name: "description of a project",
    page: () => `${path.project}/settings`,
    open: async (page) => settings(page, "Description"),
    field: (form) => form.getByLabel("Description"),
    label: "Description",
    save: "Save",
    stored: async (page) => (await read<{ description: string | null }>(page, path.project)).description,
  },
  {
    name: "display of a column",
    page: () => `${path.project}/settings`,
    open: async (page) => settings(page, "Unit of price"),
    field: (form) => form.getByLabel("Unit of price"),
    label: "Unit of price",
    save: "Save",
    stored: async (page) =>
      (await read<{ display: { price?: { unit: string | null } } }>(page, path.project)).display.price
        ?.unit ?? null,
  },
];

/** Opens the form in another browser with its own cookies. */
async function openAs(browser: Browser, session: unknown, form: Form): Promise<[Page, Locator]> {
  const context = await browser.newContext({
    baseURL: process.env.E2E_BASE_URL!,
    storageState: session as never,
  });
  const page = await context.newPage();
  await page.goto(form.page());
  return [page, await form.open(page)];
}

let count = 0;
const text = (who: string) => `${who}${(count++).toString(36)}`;

/** Lets two people change the same field in two browsers. The second one to save gets the conflict. */
async function bothChange(browser: Browser, session: unknown, form: Form) {
  const [[first, one], [second, two]] = await Promise.all([
    openAs(browser, session, form),
    openAs(browser, session, form),
  ]);
  // Pages show values that change elsewhere. A form with own entries keeps them.
  const theirs = text("Ada");
  const mine = text("Bo");
  const enter = async (within: Locator, value: string) => {
    const save = within.getByRole("button", { name: form.save, exact: true });
    await expect(async () => {
      await form.field(within).fill(value);
      await expect(save).toBeEnabled({ timeout: 1_000 });
      await expect(form.field(within)).toHaveValue(value, { timeout: 1_000 });
    }).toPass();
    return save;
  };
  const save = await enter(two, mine);
  await (await enter(one, theirs)).click();
  await expect(first.getByText(/was changed\.|Saved\.|Renamed/).first()).toBeVisible();
  expect(await form.stored(first)).toBe(theirs);

  await save.click();
  const conflict = two.getByRole("region", { name: /^Changed elsewhere/ });
  await expect(conflict).toBeFocused();
  await expect(conflict.getByRole("heading")).toHaveText(form.label);
  await expect(conflict.getByRole("definition")).toHaveText([mine, theirs]);
  expect(await form.stored(first)).toBe(theirs);
  const close = () => Promise.all([first.context().close(), second.context().close()]);
  return { first, second, two, save, conflict, mine, close };
}

const [everyDecision, ...otherForms] = forms;

for (const form of otherForms) {
  test(`two browsers change the same ${form.name}: both texts are shown, and the person keeps the own one`, async ({
    browser,
    session,
  }) => {
    test.setTimeout(300_000);
    const { first, conflict, mine, close } = await bothChange(browser, session, form);
    await conflict.getByRole("button", { name: "Keep mine" }).click();
    await expect.poll(() => form.stored(first)).toBe(mine);
    await expect(conflict).toBeHidden();
    await close();
  });
}

// All forms use the same code for decisions, so one of them takes each.
test("two browsers change the same notes: each decision, and Undo", async ({ browser, session }) => {
  test.setTimeout(300_000);
  const form = everyDecision!;
  const { first, second, two, save, conflict, mine, close } = await bothChange(browser, session, form);
  // Editing on keeps the entry. Saving it later is a decision made after seeing the other text.
  await conflict.getByRole("button", { name: "Keep editing" }).click();
  await expect(conflict).toBeHidden();
  await expect(form.field(two)).toHaveValue(mine);

  // Another change in the meantime is another conflict.
  const again = text("Cy");
  await change(first, form, again);
  await save.click();
  await expect(conflict.getByRole("definition")).toHaveText([mine, again]);
  await conflict.getByRole("button", { name: "Take theirs" }).click();
  await expect(form.field(two)).toHaveValue(again);
  await expect(save).toBeVisible();

  const last = text("Di");
  await form.field(two).fill(last);
  await change(first, form, text("Ed"));
  await save.click();
  await conflict.getByRole("button", { name: "Keep mine" }).click();
  await expect.poll(() => form.stored(first)).toBe(last);
  await expect(conflict).toBeHidden();

  // Undo does not replace a later change either.
  const later = text("Flo");
  await change(first, form, later);
  await second.getByRole("button", { name: "Undo" }).first().click();
  await expect(second.getByText(/^Changed elsewhere in the meantime/)).toBeVisible();
  expect(await form.stored(first)).toBe(later);
  await close();
});

/** Changes the notes by the API, like a third person. */
const change = (page: Page, form: Form, value: string): Promise<unknown> =>
  data(page.request, "patch", path.scenario, { [form.label.toLowerCase()]: value });

test("keeps both changes if two browsers change different fields", async ({ browser, session, page }) => {
  const [form] = forms;
  const [[first, one], [second, two]] = await Promise.all([
    openAs(browser, session, form!),
    openAs(browser, session, form!),
  ]);
  await one.getByLabel("Title").fill("Spring, revised");
  await two.getByLabel("Notes").fill("Checked by Bo");
  await one.getByRole("button", { name: "Save" }).click();
  await expect(one).toBeHidden();
  await two.getByRole("button", { name: "Save" }).click();
  await expect(two).toBeHidden();
  expect(await read(page, path.scenario)).toMatchObject({ title: "Spring, revised", notes: "Checked by Bo" });
  for (const other of [first, second]) await other.context().close();
});
