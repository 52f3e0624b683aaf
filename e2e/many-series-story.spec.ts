import type { Project } from "#lib/contract/projects";
import type { Comparison } from "#lib/contract/scenario-series";
import type { Scenario } from "#lib/contract/scenarios";
import { findings } from "./axe.ts";
import { Planner, workbookOf } from "./planner-clicks.ts";
import { data, expect, test, unique } from "./signed-in.ts";
import { takePictures } from "./take-pictures.ts";

/** Groups that a card shows at first. */
const GROUPS_FIRST = 20;

/** Number of stores, items and days. `STORES=50 ITEMS=20 DAYS=1096` plays the story with a file of a million rows. */
const size = (name: string, value: number) => Number(process.env[name] ?? value);
const [stores, items, days] = [size("STORES", 6), size("ITEMS", 3), size("DAYS", 120)];

/** Daily sales of each item in each store. A promotion, on every third day, sells half as much again. */
function salesFile(): string {
  const lines = ["date,store,region,item,promo,sales"];
  for (let at = 0; at < days; at++) {
    const day = new Date(Date.UTC(2022, 0, 1 + at));
    for (let store = 1; store <= stores; store++) {
      for (let item = 1; item <= items; item++) {
        const promo = (at + store + item) % 3 === 0 ? 1 : 0;
        const level = (20 + store + 3 * item) * (1 + [0, 0, 0, 0, 0.2, 0.5, 0.4][day.getUTCDay()]!);
        const sales = Math.round(level * (1 + promo / 2) + ((7 * at + 3 * store + 5 * item) % 5));
        const region = store <= stores / 2 ? "south" : "north";
        lines.push(`${day.toISOString().slice(0, 10)},S${store},${region},I${item},${promo},${sales}`);
      }
    }
  }
  return lines.join("\n");
}

test("an analyst compares a promotion that ends in the south, in at most 15 clicks", async ({ page }) => {
  const minutes = stores * items * days > 100_000 ? 20 : 4;
  test.setTimeout(minutes * 60_000);
  const long = { timeout: minutes * 30_000 };
  const { id } = await data<Project>(page.request, "post", "/projects", { name: unique("Shops") });
  const path = `/projects/${id}`;
  const analyst = new Planner(page);
  const dialog = page.getByRole("dialog");

  // The file, its series, and a model.
  await page.goto(`${path}/data`);
  await analyst.pickFile(page.getByLabel("Choose a CSV or Excel file"), "shops.csv", salesFile());
  await analyst.choose(page.getByLabel("Target"), "sales");
  await analyst.click(
    page.getByRole("button", { name: `${(stores * items).toLocaleString("en")} series by store and item` }),
  );
  await analyst.click(page.getByRole("button", { name: "Save dataset" }));
  const train = page.getByRole("link", { name: "Train a model" });
  await expect(train).toBeVisible(long);
  await analyst.click(train);
  await analyst.click(dialog.getByRole("button", { name: "Start training" }));
  const newScenario = page.getByRole("link", { name: "New scenario" });
  await expect(newScenario).toBeVisible(long);

  // As planned, and without the promotion in the south.
  await analyst.click(newScenario);
  await dialog.getByLabel("Title").fill("As planned");
  await dialog.getByLabel("Title").press("Enter");
  await expect(page.getByRole("heading", { name: "As planned Completed" })).toBeVisible(long);
  await analyst.click(page.getByRole("button", { name: "Adjust a copy" }));
  await analyst.click(dialog.getByRole("button", { name: "Add a step" }));
  await dialog.getByLabel("Title").fill("Promo off in the south");
  await analyst.click(dialog.getByRole("button", { name: "Only where" }));
  await analyst.choose(dialog.getByLabel("Only where, 1"), "region");
  await dialog.getByLabel("Compared with, 1").fill("south");
  await takePictures(page, "shops-step");
  await dialog.getByLabel("Compared with, 1").press("Enter");
  await expect(page.getByRole("heading", { name: "Promo off in the south Completed" })).toBeVisible(long);
  await analyst.click(page.getByRole("link", { name: "Compare", exact: true }));
  await analyst.click(dialog.getByText("As planned"));
  await analyst.click(dialog.getByRole("button", { name: "Done" }));
  const card = (name: string | RegExp) =>
    page.locator("section", { has: page.getByRole("heading", { name, exact: true }) });
  await expect(card("By region").getByRole("listitem")).toHaveCount(2, long);
  expect(analyst.clicks).toBeLessThanOrEqual(15);
  await takePictures(page, "shops-compared");
  expect(await findings(page)).toEqual([]);

  // The north is as before, and every total is the sum of its parts.
  const [changed, planned] = await data<Scenario[]>(page.request, "get", `${path}/scenarios`);
  const ids = `ids=${planned!.id},${changed!.id}`;
  const read = (query: string) =>
    data<Comparison>(page.request, "get", `${path}/scenarios/compare?${ids}${query}`);
  const byRegion = await read("&by=region");
  const totals = byRegion.groups!.map(({ values, series }) => [values.region, series[1]!.totalDifference!]);
  const total = byRegion.series[1]!.totalDifference!;
  expect(Object.fromEntries(totals)).toEqual({ north: 0, south: expect.closeTo(total, 6) });
  expect(total).toBeLessThan(0);
  await expect(card("Why they differ")).toContainText("Promo");

  // From the region to its stores, in a link and in a workbook, and to the items of one store.
  await card("By region").getByRole("button", { name: "south" }).click();
  const shops = card("By store").getByRole("listitem");
  const shown = Math.min(GROUPS_FIRST, Math.floor(stores / 2));
  await expect(shops).toHaveCount(shown, long);
  await page.goto(page.url());
  await expect(shops).toHaveCount(shown, long);
  const workbook = await workbookOf(page, async () => {
    await page.getByRole("button", { name: "Export" }).click();
    await page.getByRole("menuitem", { name: "Excel workbook" }).click();
  });
  const [head, ...rows] = workbook("1 By item");
  const difference = head!.findIndex((text) => text.endsWith(", difference"));
  expect(rows).toHaveLength(items);
  expect(rows.reduce((sum, row) => sum + Number(row[difference]), 0)).toBeCloseTo(-total, 6);
  await shops.first().getByRole("button").click();
  await expect(card("By item").getByRole("listitem")).toHaveCount(items, long);
  await data(page.request, "delete", path);
});
