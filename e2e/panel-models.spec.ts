import type { Project } from "#lib/contract/projects";
import type { PredictionChart } from "#lib/contract/scenario-series";
import type { Scenario } from "#lib/contract/scenarios";
import { findings } from "./axe.ts";
import { finish } from "./jobs.ts";
import { data, expect, test, unique } from "./signed-in.ts";
import { takePictures } from "./take-pictures.ts";

/** Days of the first training, and days that arrive later. */
const DAYS = 120;
const NEW_DAYS = 10;

const dayOf = (at: number) => new Date(Date.UTC(2025, 0, 1 + at)).toISOString().slice(0, 10);
/** Daily sales of three stores with two items, whose prices change and which have promotions. */
function csv(from: number, to: number): string {
  const rows = Array.from({ length: 6 }, (_, series) =>
    Array.from({ length: to - from }, (_, i) => {
      const at = from + i;
      const [store, item] = ["ABC"[series >> 1], 1 + (series & 1)];
      const [promo, price] = [(at + series) % 9 === 0 ? 1 : 0, 5 + (((at >> 4) + series) % 3)];
      const noise = ((at * 7919 + series * 104_729) % 101) / 25;
      const sales = (40 + 15 * series + (at % 7 < 2 ? 12 : 0) - 3 * price) * (promo ? 1.4 : 1) + noise;
      return [
        dayOf(at),
        store,
        item,
        store === "C" ? "north" : "south",
        price,
        promo,
        sales.toFixed(3),
      ].join();
    }),
  );
  return `date,store,item,region,price,promo,sales\n${rows.flat().join("\n")}\n`;
}
const base64 = (text: string) => Buffer.from(text).toString("base64");

test("measures a model of many series on newer rows, and weighs means by an input", async ({ page }) => {
  const { request } = page;
  const { id } = await data<Project>(request, "post", "/projects", { name: unique("Stores") });
  const path = `/projects/${id}`;
  await data(request, "put", `${path}/dataset`, {
    fileData: base64(csv(0, DAYS)),
    fileName: "sales.csv",
    target: "sales",
    timestamp: "date",
    series: ["store", "item"],
  });
  await finish(request, `${path}/models/train`, {});
  const endDate = dayOf(DAYS + 13);
  await finish(request, `${path}/scenarios`, { title: "Plan", endDate });
  const [scenario] = await data<Scenario[]>(request, "get", `${path}/scenarios`);
  await data(request, "post", `${path}/dataset/rows`, { fileData: base64(csv(DAYS, DAYS + NEW_DAYS)) });

  const main = page.getByRole("main");
  await page.goto(`${path}/model`);
  const record = main.locator("section", { has: page.getByRole("heading", { name: /^Accuracy of/ }) });
  await expect(record).toContainText("60 actuals");
  await expect(record).toContainText("Each actual is of one of 6 series.");
  await finish(request, `${path}/models/train`, {});
  await page.reload();
  const changes = main.locator("section", { has: page.getByRole("heading", { name: /^Changes since/ }) });
  await expect(changes).toContainText(/On \d+ rows of 6 series that neither model was trained on/);
  expect(await findings(page)).toEqual([]);
  await takePictures(page, "panel-record");

  await page.goto(`${path}/scenarios/${scenario!.id}`);
  await expect(
    main.getByText(/A newer model exists \(RMSE [\d.,]+ → [\d.,]+ on the same rows\)\./),
  ).toBeVisible();
  const card = main.locator("section", { has: page.getByRole("heading", { name: /^By / }) }).first();
  await card.scrollIntoViewIfNeeded();
  await card.getByRole("button", { name: "Means" }).click();
  const weight = card.getByLabel("Weight of each series");
  await expect(weight.getByRole("option")).toHaveText(["Equal weights", "By price", "By promo"]);
  await weight.selectOption("price");
  await expect(page).toHaveURL(/weight=price/);
  await page.goto(page.url());
  await card.scrollIntoViewIfNeeded();
  await expect(weight).toHaveValue("price");
  await page.reload();
  await card.scrollIntoViewIfNeeded();
  await expect(weight).toHaveValue("price");
  await expect(card).toContainText("Means of the series, weighted by price, by region");
  const query = "predictions?maxPoints=2&by=region&combine=mean&weight=price";
  const chart = await data<PredictionChart>(request, "get", `${path}/scenarios/${scenario!.id}/${query}`);
  const total = chart.groups![0]!.series[0]!.total!;
  await expect(card.getByRole("listitem").first()).toContainText(Math.round(total).toLocaleString("en"));
  expect(await findings(page)).toEqual([]);
  await takePictures(page, "weighted-means");
  await card.getByRole("button", { name: "Totals" }).click();
  await expect(weight).toHaveCount(0);
  await expect(page).not.toHaveURL(/weight/);
});
