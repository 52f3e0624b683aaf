import type { SavedComparison } from "#lib/contract/saved-comparisons";
import { inspect } from "./inspect.ts";
import { copied, data, expect, signedOut, test, unique } from "./signed-in.ts";

test("somebody without an account sees a shared comparison until the link is revoked", async ({
  page,
  browser,
  demo,
}) => {
  const name = unique("For the board");
  const scenarioIds = demo.scenarios.slice(0, 2).map(({ id }) => id);
  const path = `/projects/${demo.project.id}/comparisons`;
  const { id } = await data<SavedComparison>(page.request, "post", path, { name, scenarioIds });
  await page.goto(`/projects/${demo.project.id}/scenarios/compare`);
  await page.getByRole("button", { name: "Saved comparisons" }).click();
  await page.getByRole("button", { name: `Share ${name}` }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Create link" }).click();
  await dialog.getByRole("button", { name: "Copy link" }).click();
  const link = await copied(page);

  const context = await browser.newContext({ storageState: signedOut });
  const reader = await context.newPage();
  await reader.goto(link);
  await expect(reader.getByRole("heading", { name })).toBeVisible();
  await expect(reader.getByRole("slider").first()).toBeVisible();
  expect(await inspect(reader, "shared comparison")).toEqual([]);
  const answer = await reader.request.get(new URL("/shared", link).href);
  expect(answer.headers()["x-robots-tag"]).toBe("noindex");

  await dialog.getByRole("button", { name: "Revoke" }).click();
  await expect(page.getByText("The link was revoked.")).toBeVisible();
  await reader.reload();
  await expect(reader.getByText("This link shows nothing any more")).toBeVisible();
  await context.close();
  await data(page.request, "delete", `${path}/${id}`);
});
