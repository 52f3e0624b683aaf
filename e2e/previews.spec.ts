import type { Locator } from "@playwright/test";
import type { Project } from "#lib/contract/projects";
import type { Scenario } from "#lib/contract/scenarios";
import { data, expect, test } from "./signed-in.ts";
import { readVitals, watchVitals } from "./vitals.ts";

const choose = (within: Locator, text: string) =>
  within
    .getByLabel("Choose a CSV or Excel file")
    .setInputFiles({ name: "rows.csv", mimeType: "text/csv", buffer: Buffer.from(text) });

/** Returns a column's row in the table of columns. */
const columnRow = (within: Locator, name: string) =>
  within
    .getByRole("table")
    .filter({ has: within.page().getByRole("columnheader", { name: "Distribution" }) })
    .getByRole("row", { name: new RegExp(`^${name} `) });

test("previews a dataset's columns before the upload, and reports an issue by row and column", async ({
  page,
}) => {
  const project = await data<Project>(page.request, "post", "/projects", { name: "Preview" });
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.method() !== "GET" && !request.url().includes("/realtime")) sent.push(request.url());
  });
  await page.goto(`/projects/${project.id}/data`);
  const rows = Array.from({ length: 30 }, (_, row) => {
    const day = String(row + 1).padStart(2, "0");
    return `2024-01-${day},${row === 4 ? "" : row - 5},${row % 3 === 0 ? "south" : "north"},${row}`;
  });
  const main = page.getByRole("main");
  await choose(main, `day,temp,site,demand\n${rows.join("\n")}\n`);
  await expect(main.getByText("30 rows, 4 columns")).toBeVisible();
  await expect(columnRow(main, "temp")).toContainText(/number.*[-−]5 – 24.*1$/);
  await expect(columnRow(main, "site")).toContainText(/category.*2 values.*north.*67 %.*south.*33 %/);
  await main.getByRole("button", { name: "Save dataset" }).click();
  await expect(main.getByText("Choose a target")).toBeVisible();
  await expect(main.getByLabel("Target")).toBeFocused();
  await main.getByLabel("Target").selectOption("demand");
  await expect(main.getByText("Choose a target")).toBeHidden();
  // The only column of times.
  await expect(main.getByLabel("Timestamp")).toHaveValue("day");
  await expect(main.getByText("frequency: daily")).toBeVisible();

  await choose(main, `day,temp,site,demand\n${rows.with(2, "2024-01-03,warm,north,2").join("\n")}\n`);
  const issues = main.getByRole("alert");
  await expect(issues.getByRole("row", { name: /^3 temp warm/ })).toBeVisible();
  await main.getByRole("button", { name: "Save dataset" }).click();
  await expect(main.getByText("Correct 1 issue in the file, or choose another file.")).toBeVisible();
  expect(sent).toEqual([]);
  await data(page.request, "delete", `/projects/${project.id}`);
});

test("never shows the preview of a formerly chosen file", async ({ page }) => {
  const project = await data<Project>(page.request, "post", "/projects", { name: "Two files" });
  await page.goto(`/projects/${project.id}/data`);
  const main = page.getByRole("main");
  await choose(main, "site,demand\nformer,1\n");
  await expect(main.getByText("1 row, 2 columns")).toBeVisible();
  await main.evaluate((element) => {
    new MutationObserver(() => {
      if (element.textContent.includes("former")) element.setAttribute("data-stale", "");
    }).observe(element, { subtree: true, childList: true, characterData: true });
  });
  await choose(main, "site,demand\nlatter,1\nlatter,2\n");
  await expect(main.getByText("2 rows, 2 columns")).toBeVisible();
  await expect(main).not.toHaveAttribute("data-stale");
  await data(page.request, "delete", `/projects/${project.id}`);
});

test("marks values outside the known range in previews and rows, and shows actual, error and contributions", async ({
  page,
  demo,
}) => {
  const at = `/projects/${demo.project.id}/scenarios`;
  // The last known days, so that all rows have actuals.
  const rows = Array.from({ length: 14 }, (_, row) => {
    const [wind, weather] = row === 11 ? [99, "hail"] : [3, "rain"];
    return `2015-12-${18 + row},${wind},${weather},false`;
  });
  await page.goto(at);
  await page.getByRole("button", { name: "New scenario" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("tab", { name: "Upload a CSV" }).click();
  await dialog.getByLabel("Title").fill("A storm");
  await choose(dialog, `date,wind,weather,in_term\n${rows.join("\n")}\n`);
  await expect(dialog.getByText("14 rows fit the model")).toBeVisible();
  await expect(dialog.getByText("Predicted by upstream projects: forecast_temperature")).toBeVisible();
  await expect(columnRow(dialog, "wind")).toContainText("trained on 0.4 – 9.5");
  await expect(columnRow(dialog, "wind")).toContainText("1 of 14 rows outside");
  await expect(columnRow(dialog, "weather")).toContainText("1 of 14 rows outside the known range: hail");
  await expect(columnRow(dialog, "in_term")).not.toContainText("outside");
  await dialog.getByRole("button", { name: "Create scenario" }).click();
  await expect(page.getByRole("heading", { name: "A storm Completed" })).toBeVisible({ timeout: 60_000 });

  const card = page.locator("section", { has: page.getByRole("heading", { name: "Rows", exact: true }) });
  await expect(card.getByText("1–10 of 14")).toBeVisible();
  const outside = card.getByText("(outside the known range)");
  await expect(card.getByRole("columnheader", { name: "Actual" })).toBeVisible();
  await expect(outside).toHaveCount(0);
  await card.getByRole("button", { name: "Later rows" }).click();
  await expect(card.getByText("11–14 of 14")).toBeVisible();
  await expect(outside).toHaveCount(2);
  const storm = card.getByRole("row", { name: /^Explain row 12 / });
  await expect(storm.getByRole("cell", { name: /^99.*outside/ })).toBeVisible();
  await expect(storm.getByRole("cell", { name: /^hail.*outside/ })).toBeVisible();
  const figure = async (cell: number) =>
    Number((await storm.getByRole("cell").nth(cell).textContent())!.replace("−", "-"));
  // Actuals are requested after the rows.
  for (const cell of [1, 3, 4]) await expect.poll(() => figure(cell)).not.toBeNaN();
  const [prediction, actual, error] = [await figure(1), await figure(3), await figure(4)];
  expect(prediction - actual).toBeCloseTo(error, 0);
  await storm.getByRole("button", { name: "Explain row 12" }).click();
  await expect(page.getByLabel("Row", { exact: true })).toHaveValue("12");
  const why = page.locator("section", {
    has: page.getByRole("heading", { name: "Why this prediction", exact: true }),
  });
  const explained = async () => Number(/prediction (\d+\.?\d*)/.exec((await why.textContent()) ?? "")?.[1]);
  await expect.poll(explained).toBeCloseTo(prediction, 0);

  // Content that loads later, such as the extrapolation note, has reserved space.
  const fresh = await page.context().newPage();
  await watchVitals(fresh);
  await fresh.goto(page.url());
  await expect(fresh.getByText("Shaded where inputs are outside")).toBeVisible();
  await fresh.waitForLoadState("networkidle");
  expect((await readVitals(fresh)).shift).toBeLessThan(0.01);
  await fresh.close();

  const scenarios = await data<Scenario[]>(page.request, "get", at);
  const made = scenarios.find(({ title }) => title === "A storm")!;
  await data(page.request, "delete", `${at}/${made.id}`);
});
