import { openPanel } from "./edit-panel.ts";
import { finish } from "./jobs.ts";
import { data, expect, test } from "./signed-in.ts";

test("resets one change after another of the same input", async ({ page, demo: { project, scenarios } }) => {
  const { id, lastTimestamp } = scenarios[0]!;
  const { panel, field } = await openPanel(page, `/projects/${project.id}/scenarios/${id}`);
  const changes = panel.getByRole("listitem");
  const reset = panel.getByRole("button", { name: /^Reset / });
  await field.fill("25");
  await panel.getByLabel("From").fill(lastTimestamp!.slice(0, 10));
  await field.fill("50");
  await expect(changes).toHaveCount(2);
  await reset.click();
  await expect(changes).toHaveCount(1);
  await panel.getByRole("button", { name: "Whole scenario" }).click();
  await reset.click();
  await expect(reset).toHaveCount(0);
  await expect(changes).toHaveCount(0);
});

test("keeps unsaved edits when the scenario cannot be read again", async ({
  page,
  demo: { project, scenarios },
}) => {
  const { id, checkpointId, dependentProjectCheckpoints } = scenarios[0]!;
  const list = `/projects/${project.id}/scenarios`;
  const { slider, field } = await openPanel(page, `${list}/${id}`);
  await field.fill("25");
  await expect(slider).toHaveValue("25");
  const read = (status: number) =>
    page.waitForResponse((response) => response.url().endsWith(id) && response.status() === status);
  // The end of a job and a deletion make the page read again.
  const body = { title: "Beside the edits", baseScenarioId: id, checkpointId, dependentProjectCheckpoints };
  const rejected = read(403);
  let fails = true;
  await page.route(`**/api/v1${list}/${id}`, (route) =>
    fails ? route.fulfill({ status: 403, json: {} }) : route.continue(),
  );
  const { scenarioId } = await finish<{ scenarioId: string }>(page.request, list, body);
  await rejected;
  // The wait begins first, so that it misses no read.
  const succeeded = read(200);
  fails = false;
  await data(page.request, "delete", `${list}/${scenarioId}`);
  await succeeded;
  await expect(slider).toHaveValue("25");
});

test("asks before unsaved edits are left, and keeps them on request", async ({
  page,
  demo: { project, scenarios },
}) => {
  const list = `/projects/${project.id}/scenarios`;
  await page.goto(list);
  // Saved edits can have the same title.
  await page.locator(`a[href$="${scenarios[0]!.id}"]`).first().click();
  await page.getByRole("button", { name: "Edit inputs" }).click();
  const panel = page.getByRole("region", { name: "Edit inputs" });
  await panel.getByRole("slider").first().press("ArrowRight");
  await expect(panel.getByRole("listitem")).toHaveCount(1);
  const question = page.getByRole("dialog", { name: "Discard your changes?" });

  await page.getByRole("link", { name: "Model", exact: true }).click();
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect(panel.getByRole("listitem")).toHaveCount(1);
  await panel.getByRole("button", { name: "Close" }).click();
  await question.getByRole("button", { name: "Cancel" }).click();
  await page.keyboard.press("Control+k");
  await page.getByRole("option", { name: "Checkpoints" }).first().click();
  await question.getByRole("button", { name: "Cancel" }).click();
  await page.evaluate(() => history.back());
  await question.getByRole("button", { name: "Discard" }).click();
  await expect(page).toHaveURL(new RegExp(`${list}$`));
});
