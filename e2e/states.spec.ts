import type { Project } from "#lib/contract/projects";
import { data, expect, test } from "./signed-in.ts";

const refusal = {
  success: false,
  error: { code: "forbidden", message: "Not now, says this test.", requestId: "told-by-a-test" },
};

test("what cannot be loaded says why and under which id, and comes with another try", async ({
  page,
  demo,
}) => {
  const { project, scenarios } = demo;
  const at = `/projects/${project.id}`;
  const pages: [address: string, then: string | RegExp][] = [
    [`${at}/data`, "Replace"],
    [`${at}/model`, "Train again"],
    [`${at}/settings`, "Actions for"],
    [`${at}/scenarios/${scenarios[0]!.id}`, "Adjust a copy"],
    ["/audit", /\S/],
  ];
  for (const [address, then] of pages) {
    await page.route("**/api/v1/**", (route) => route.fulfill({ status: 403, json: refusal }));
    await page.goto(address);
    const alerts = page.getByRole("alert").filter({ hasText: "This could not be loaded" });
    await expect(alerts.first()).toContainText("Not now, says this test.");
    await expect(alerts.first()).toContainText("Request told-by-a-test");
    await expect(page.getByRole("status", { name: "Loading" })).toHaveCount(0, { timeout: 60_000 });
    await page.unroute("**/api/v1/**");
    // The page asks again by itself too, now and then: a button may go before it is pressed.
    await expect(async () => {
      const again = alerts.getByRole("button", { name: "Try again" });
      if ((await again.count()) > 0) await again.first().click({ timeout: 2_000 });
      await expect(alerts).toHaveCount(0, { timeout: 2_000 });
    }).toPass();
    await expect(
      page
        .getByRole("main")
        .getByRole("button", { name: then })
        .or(page.getByRole("cell", { name: then }))
        .first(),
      address,
    ).toBeVisible();
  }
});

test("lists are there before any script runs", async ({ page, demo }) => {
  const { project, scenarios } = demo;
  const shown: [address: string, text: string][] = [
    ["/projects", project.name],
    [`/projects/${project.id}/scenarios`, scenarios[0]!.title],
    [`/projects/${project.id}/checkpoints`, scenarios[0]!.checkpointLabel!],
    [`/projects/${project.id}/jobs`, "Run scenario"],
  ];
  for (const [address, text] of shown) {
    const html = (await (await page.request.get(address)).text()).replaceAll(/<script.*?<\/script>/gs, "");
    expect(html, address).toContain(text);
    expect(html, address).not.toContain('aria-label="Loading"');
  }
});

test("an empty project leads on, page by page", async ({ page }) => {
  const project = await data<Project>(page.request, "post", "/projects", { name: "Empty" });
  const at = `/projects/${project.id}`;
  const pages: [address: string, title: string, next: string][] = [
    [`${at}/data`, "Upload the first dataset", "Choose a CSV file"],
    [`${at}/model`, "Nothing to learn from yet", "Upload a dataset"],
    [`${at}/checkpoints`, "No checkpoints yet", "Train a model"],
    [`${at}/scenarios`, "No scenarios yet", "New scenario"],
    [`${at}/jobs`, "No jobs yet", "New scenario"],
    [`${at}/settings`, "No keys yet", "Create the first key"],
  ];
  for (const [address, title, next] of pages) {
    await page.goto(address);
    await expect(page.getByRole("heading", { name: title }), address).toBeVisible({ timeout: 60_000 });
    const step = page.getByRole("main");
    await expect(
      step
        .getByRole("button", { name: next })
        .or(step.getByRole("link", { name: next }))
        .or(step.getByLabel(next))
        .first(),
      address,
    ).toBeVisible();
  }
  await page.goto(`/projects/00000000-0000-7000-8000-000000000000/scenarios`);
  await expect(page.getByRole("heading", { name: "There is no such project" })).toBeVisible();
  await expect(page.getByRole("link", { name: "All projects" }).last()).toBeVisible();
  await data(page.request, "delete", at);
});
