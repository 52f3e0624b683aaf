import type { Model } from "#lib/contract/models";
import type { Project } from "#lib/contract/projects";
import { seededRandom } from "#lib/engine/learners/seeded-random";
import { inspect } from "./inspect.ts";
import { data, expect, test, unique } from "./signed-in.ts";

/** Customers: those with expensive plans and few years leave more often. */
function customers(): string {
  const random = seededRandom(5);
  const lines = Array.from({ length: 400 }, () => {
    const [price, years] = [10 + random.below(40), random.below(10)];
    const leaves = random.next() < 1 / (1 + Math.exp(-(0.15 * price - 0.8 * years)));
    return [price, years, leaves ? "yes" : "no"].join();
  });
  return `price,years,leaves\n${lines.join("\n")}\n`;
}

test("trains on a target of yes and no, and shows reliability and a threshold", async ({ page }) => {
  test.setTimeout(240_000);
  const project = await data<Project>(page.request, "post", "/projects", { name: unique("Customers") });
  await page.goto(`/projects/${project.id}/data`);
  await page
    .getByLabel("Choose a CSV or Excel file")
    .setInputFiles({ name: "customers.csv", mimeType: "text/csv", buffer: Buffer.from(customers()) });
  await page.getByLabel("Target").selectOption("leaves");
  await page.getByRole("button", { name: "Save dataset" }).click();
  await page.getByRole("link", { name: "Train a model" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Target metric").selectOption("brier");
  await dialog.getByLabel("Algorithm").selectOption({ label: "Logistic regression" });
  await dialog.getByRole("button", { name: "Start training" }).click();
  await expect(page.getByRole("heading", { name: "Reliability and threshold" })).toBeVisible({
    timeout: 120_000,
  });
  await expect(page.getByText("less error than the base rate")).toBeVisible();
  await expect(page.getByText("= yes, as a probability").first()).toBeVisible();

  const model = await data<Model>(page.request, "get", `/projects/${project.id}/models/current`);
  const { thresholds } = model.classification!;
  const table = page.getByRole("table", { name: "Validation rows by class" });
  const hits = table.getByRole("row").nth(2).getByRole("cell").nth(2);
  await expect(hits).toHaveText(String(thresholds[49]!.truePositives));
  await page.getByRole("slider", { name: "Threshold" }).fill("19");
  await expect(page.getByText("From a probability of 20 % on, a row counts as yes.")).toBeVisible();
  await expect(hits).toHaveText(String(thresholds[19]!.truePositives));
  expect(await inspect(page, "model of classes", { within: "main" })).toEqual([]);
});

test("names a target of three classes before the file is sent", async ({ page }) => {
  const project = await data<Project>(page.request, "post", "/projects", { name: unique("Kinds") });
  await page.goto(`/projects/${project.id}/data`);
  const rows = Array.from({ length: 12 }, (_, row) => `${row},${["a", "b", "c"][row % 3]}`).join("\n");
  await page.getByLabel("Choose a CSV or Excel file").setInputFiles({
    name: "kinds.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(`size,kind\n${rows}\n`),
  });
  const target = page.getByLabel("Target");
  await target.selectOption("kind");
  await expect(target).toHaveAccessibleDescription(
    /its column holds texts of 3 classes\. Create one project/,
  );
  await page.getByRole("button", { name: "Save dataset" }).click();
  await expect(target).toBeFocused();
  await target.selectOption("size");
  await expect(target).toHaveAccessibleDescription(/^Column to predict/);
});
