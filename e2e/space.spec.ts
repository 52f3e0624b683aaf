import type { Project } from "#lib/contract/projects";
import { inspect } from "./inspect.ts";
import { data, expect, test, unique } from "./signed-in.ts";

test("settings show the space in use and the open uploads, and delete one", async ({ page }) => {
  const project = await data<Project>(page.request, "post", "/projects", { name: unique("Space") });
  const path = `/projects/${project.id}`;
  await page.goto(`${path}/settings`);
  const card = page
    .locator("section")
    .filter({ has: page.getByRole("heading", { name: "Space", exact: true }) });
  await expect(card).toContainText("0 B of 20 GB in use");
  await expect(card).toContainText("None. Files that programs upload appear here until they are used.");
  for (const size of [1_500, 2_000_000]) {
    const answer = await page.request.post(`/api/v1${path}/uploads`, {
      headers: { "content-type": "application/octet-stream", origin: process.env.E2E_BASE_URL! },
      data: Buffer.alloc(size, "x"),
    });
    expect(answer.status()).toBe(201);
  }
  await page.reload();
  await expect(card).toContainText("2 MB of 20 GB in use");
  await expect(card).toContainText("2 of 100 · 2 MB of 10 GB · deleted after 24 hours");
  expect(await inspect(page, "space in settings")).toEqual([]);
  await card.getByRole("button", { name: "Delete 2 MB" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete this upload?" });
  await dialog.getByRole("button", { name: "Delete upload" }).click();
  await expect(card).toContainText("1.5 kB of 20 GB in use");
  await expect(card.getByRole("row")).toHaveCount(2);
});
