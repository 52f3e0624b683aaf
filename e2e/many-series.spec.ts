import type { Page } from "@playwright/test";
import type { Dataset } from "#lib/contract/datasets";
import type { Project } from "#lib/contract/projects";
import type { PredictionChart } from "#lib/contract/scenario-series";
import type { Scenario } from "#lib/contract/scenarios";
import { findings } from "./axe.ts";
import { data, expect, test, unique } from "./signed-in.ts";
import { takePictures } from "./take-pictures.ts";

/** Rows of 10 stores and 5 items on 60 days, by day. Item 5 of store 10 lacks a day. */
const rows = Array.from({ length: 60 }, (_, at) => {
  const day = new Date(Date.UTC(2024, 0, 1 + at)).toISOString().slice(0, 10);
  return Array.from({ length: 50 }, (_, series) => {
    const [store, item] = [1 + Math.floor(series / 5), 1 + (series % 5)];
    return `${day},${store},${item},${store < 6 ? "south" : "north"},${2 + item / 2},${20 + store + item + (at % 7)}`;
  });
})
  .flat()
  .filter((line) => !line.startsWith("2024-01-20,10,5,"));
const csv = (lines: readonly string[]) => ({
  name: "sales.csv",
  mimeType: "text/csv",
  buffer: Buffer.from(["date,store,item,region,price,sales", ...lines].join("\n")),
});

test("proposes the series of a file, saves them, and lists them with their gaps", async ({ page }) => {
  const project = await data<Project>(page.request, "post", "/projects", { name: unique("Series") });
  await page.goto(`/projects/${project.id}/data`);
  const main = page.getByRole("main");
  await main.getByLabel("Choose a CSV or Excel file").setInputFiles(csv(rows));
  await main.getByLabel("Target").selectOption("sales");
  const proposal = main.getByRole("button", { name: "50 series by store and item" });
  await expect(proposal).toBeVisible();
  await takePictures(page, "proposal");
  await proposal.click();
  await expect(main.getByText("2,999 rows, 6 columns, 50 series, frequency: daily")).toBeVisible();
  await expect(main.getByLabel("store names the series")).toBeChecked();
  await takePictures(page, "chosen");
  await main.getByRole("button", { name: "Save dataset" }).click();
  await expect(page.getByText("Saved 2,999 rows.")).toBeVisible();

  const dataset = await data<Dataset>(page.request, "get", `/projects/${project.id}/dataset`);
  expect(dataset.series).toMatchObject({ columns: ["store", "item"], count: 50 });
  const card = main.locator("section", { has: page.getByRole("heading", { name: "Series", exact: true }) });
  await expect(card).toContainText("50 series by store, item, 59 to 60 rows each.");
  await expect(card.getByRole("listitem")).toHaveText([
    "Total 1",
    "region 2",
    "item 5",
    "store 10",
    "store, item 50",
  ]);
  await expect(card.getByRole("row")).toHaveCount(51);
  expect(await findings(page)).toEqual([]);
  await takePictures(page, "series");
  // Small charts show the same series, twelve at a time.
  await card.getByRole("button", { name: "Charts", exact: true }).click();
  await expect(card.getByRole("figure")).toHaveCount(12);
  await expect(card.getByText("60 rows to 29 Feb 2024").first()).toBeVisible();
  expect(await findings(page)).toEqual([]);
  await takePictures(page, "series-charts");
  await card.getByRole("button", { name: "Show 12 more" }).click();
  await expect(card.getByRole("figure")).toHaveCount(24);
  await card.getByLabel("Search series").fill("10 5");
  await expect(card.getByRole("figure")).toHaveCount(1);
  await expect(card.getByText("59 rows to 29 Feb 2024, 1 gap")).toBeVisible();
  await card.getByLabel("Search series").fill("");
  await card.getByRole("button", { name: "Table", exact: true }).click();
  await card.getByLabel("Order of the series").selectOption("gaps");
  await expect(card.getByRole("row").nth(1)).toContainText("59");
  await card.getByLabel("Search series").fill("10 5");
  await expect(card.getByRole("row")).toHaveCount(2);
  await card.getByLabel("Search series").fill("Rome");
  await expect(card).toContainText("No matching series");

  // Added rows continue each series, and may bring a new one.
  await main.getByRole("button", { name: "Add rows" }).click();
  const dialog = page.getByRole("dialog");
  await dialog
    .locator("input[type=file]")
    .setInputFiles(csv(["2024-03-01,1,1,south,2,5", "2024-03-01,11,1,north,2,5"]));
  await dialog.getByRole("button", { name: "Add rows" }).click();
  await expect(dialog).toBeHidden();
  await expect(main.getByText(/1 series \(store "11", item "1"\) is new/)).toBeVisible();
  await data(page.request, "delete", `/projects/${project.id}`);
});

