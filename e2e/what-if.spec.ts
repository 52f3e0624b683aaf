import type { Response } from "@playwright/test";
import type { PreviewRequest, ScenarioPreview } from "#lib/contract/scenario-preview";
import type { PredictionChart } from "#lib/contract/scenario-series";
import type { Scenario } from "#lib/contract/scenarios";
import { openPanel, upstream } from "./edit-panel.ts";
import { inspect } from "./inspect.ts";
import { copied, data, expect, test } from "./signed-in.ts";

function isPreview(response: Response, steps: number): boolean {
  if (!response.url().endsWith("/preview")) return false;
  const { adjustments, explain } = response.request().postDataJSON() as PreviewRequest;
  return adjustments.length === steps && !explain;
}

test("previews edited inputs, undoes and redoes them, and saves them as a scenario with equal predictions", async ({
  page,
  demo: { project, scenarios },
}) => {
  const base = scenarios[0]!;
  const { panel, edited, slider, field } = await openPanel(
    page,
    `/projects/${project.id}/scenarios/${base.id}`,
  );
  const before = (await edited.textContent())!;
  const previewed = page.waitForResponse((response) => isPreview(response, 1));
  await field.fill("25");
  await expect(slider).toHaveValue("25");
  await expect(edited).not.toHaveText(before);
  const changed = (await edited.textContent())!;
  const { data: preview } = (await (await previewed).json()) as { data: ScenarioPreview };
  await expect(panel.getByRole("listitem")).toHaveText([`${upstream.name} times 1.25`]);
  await expect(page.getByRole("figure").first().locator("canvas")).toHaveAttribute("data-lines", "3");

  await page.keyboard.press("Control+z");
  await expect(edited).toHaveText(before);
  await expect(field).toHaveValue("0");
  await page.keyboard.press("Control+Shift+z");
  await expect(edited).toHaveText(changed);
  await panel.getByRole("button", { name: "Undo" }).click();
  await expect(edited).toHaveText(before);
  await panel.getByRole("button", { name: "Redo" }).click();
  await expect(edited).toHaveText(changed);
  await expect(field).toHaveValue("25");

  await panel.getByRole("button", { name: "Save as scenario" }).click();
  const link = panel.getByRole("link", { name: "Open it" });
  const href = (await link.getAttribute("href"))!;
  const path = `/projects/${project.id}/scenarios/${href.split("/").at(-1)}`;
  await expect(async () => {
    expect((await data<Scenario>(page.request, "get", path)).status).toBe("Completed");
  }).toPass({ timeout: 60_000 });
  const saved = await data<Scenario>(page.request, "get", path);
  expect(saved).toMatchObject({ baseScenarioId: base.id, title: `${base.title}, ${upstream.name} +25 %` });
  expect(saved.adjustments).toMatchObject([
    { feature: upstream.feature, operation: "multiply", value: 1.25 },
  ]);
  expect(saved.summary).toEqual(preview.summary);
  const { values, lower, upper } = await data<PredictionChart>(
    page.request,
    "get",
    `${path}/predictions?maxPoints=1000&bucket=auto`,
  );
  expect({ values, lower, upper }).toEqual({
    values: preview.preview.values,
    lower: preview.preview.lower,
    upper: preview.preview.upper,
  });
  // Nothing is left to lose.
  await link.click();
  await expect(page.getByRole("heading", { name: saved.title })).toBeVisible();
});

