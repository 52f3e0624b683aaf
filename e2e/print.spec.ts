import { expect, test } from "./signed-in.ts";

test("prints panels below the screen without scrolling to them", async ({
  page,
  demo: { project, scenarios },
}) => {
  await page.setViewportSize({ width: 1_024, height: 500 });
  await page.goto(`/projects/${project.id}/scenarios/${scenarios[0]!.id}`);
  const effects = page.getByRole("list", { name: "Effect of each input" });
  await expect(effects).toBeAttached({ timeout: 30_000 });
  await expect(effects).not.toBeInViewport();

  // Other tests create scenarios that predict the same as others.
  const ids = ["Expected fortnight", "Five degrees warmer"].map(
    (title) => scenarios.find((scenario) => scenario.title === title)!.id,
  );
  await page.goto(`/projects/${project.id}/scenarios/compare?ids=${ids.join(",")}`);
  const parts = page.getByRole("figure", { name: /^Contributions at each point/ });
  await expect(parts.locator("svg")).toBeAttached({ timeout: 30_000 });
  await expect(parts).not.toBeInViewport();
  await page.emulateMedia({ media: "print" });
  await expect(page.locator(".animate-pulse")).toHaveCount(0);
  expect((await page.pdf()).length).toBeGreaterThan(10_000);
});
