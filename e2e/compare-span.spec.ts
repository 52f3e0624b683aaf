import type { Page } from "@playwright/test";
import { dailyDemand } from "#testing/sample-series";
import { inspect } from "./inspect.ts";
import { finish } from "./jobs.ts";
import { type Demo, data, expect, test, unique } from "./signed-in.ts";

const address = ({ project, scenarios }: Demo, rest = "") =>
  `/projects/${project.id}/scenarios/compare?ids=${scenarios
    .slice(0, 3)
    .map(({ id }) => id)
    .join(",")}${rest}`;
const values = (page: Page) => page.getByRole("region", { name: "Values" });

test("shows intervals in the table and in the tooltip until they are switched off", async ({
  page,
  demo,
}) => {
  await page.goto(address(demo));
  const crosshair = page.getByRole("slider", { name: "Point of the chart" }).first();
  await crosshair.focus();
  await page.keyboard.press("ArrowRight");
  await expect(page.getByText("90 % prediction intervals").last()).toBeVisible();
  await expect(crosshair).toHaveAttribute("aria-valuetext", /90 % interval \d/);

  await page.getByRole("button", { name: "Table" }).click();
  const first = values(page).getByRole("row").nth(1).getByRole("cell").nth(1);
  await expect(first).toHaveText(/^\d+\.\d.*\d+\.\d – \d+\.\d$/);
  await page.getByRole("checkbox", { name: "90 % interval" }).uncheck();
  await expect(first).not.toContainText("–");
  await page.getByRole("checkbox", { name: "90 % interval" }).check();
  expect(await inspect(page, "compare-table", { within: "main" })).toEqual([]);
});

test("selects the days of a comparison, and keeps them in the link", async ({ page, demo }) => {
  const days = Array.from({ length: 14 }, (_, day) => `2016-01-${String(day + 1).padStart(2, "0")}`);
  await page.goto(address(demo, "&view=table"));
  const rows = () => values(page).getByRole("row");
  await expect(rows()).toHaveCount(1 + days.length);
  await page.getByLabel("From", { exact: true }).fill(days[4]!);
  await expect(rows()).toHaveCount(1 + 10);
  await page.getByLabel("To", { exact: true }).fill(days[6]!);
  await expect(rows()).toHaveCount(1 + 3);
  await expect(page).toHaveURL(/[?&]from=2016-01-05&to=2016-01-07/);
  await page.reload();
  await expect(rows()).toHaveCount(1 + 3);
  await expect(page.getByLabel("To", { exact: true })).toHaveValue(days[6]!);

  // A day outside of the scenarios is not requested, and disappears with the focus.
  await page.getByLabel("To", { exact: true }).fill("0002-01-05");
  await page.getByLabel("To", { exact: true }).blur();
  await expect(page.getByLabel("To", { exact: true })).toHaveValue(days[6]!);
  await page.getByRole("button", { name: "Reset zoom" }).click();
  await expect(rows()).toHaveCount(1 + days.length);
  await expect(page.getByLabel("From", { exact: true })).toHaveValue(days[0]!);
});

test("selects the rows of scenarios without times", async ({ page }) => {
  const { request } = page;
  const { id } = await data<{ id: string }>(request, "post", "/projects", { name: unique("Rows") });
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  const rows = Array.from({ length: 60 }, (_, row) => `${row % 7},${40 - 3 * (row % 7)}`);
  await data(request, "put", `/projects/${id}/dataset`, {
    target: "sales",
    fileData: base64(`price,sales\n${rows.join("\n")}\n`),
  });
  await finish(request, `/projects/${id}/models/train`, { algorithm: "ridge" });
  const ids: string[] = [];
  for (const first of [1, 2]) {
    const fileData = base64(`price\n${[0, 1, 2, 3].map((more) => first + more).join("\n")}\n`);
    const body = { title: `From ${first}`, fileData };
    ids.push((await finish<{ scenarioId: string }>(request, `/projects/${id}/scenarios`, body)).scenarioId);
  }
  await page.goto(`/projects/${id}/scenarios/compare?ids=${ids.join(",")}&view=table`);
  await page.getByLabel("From row").fill("2");
  await page.getByLabel("To row").fill("3");
  await expect(values(page).getByRole("row")).toHaveCount(1 + 2);
  await expect(page).toHaveURL(/[?&]from=2&to=3/);
});

test("compares sums over the span that all scenarios cover, and names it in page and workbook", async ({
  page,
}) => {
  const { request } = page;
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  const { id } = await data<{ id: string }>(request, "post", "/projects", { name: unique("Spans") });
  const dataset = { fileData: base64(dailyDemand(200)), target: "demand", timestamp: "date" };
  await data(request, "put", `/projects/${id}/dataset`, dataset);
  await finish(request, `/projects/${id}/models/train`, { algorithm: "ridge", features: { lags: [] } });
  const rows = dailyDemand(300).trim().split("\n").slice(201);
  const runWith = async (title: string, count: number) => {
    const lines = rows.slice(0, count).map((row) => row.split(",").slice(0, 2).join(","));
    const body = { title, fileData: base64(`date,price\n${lines.join("\n")}\n`) };
    return (await finish<{ scenarioId: string }>(request, `/projects/${id}/scenarios`, body)).scenarioId;
  };
  const ids = [await runWith("null upstream", 20), await runWith("Short", 14)];
  await page.goto(`/projects/${id}/scenarios/compare?ids=${ids.join(",")}`);
  const summary = page.locator("section", { has: page.getByRole("heading", { name: "Summary" }) });
  await expect(
    summary.getByText(
      /, which all scenarios cover\. Baseline is “null upstream”\. “Short” is the same in total\. Totals exclude 6 rows of “null upstream”/,
    ),
  ).toBeVisible();
  const row = (title: string) => summary.getByRole("row", { name: title });
  await expect(row("null upstream")).toContainText("of 20");
  const sumOf = (title: string) => row(title).getByRole("cell").nth(3).textContent();
  expect(await sumOf("Short")).toBe(await sumOf("null upstream"));
  await page.getByLabel("To", { exact: true }).fill(rows[4]!.slice(0, 10));
  await expect(summary.getByText("Totals exclude")).toHaveCount(0);
  await expect(row("null upstream").getByRole("cell").nth(7)).toHaveText("5");
});
