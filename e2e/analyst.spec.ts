import type { Project } from "#lib/contract/projects";
import { proposeDisplay } from "#lib/contract/propose-display";
import type { Scenario } from "#lib/contract/scenarios";
import { finish } from "./jobs.ts";
import { copied, data, expect, test, unique } from "./signed-in.ts";

test.use({ contextOptions: { reducedMotion: "no-preference" } });

test("uploads a scenario with a colour, follows its job, compares three scenarios, zooms and shares the link", async ({
  page,
  demo,
  browser,
}) => {
  const { project, scenarios } = demo;
  const [first, second] = scenarios;
  const title = unique("From my file");
  expect(scenarios.length).toBeGreaterThanOrEqual(3);

  // Uploads the exported input of an existing scenario: the service must read what it writes.
  const csv = await page.request.get(`/api/v1/projects/${project.id}/scenarios/${first!.id}/predictions`, {
    headers: { accept: "text/csv" },
  });
  expect(csv.headers()["content-type"]).toContain("text/csv");

  await page.goto(`/projects/${project.id}/scenarios`);
  await page.getByRole("button", { name: "New scenario" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Title").fill(title);
  await dialog.getByLabel("Colour as hex").fill("#c2185b");
  await dialog.getByRole("tab", { name: "Upload a CSV" }).click();
  await dialog
    .getByLabel("Choose a CSV or Excel file")
    .setInputFiles({ name: "february.csv", mimeType: "text/csv", buffer: await csv.body() });
  await expect(dialog.getByText("rows fit the model")).toBeVisible();
  await dialog.getByRole("button", { name: "Create scenario" }).click();
  // The page opens the new scenario.
  await expect(page.getByRole("heading", { name: `${title} Completed` })).toBeVisible({ timeout: 60_000 });
  await page.getByRole("link", { name: "Scenarios", exact: true }).first().click();
  await expect(page.getByRole("row", { name: title })).toBeVisible();
  const created = (await data<Scenario[]>(page.request, "get", `/projects/${project.id}/scenarios`)).find(
    (scenario) => scenario.title === title,
  );
  expect(created).toMatchObject({ color: "#c2185b", source: "Upload", fileName: "february.csv" });

  for (const chosen of [first!.title, second!.title, title]) {
    await page.getByRole("checkbox", { name: `Select ${chosen}`, exact: true }).check();
  }
  await page.getByRole("link", { name: "Compare 3" }).click();
  const chart = page.getByRole("figure").first();
  await expect(chart.locator("canvas")).toHaveAttribute("data-lines", "4");

  // Dragging across the middle zooms. The URL changes, and the chart requests finer points.
  const box = (await chart.boundingBox())!;
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width * 0.4, y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.7, y, { steps: 8 });
  await page.mouse.up();
  await expect(page).toHaveURL(/[?&]from=/);
  await page.getByRole("button", { name: "Set as baseline" }).first().click();
  await page.getByRole("button", { name: "Differences" }).click();
  await expect(page).toHaveURL(/view=difference/);

  // The copied link shows the same view in a new session.
  await page.getByRole("button", { name: "Copy link" }).click();
  await expect(page.getByText("Link copied")).toBeVisible();
  const link = await copied(page);
  const context = await browser.newContext({ storageState: await page.context().storageState() });
  const fresh = await context.newPage();
  await fresh.goto(link);
  await expect(fresh.getByRole("button", { name: "Differences", pressed: true })).toBeVisible();
  await expect(fresh.getByRole("button", { name: "Reset zoom" })).toBeVisible();
  // The first page may still be loading the new differences.
  await expect(async () => {
    const summary = await page.getByRole("table").first().textContent();
    await expect(fresh.getByRole("table").first()).toHaveText(summary!, { timeout: 2_000 });
  }).toPass({ timeout: 30_000 });
  await context.close();
});

test("rejects an invalid CSV in the browser, with row, column and the nearest name", async ({
  page,
  demo,
}) => {
  await page.goto(`/projects/${demo.project.id}/scenarios`);
  await page.getByRole("button", { name: "New scenario" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("tab", { name: "Upload a CSV" }).click();
  await dialog.getByLabel("Title").fill("Broken");
  await dialog.getByLabel("Choose a CSV or Excel file").setInputFiles({
    name: "broken.csv",
    mimeType: "text/csv",
    buffer: Buffer.from("nonsense\nabc\n"),
  });
  await expect(dialog.getByRole("alert")).toContainText("is missing");
  await dialog.getByRole("button", { name: "Create scenario" }).click();
  await expect(dialog.getByText(/^Correct \d+ issues? in the file, or choose another file\.$/)).toBeVisible();
  await dialog.getByRole("tab", { name: "Adjust a scenario" }).click();
  await dialog.getByLabel("Title").fill("Broken");
  await expect(dialog.getByText(/^Correct/)).toBeHidden();
  await dialog.getByRole("button", { name: "Create scenario" }).click();
  await expect(dialog.getByLabel("Start from")).toHaveAccessibleDescription("Choose a scenario");
});

test("shows a wrong end date once, until it is corrected, and asks before Escape discards the entries", async ({
  page,
  demo,
}) => {
  await page.goto(`/projects/${demo.project.id}/scenarios`);
  await page.getByRole("button", { name: "New scenario" }).click();
  const dialog = page.getByRole("dialog", { name: "New scenario" });
  await dialog.getByLabel("Title").fill("To the past");
  const endDate = dialog.getByLabel("End date");
  await endDate.fill("2010-01-01");
  await dialog.getByRole("button", { name: "Create scenario" }).click();
  await expect(endDate).toHaveAttribute("aria-invalid", "true");
  await expect(dialog.getByText("Choose a later day")).toHaveCount(1);
  await expect(dialog.getByRole("alert")).toHaveCount(0);
  await endDate.fill("2016-01-20");
  await expect(dialog.getByText("Choose a later day")).toHaveCount(0);
  await expect(endDate).toHaveAttribute("aria-invalid", "false");

  const question = page.getByRole("dialog", { name: "Discard your entries?" });
  await page.keyboard.press("Escape");
  await question.getByRole("button", { name: "Keep editing" }).click();
  await expect(question).toBeHidden();
  await expect(dialog.getByLabel("Title")).toHaveValue("To the past");
  await page.keyboard.press("Escape");
  await question.getByRole("button", { name: "Discard" }).click();
  await expect(dialog).toBeHidden();
});

test("generates a scenario up to a date, adjusts a copy, and shows only that adjustment as a difference", async ({
  page,
  demo,
}) => {
  const { project, scenarios } = demo;
  const generated = scenarios.find(({ source }) => source === "Generated")!;
  const title = unique("A copy, raised");
  await page.goto(`/projects/${project.id}/scenarios/${generated.id}`);
  await expect(page.getByRole("heading", { name: generated.title })).toBeVisible();
  await page.getByRole("button", { name: "Adjust a copy" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Title").fill(title);
  await dialog.getByRole("button", { name: "Add a step" }).click();
  const { displayName } = proposeDisplay(await dialog.getByLabel("Feature").inputValue());
  await expect(dialog.getByText(/changes \d+ of \d+ rows/)).toBeVisible();
  await dialog.getByRole("button", { name: "Create scenario" }).click();
  await expect(page.getByRole("heading", { name: `${title} Completed` })).toBeVisible({ timeout: 60_000 });

  await page.goto(`/projects/${project.id}/scenarios`);
  await page.getByRole("checkbox", { name: `Select ${generated.title}`, exact: true }).check();
  await page.getByRole("checkbox", { name: `Select ${title}` }).check();
  await page.getByRole("link", { name: "Compare 2" }).click();
  await expect(page.getByText(displayName, { exact: true }).first()).toBeVisible();
  const why = page.locator("section", { has: page.getByRole("heading", { name: "Why they differ" }) });
  // A feature that the demo's model does not use is listed too, with the remark that it has no effect.
  await expect(why.getByText(displayName).first()).toBeVisible();
  await expect(page.getByText(/rows changed/)).toHaveCount(1);
});

test("explains before an adjustment that a model of past values has no inputs", async ({ page }) => {
  const { id } = await data<Project>(page.request, "post", "/projects", { name: unique("Quarters") });
  const quarter = (i: number) => `${2010 + Math.floor(i / 4)}Q${(i % 4) + 1}`;
  const rows = Array.from({ length: 40 }, (_, i) => `${quarter(i)},${100 + i + 9 * (i % 4)}`);
  const fileData = Buffer.from(`quarter,sales\n${rows.join("\n")}\n`).toString("base64");
  const dataset = { target: "sales", timestamp: "quarter", fileData };
  await data(page.request, "put", `/projects/${id}/dataset`, dataset);
  await finish(page.request, `/projects/${id}/models/train`, { algorithm: "theta" });
  const note = page.getByText("It has no inputs to adjust.");
  await page.goto(`/projects/${id}/model`);
  await expect(note).toBeVisible();
  await page.goto(`/projects/${id}/scenarios`);
  await page.getByRole("button", { name: "New scenario" }).first().click();
  await expect(note).toBeVisible();
  await page.getByRole("tab", { name: "Adjust a scenario" }).click();
  await expect(note).toBeVisible();

  // Panels that change inputs say the same, without a request that the service would reject.
  const { scenarioId } = await finish<{ scenarioId: string }>(page.request, `/projects/${id}/scenarios`, {
    title: "Next year",
    endDate: "2020-10-01",
  });
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname.split("/").at(-1)!));
  await page.goto(`/projects/${id}/scenarios/${scenarioId}`);
  const sensitivity = page.locator("section", { has: page.getByRole("heading", { name: "Sensitivity" }) });
  await sensitivity.scrollIntoViewIfNeeded();
  await expect(sensitivity).toContainText("It has no inputs to adjust.");
  await expect(page.getByRole("heading", { name: "Reach a goal" })).toHaveCount(0);
  await page.getByRole("button", { name: "Edit inputs" }).click();
  await expect(page.getByRole("region", { name: "Edit inputs" })).toContainText(
    "It has no inputs to adjust.",
  );
  expect(asked.filter((name) => ["sensitivity", "preview", "live-model"].includes(name))).toEqual([]);
  await data(page.request, "delete", `/projects/${id}`);
});
