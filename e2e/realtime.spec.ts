import { expect, test } from "./signed-in.ts";

test("a checkpoint made over the API appears in the open page without a reload", async ({ page, demo }) => {
  await page.goto(`/projects/${demo.project.id}/checkpoints`);
  await expect(page.getByRole("button", { name: "Live" })).toBeVisible();
  await page.evaluate(() => {
    (window as { untouched?: boolean }).untouched = true;
  });

  const response = await page.request.post(`/api/v1/projects/${demo.project.id}/checkpoints`, {
    headers: { origin: process.env.E2E_BASE_URL! },
    data: { label: "Made over the API" },
  });
  expect(response.status()).toBe(202);
  await expect(page.getByRole("cell", { name: "Made over the API", exact: true })).toBeVisible({
    timeout: 30_000,
  });
  expect(await page.evaluate(() => (window as { untouched?: boolean }).untouched)).toBe(true);
});

test("without the channel the page polls, says so, and ends up the same", async ({ page, demo }) => {
  await page.route("**/api/v1/realtime**", (route) => route.abort());
  await page.goto(`/projects/${demo.project.id}/checkpoints`);
  await expect(page.getByRole("button", { name: "Polling" })).toBeVisible();
  const response = await page.request.post(`/api/v1/projects/${demo.project.id}/checkpoints`, {
    headers: { origin: process.env.E2E_BASE_URL! },
    data: { label: "Found by polling" },
  });
  expect(response.status()).toBe(202);
  await expect(page.getByRole("cell", { name: "Found by polling", exact: true })).toBeVisible({
    timeout: 30_000,
  });
});
