import type { ScenarioOverride } from "#lib/contract/overrides";
import type { Project } from "#lib/contract/projects";
import type { Scenario } from "#lib/contract/scenarios";
import { dailyDemand } from "#testing/sample-series";
import { findings } from "./axe.ts";
import { finish } from "./jobs.ts";
import { data, expect, test, unique } from "./signed-in.ts";
import { takePictures } from "./take-pictures.ts";

test("an analyst overrides a week, sees it in chart, rows and outlook, and removes it", async ({ page }) => {
  const { id } = await data<Project>(page.request, "post", "/projects", { name: unique("Overrides") });
  const path = `/projects/${id}`;
  await data(page.request, "put", `${path}/dataset`, {
    fileData: Buffer.from(dailyDemand(200)).toString("base64"),
    target: "demand",
    timestamp: "date",
  });
  await finish(page.request, `${path}/models/train`, {
    algorithm: "ridge",
    features: { lags: [] },
    horizon: 28,
  });
  await finish(page.request, `${path}/scenarios`, { title: "Plan", endDate: "2023-08-18" });
  const [scenario] = await data<Scenario[]>(page.request, "get", `${path}/scenarios`);
  await page.goto(`${path}/scenarios/${scenario!.id}`);
  const card = (name: string) =>
    page.locator("section", { has: page.getByRole("heading", { name, exact: true }) });
  await expect(card("Overrides")).toContainText("if you know better than the model");
  await expect(card("Outlook").getByRole("row")).toHaveCount(3);
  const before = await card("Outlook")
    .getByRole("row", { name: /Jul 2023/ })
    .textContent();

  await card("Overrides").getByRole("button", { name: "Add override" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("From").fill("2023-07-24");
  await dialog.getByLabel("To", { exact: true }).fill("2023-07-30");
  await dialog.getByRole("button", { name: "Add override" }).click();
  await expect(dialog).toContainText("Enter a number");
  await dialog.getByLabel("Value").fill("500");
  await dialog.getByLabel("Reason").fill("Fair in town");
  await takePictures(page, "override-dialog");
  expect(await findings(page, { within: "[role=dialog]" })).toEqual([]);
  await dialog.getByRole("button", { name: "Add override" }).click();
  await expect(dialog).toBeHidden();

  const row = card("Overrides").getByRole("row", { name: /Fair in town/ });
  await expect(row).toContainText("24 Jul 2023 – 30 Jul 2023");
  await expect(row).toContainText("Set to 500");
  await expect(card("Rows").getByRole("row", { name: /500.* \(override; calculated/ })).toHaveCount(6);
  await expect(card("Outlook").getByRole("row", { name: /Jul 2023/ })).not.toHaveText(before!);
  await expect(page.locator("canvas[data-lines]").first()).toHaveAttribute("data-lines", "3");
  await takePictures(page, "overridden");
  for (const scheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    expect(await findings(page)).toEqual([]);
  }

  await card("Overrides").getByRole("button", { name: "Add override" }).click();
  await dialog.getByLabel("Change").selectOption("percent");
  await dialog.getByLabel("Per cent").fill("10");
  await dialog.getByLabel("Reason").fill("School holidays");
  await dialog.getByRole("button", { name: "Add override" }).click();
  await expect(card("Overrides")).toContainText("+10 %");
  const stored = await data<ScenarioOverride[]>(
    page.request,
    "get",
    `${path}/scenarios/${scenario!.id}/overrides`,
  );
  expect(stored.map(({ operation, value }) => [operation, value])).toEqual([
    ["set", 500],
    ["multiply", 1.1],
  ]);

  for (const _ of stored) {
    await card("Overrides")
      .getByRole("button", { name: /^Remove the override/ })
      .first()
      .click();
    await expect(page.getByText("The override was removed.").last()).toBeVisible();
  }
  await expect(card("Overrides").getByRole("row")).toHaveCount(0);
  await expect(card("Outlook").getByRole("row", { name: /Jul 2023/ })).toHaveText(before!);
  await card("Outlook").getByRole("button", { name: "Years" }).click();
  await expect(card("Outlook").getByRole("row", { name: /2023/ })).toHaveCount(1);
});