test("edits a compared scenario beside the chart, explains the change, and adds it to the comparison", async ({
  page,
  demo: { project, scenarios },
}) => {
  const [first, second] = scenarios;
  const at = `/projects/${project.id}/scenarios`;
  await page.goto(`${at}/compare?ids=${first!.id},${second!.id}&baselineId=${first!.id}`);
  await page.getByRole("button", { name: "Edit inputs" }).click();
  const panel = page.getByRole("region", { name: "Edit inputs" });
  const edited = panel.getByLabel("Scenario to edit");
  const legend = ({ title }: Scenario) =>
    page.getByRole("button", { name: `${title}, edited`, exact: true }).last();
  await expect(edited).toHaveValue(first!.id);
  await panel.getByRole("slider", { name: `Change of ${upstream.name}` }).press("ArrowRight");
  const lines = page.getByRole("figure").first().locator("canvas");
  await expect(lines).toHaveAttribute("data-lines", "4");
  await expect(legend(first!)).toBeVisible();

  await edited.selectOption(second!.id);
  await page.getByRole("button", { name: "Discard" }).click();
  await expect(edited).toHaveValue(second!.id);
  await expect(lines).toHaveAttribute("data-lines", "3");
  await panel.getByRole("slider", { name: `Change of ${upstream.name}` }).press("ArrowRight");
  await panel.getByRole("slider", { name: "Change of Wind" }).press("ArrowLeft");
  await expect(legend(second!)).toBeVisible();
  const why = page.locator("section", {
    has: page.getByRole("heading", { name: "Why the prediction changes" }),
  });
  // Two inputs share the difference, which the panel states as well.
  const difference = panel.getByRole("row", { name: /^Sum/ }).getByRole("cell").last();
  const size = (await difference.textContent())!.replace(/^[+−]/, "");
  await expect(
    why.getByText(/^The edited prediction is .+ the saved prediction in total over/),
  ).toContainText(` ${size} `);

  await panel.getByRole("button", { name: "Save as scenario" }).click();
  await panel.getByRole("button", { name: "Copy link" }).click();
  await expect.poll(() => copied(page)).toMatch(/[?&]why=/);
  const link = new URL(await copied(page));
  const saved = link.searchParams.get("why")!;
  expect(link.searchParams.get("ids")).toBe([first!.id, second!.id, saved].join());
  expect(link.searchParams.get("baselineId")).toBe(first!.id);
  expect(await data<Scenario>(page.request, "get", `${at}/${saved}`)).toMatchObject({
    baseScenarioId: second!.id,
    adjustments: [
      { operation: "multiply", value: 1.01 },
      { operation: "multiply", value: 0.99 },
    ],
  });
});

test("follows edits while the service is silent, with the numbers of the service", async ({
  page,
  demo: { project, scenarios },
}) => {
  const path = `/projects/${project.id}/scenarios/${scenarios[0]!.id}`;
  const started = page.waitForEvent("worker");
  const { edited, slider } = await openPanel(page, path);
  const worker = await started;
  const { feature } = upstream;
  const chart = page.getByRole("figure").first().locator("canvas");
  const before = await chart.screenshot();
  const sum = (await edited.textContent())!;
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/preview", async (route) => {
    await released;
    await route.continue();
  });
  await slider.fill("25");
  await expect(chart).toHaveAttribute("data-lines", "3");
  await expect.poll(async () => (await chart.screenshot()).equals(before)).toBe(false);
  const live = await chart.screenshot();
  expect(await edited.textContent()).toBe(sum);
  release();
  await expect(edited).not.toHaveText(sum);
  expect((await chart.screenshot()).equals(live)).toBe(true);

  const options = { maxPoints: 1_000, levels: [0.5, 0.8], bucket: "auto" };
  const recipes = Array.from({ length: 25 }, (_, i) => [
    { feature, operation: i % 2 ? "multiply" : "add", value: (i * i - 200) / 30 },
  ]);
  const answers = await worker.evaluate(
    async (questions) => {
      const found: unknown[] = [];
      const post = self.postMessage;
      for (const data of questions) {
        const { promise, resolve } = Promise.withResolvers<{ preview: unknown }>();
        self.postMessage = resolve as typeof post;
        self.dispatchEvent(new MessageEvent("message", { data }));
        found.push((await promise).preview);
      }
      self.postMessage = post;
      return found;
    },
    recipes.map((adjustments) => ({ adjustments, options })),
  );
  for (const [at, adjustments] of recipes.entries()) {
    const { saved, ...wanted } = await data<ScenarioPreview>(page.request, "post", `${path}/preview`, {
      adjustments,
      ...options,
    });
    const { totalDifference, percentDifference, preview, timestamps, buckets } = wanted;
    expect(answers[at]).toEqual({
      totalDifference,
      percentDifference,
      preview,
      timestamps,
      saved: { values: saved.values },
      ...(buckets && { buckets }),
    });
  }
});