/** Returns the demo's project of many series with its two scenarios, once the worker has made them. */
async function findTrips(page: Page): Promise<{ id: string; scenarios: Scenario[] }> {
  let found: { id: string; scenarios: Scenario[] } | undefined;
  await expect(async () => {
    const projects = await data<Project[]>(page.request, "get", "/projects");
    const { id } = projects.find(({ name }) => name === "Australian trips")!;
    const scenarios = await data<Scenario[]>(page.request, "get", `/projects/${id}/scenarios`);
    expect(scenarios.map(({ status }) => status)).toEqual(["Completed", "Completed"]);
    found = { id, scenarios };
  }).toPass({ timeout: 120_000 });
  return found!;
}

test("shows parts as small charts and as means, in the link", async ({ page }) => {
  const { id, scenarios } = await findTrips(page);
  const [first, second] = scenarios;
  const at = `/projects/${id}/scenarios`;
  const card = page.locator("section", { has: page.getByRole("heading", { name: /^By / }) }).first();
  const figures = card.getByRole("figure");
  await page.goto(`${at}/${first!.id}`);
  await card.getByRole("button", { name: "Charts" }).click();
  await expect(figures).toHaveCount(4);
  await card.getByRole("button", { name: "Means" }).click();
  await expect(page).toHaveURL(/parts=charts&combine=mean|combine=mean&parts=charts/);
  const chart = await data<PredictionChart>(
    page.request,
    "get",
    `${at}/${first!.id}/predictions?maxPoints=2&by=purpose&combine=mean`,
  );
  const shown = (text: string | null) => Number(text!.split(" · ")[0]!.replaceAll(",", ""));
  for (const { values, series } of chart.groups!) {
    const part = card.getByRole("listitem").filter({ has: page.getByText(values.purpose!, { exact: true }) });
    await expect
      .poll(async () => Math.abs(shown(await part.getByText("8 series").textContent()) - series[0]!.total!))
      .toBeLessThan(1);
  }
  expect(await findings(page)).toEqual([]);
  await takePictures(page, "scenario-parts");

  // A link keeps both, also one step further.
  await page.reload();
  await card.getByRole("button", { name: "Holiday" }).click();
  await expect(card.getByRole("heading", { name: "By state" })).toBeVisible();
  await expect(figures).toHaveCount(8);
  await expect(card.getByRole("button", { name: "Means" })).toHaveAttribute("aria-pressed", "true");

  await page.goto(
    `${at}/compare?ids=${first!.id},${second!.id}&baselineId=${first!.id}&parts=charts&combine=mean`,
  );
  await expect(figures).toHaveCount(4);
  await expect(figures.first().locator("canvas")).toHaveAttribute("data-lines", "2");
  expect(await findings(page)).toEqual([]);
  await takePictures(page, "compared-parts");
  await card.getByRole("button", { name: "Bars" }).click();
  await expect(figures).toHaveCount(0);
  await expect(card.getByRole("listitem")).toHaveCount(4);
});
