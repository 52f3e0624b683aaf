import type { Page } from "@playwright/test";
import type { Member } from "#lib/contract/members";
import { expectToFit } from "./fits.ts";
import { inspect } from "./inspect.ts";
import { finish } from "./jobs.ts";
import { data, expect, test, unique } from "./signed-in.ts";

// Forms that change a whole: a list, a file or a key. `lost-updates.spec.ts` has those with single texts.

const csv = (rows: string[]) => Buffer.from(`price,weekday,sales\n${rows.join("\n")}\n`).toString("base64");
const rows = Array.from({ length: 60 }, (_, row) => `${row % 7},${row % 5},${40 - 3 * (row % 7)}`);
const path = { project: "", scenario: "", upstream: "" };

test.beforeAll(async ({ playwright, baseURL, session }) => {
  const request = await playwright.request.newContext({ baseURL: baseURL!, storageState: session });
  const newProject = async (name: string) =>
    `/projects/${(await data<{ id: string }>(request, "post", "/projects", { name: unique(name) })).id}`;
  path.upstream = await newProject("Edited twice, upstream");
  path.project = await newProject("Edited twice");
  await data(request, "put", `${path.project}/dataset`, { target: "sales", fileData: csv(rows) });
  await finish(request, `${path.project}/models/train`, { algorithm: "ridge" });
  const body = { title: "Spring", fileData: Buffer.from("price,weekday\n3,1\n4,2\n").toString("base64") };
  const { scenarioId } = await finish<{ scenarioId: string }>(request, `${path.project}/scenarios`, body);
  path.scenario = `${path.project}/scenarios/${scenarioId}`;
  await request.dispose();
});

const dialog = (page: Page) => page.getByRole("dialog");
const read = async <T>(page: Page, at: string) => data<T>(page.request, "get", at);

test("shows upstream projects that two browsers have set differently", async ({ page }) => {
  await page.goto(`${path.project}/settings`);
  await page.getByRole("button", { name: "Change", exact: true }).click();
  const form = page.locator("form").filter({ has: page.getByRole("button", { name: "Add a dependency" }) });
  await form.getByRole("button", { name: "Add a dependency" }).click();
  await form.getByLabel("Project").selectOption(path.upstream.split("/").at(-1)!);
  await form.getByLabel("Feature name").fill("mine");
  const dependencies = [{ projectId: path.upstream.split("/").at(-1), featureName: "theirs" }];
  await data(page.request, "put", `${path.project}/dependencies`, { dependencies });
  await form.getByRole("button", { name: "Save" }).click();
  const conflict = form.getByRole("region", { name: /^Changed elsewhere/ });
  await expect(conflict.getByRole("definition")).toHaveText([/as mine$/, /as theirs$/]);
  await conflict.getByRole("button", { name: "Take theirs" }).click();
  await expect(form.getByLabel("Feature name")).toHaveValue("theirs");
  await form.getByLabel("Feature name").fill("both");
  await form.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText(/^Saved\./)).toBeVisible();
  const stored = await read<{ dependencies: { featureName: string }[] }>(page, path.project);
  expect(stored.dependencies.map(({ featureName }) => featureName)).toEqual(["both"]);
  await data(page.request, "put", `${path.project}/dependencies`, { dependencies: [] });
});

test("does not rotate a key that another browser has rotated", async ({ page }) => {
  const keys = `${path.project}/api-keys`;
  const name = unique("Rotated twice");
  const { id } = await data<{ id: string }>(page.request, "post", keys, { name });
  await page.clock.install();
  await page.goto(`${path.project}/settings`);
  const rotate = page.getByRole("button", { name: `Rotate ${name}` });
  await expect(rotate).toBeVisible();
  // The code of the dialog arrives last, as over a slow network.
  const late = Promise.withResolvers<void>();
  await page.route("**/_next/static/**", async (route) => {
    await late.promise;
    await route.continue();
  });
  await rotate.click();
  await data(page.request, "post", `${keys}/${id}/rotate`, { overlapSeconds: 3_600 });
  // The list behind the dialog is read again, as when a user returns to the window after a minute.
  await page.clock.fastForward("01:00");
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await expect(page.locator(`[aria-label="Revoke ${name}"]`)).toHaveCount(2);
  late.resolve();
  await dialog(page).getByRole("button", { name: "Rotate key" }).click();
  await expect(dialog(page).getByRole("alert")).toContainText("rotated or revoked elsewhere");
  const named = (await read<{ name: string }[]>(page, keys)).filter((key) => key.name === name);
  expect(named).toHaveLength(2);
});

test("does not rotate the secret of a webhook that another browser has rotated", async ({ page }) => {
  const webhooks = `${path.project}/webhooks`;
  const body = { url: "https://example.com/hooks", events: ["model-trained"] };
  const { id } = await data<{ id: string }>(page.request, "post", webhooks, body);
  await page.goto(`${path.project}/settings`);
  await page.getByRole("button", { name: "Actions for example.com" }).click();
  await page.getByRole("menuitem", { name: "Rotate secret" }).click();
  // Without an overlap, only the time of the rotation differs.
  await data(page.request, "post", `${webhooks}/${id}/rotate`, { overlapSeconds: 0 });
  await dialog(page).getByRole("button", { name: "Rotate secret" }).click();
  await expect(dialog(page).getByRole("alert")).toContainText("rotated elsewhere");
});