test("sets typed and pasted values, and changes the rows that meet a condition", async ({
  page,
  demo: { project, scenarios },
}) => {
  const path = `/projects/${project.id}/scenarios`;
  // Not one that another test has saved: pasting the values that it has would change nothing.
  const base = scenarios.find(({ source }) => source !== "Clone")!;
  const { panel, edited, slider } = await openPanel(page, `${path}/${base.id}`);
  const { feature } = upstream;
  const sum = (await edited.textContent())!;
  await panel.getByRole("button", { name: "Values", exact: true }).click();
  const rows = panel.getByRole("table", { name: "Values of the inputs" }).getByRole("row");
  const cell = (row: number) => rows.nth(row).getByLabel(upstream.name);
  // The number of digits depends on all values of the column.
  const numberIn = async (row: number) => Math.round(10 * Number(await cell(row).inputValue())) / 10;
  const before = await numberIn(4);
  await page.evaluate(() => navigator.clipboard.writeText("11\n12\n12\n"));
  await cell(1).focus();
  await page.keyboard.press("Control+v");
  for (const [row, value] of [11, 12, 12, before].entries())
    await expect.poll(() => numberIn(row + 1)).toBe(value);
  await expect(panel.getByRole("listitem")).toHaveCount(3);
  await expect(edited).not.toHaveText(sum);

  await cell(4).fill("13.5");
  await page.keyboard.press("Enter");
  await expect(cell(5)).toBeFocused();
  await page.keyboard.type("1,5");
  await page.keyboard.press("Enter");
  await expect(panel.getByRole("alert")).toHaveText(/: “1,5” is not a number such as 1234\.5\.$/);
  await expect(panel.getByRole("listitem")).toHaveCount(4);
  expect(await inspect(page, "values", { within: "section[aria-label='Edit inputs']" })).toEqual([]);
  await cell(4).fill("");
  await page.keyboard.press("ArrowUp");
  await expect.poll(() => numberIn(4)).toBe(before);
  await expect(panel.getByRole("listitem")).toHaveCount(3);
  await page.keyboard.press("Control+z");
  await expect(panel.getByRole("listitem")).toHaveCount(4);
  await panel.getByRole("button", { name: "Remove change 4" }).click();
  await expect.poll(() => numberIn(4)).toBe(before);

  await panel.getByRole("button", { name: "Changes", exact: true }).click();
  await panel.getByRole("button", { name: "Only where" }).click();
  await panel.getByLabel("Only where, 1").selectOption(feature);
  await panel.getByLabel("Comparison, 1").selectOption(">");
  await panel.getByLabel("Compared with, 1").fill("11,5");
  await expect(slider).toBeDisabled();
  await panel.getByLabel("Compared with, 1").fill("11.5");
  await slider.press("ArrowRight");
  await expect(panel.getByRole("listitem")).toHaveCount(4);
  await panel.getByRole("button", { name: "Save as scenario" }).click();
  const href = (await panel.getByRole("link", { name: "Open it" }).getAttribute("href"))!;
  const saved = await data<Scenario>(
    page.request,
    "get",
    `/projects/${project.id}/scenarios/${href.split("/").at(-1)}`,
  );
  expect(saved.adjustments).toMatchObject([
    { feature, operation: "set", value: 11 },
    { feature, operation: "set", value: 12 },
    { feature, operation: "set", value: 12 },
    { feature, operation: "multiply", value: 1.01, where: [{ feature, operator: ">", value: 11.5 }] },
  ]);
});

test("works by keyboard, fits every width and passes WCAG 2.2 AA", async ({
  page,
  demo: { project, scenarios },
}) => {
  await page.goto(`/projects/${project.id}/scenarios/${scenarios[0]!.id}`);
  await page.getByRole("button", { name: "Edit inputs" }).focus();
  await page.keyboard.press("Enter");
  const panel = page.getByRole("region", { name: "Edit inputs" });
  await expect(panel.getByRole("row", { name: /^Mean/ })).toBeVisible();
  await expect(panel).toBeFocused();
  const slider = panel.getByRole("slider").first();
  for (let tabs = 0; tabs < 20 && !(await slider.evaluate((one) => one === document.activeElement)); tabs++)
    await page.keyboard.press("Tab");
  await page.keyboard.press("ArrowLeft");
  await expect(panel.getByRole("listitem")).toHaveText([/ times 0.99$/]);
  expect(await inspect(page, "edit inputs", { within: "section[aria-label='Edit inputs']" })).toEqual([]);
  await page.keyboard.press("Control+z");
  await panel.getByRole("button", { name: "Close" }).press("Enter");
  await expect(page.getByRole("button", { name: "Edit inputs" })).toBeFocused();
});