test("corrects no row of a dataset that another browser has changed while the dialog is open", async ({
  page,
}) => {
  await page.goto(`${path.project}/data`);
  await page.getByRole("button", { name: "Edit row 55" }).click();
  // Without the first row, row 55 is another one.
  await dialog(page).getByLabel("price").fill("99");
  await data(page.request, "patch", `${path.project}/dataset/rows`, { delete: [1] });
  await expect(page.getByText("50–59 of 59")).toBeVisible();
  await dialog(page).getByRole("button", { name: "Save row" }).click();
  await expect(dialog(page).getByRole("alert")).toContainText("changed elsewhere");
  const { rows: stored } = await read<{ rows: { values: { price: number } }[] }>(
    page,
    `${path.project}/dataset/rows?limit=100`,
  );
  expect(stored.filter(({ values }) => values.price === 99)).toEqual([]);
});

test("excludes a column although another browser has excluded a different one", async ({ page }) => {
  await page.goto(`${path.project}/data`);
  const box = page.getByRole("checkbox", { name: /price/ });
  await box.uncheck();
  await data(page.request, "patch", `${path.project}/dataset`, { exclude: ["weekday"] });
  await expect(page.getByRole("checkbox", { name: /weekday/ })).not.toBeChecked();
  await page.getByRole("button", { name: "Save columns" }).click();
  await expect(page.getByText(/^Changed 1 column/)).toBeVisible();
  const excluded = async () => {
    const { columns } = await read<{ columns: { name: string; role: string }[] }>(
      page,
      `${path.project}/dataset`,
    );
    return columns.filter(({ role }) => role === "excluded").map(({ name }) => name);
  };
  expect((await excluded()).toSorted()).toEqual(["price", "weekday"]);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(excluded).toEqual(["weekday"]);
  await data(page.request, "patch", `${path.project}/dataset`, { exclude: [] });
});

test("does not replace a dataset that another browser has replaced, and adds no rows to it unasked", async ({
  page,
}) => {
  const file = {
    name: "mine.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(csv(rows.slice(0, 50)), "base64"),
  };
  await page.goto(`${path.project}/data`);
  await page.getByRole("button", { name: "Replace" }).click();
  await page.getByLabel("Choose a CSV or Excel file").setInputFiles(file);
  await expect(page.getByText(/50 rows/).first()).toBeVisible();
  const body = { target: "sales", fileData: csv(rows.slice(0, 55)), fileName: "theirs.csv" };
  await data(page.request, "put", `${path.project}/dataset`, body);
  await page.getByRole("button", { name: "Save dataset" }).click();
  await page.getByRole("button", { name: "Replace dataset" }).click();
  const conflict = page.getByRole("region", { name: /^Changed elsewhere/ });
  await expect(conflict.getByRole("definition")).toHaveText([/^mine\.csv/, /^theirs\.csv.*55 rows/]);
  await conflict.getByRole("button", { name: "Keep mine" }).click();
  await expect(page.getByText("Saved 50 rows.")).toBeVisible();

  await page.getByRole("button", { name: "Add rows" }).click();
  await dialog(page).getByLabel("Choose a CSV or Excel file").setInputFiles(file);
  await data(page.request, "post", `${path.project}/dataset/rows`, { fileData: csv(rows.slice(0, 2)) });
  const add = dialog(page).getByRole("button", { name: "Add rows" });
  await add.click();
  await expect(dialog(page).getByRole("alert")).toContainText("has 52 rows now");
  await add.click();
  await expect(page.getByText(/^Added \d+ rows/)).toBeVisible();
  expect(await read(page, `${path.project}/dataset`)).toMatchObject({ rowCount: 102 });
});

test("sends the version of a member with a change, and reads both", async ({ page }) => {
  const guest = {
    name: unique("Versioned"),
    email: `${crypto.randomUUID()}@example.com`,
    password: "battery staple",
  };
  const member = await data<Member>(page.request, "post", "/members", guest);
  await page.goto(`${path.project}/settings`);
  const sent = page.waitForRequest((request) => request.method() === "PATCH");
  await page.getByRole("button", { name: `Actions for ${guest.name}` }).click();
  await page.getByRole("menuitem", { name: "Make admin" }).click();
  expect((await sent).headers()["if-match"]).toMatch(/^"[\w-]{20,}"$/);
  await expect(page.getByText(`${guest.name} is now an admin.`)).toBeVisible();
  await data(page.request, "delete", `/members/${member.id}`);
});

test("fits small windows and passes WCAG 2.2 AA while it shows two texts", async ({ page }) => {
  await page.goto(path.scenario);
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  const form = dialog(page);
  await form.getByLabel("Notes").fill(`Mine, ${"with a long reason ".repeat(20)}`);
  await data(page.request, "patch", path.scenario, { notes: `Theirs\n${"another reason ".repeat(20)}` });
  await form.getByRole("button", { name: "Save" }).click();
  await expect(form.getByRole("region", { name: /^Changed elsewhere/ })).toBeVisible();
  expect(await inspect(page, "conflict", { within: "[role=dialog]", whole: false })).toEqual([]);
  await expectToFit(page, "conflict", [{ width: 320, height: 700 }]);
});
