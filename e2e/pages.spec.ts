import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "./signed-in.ts";

const sections = ["data", "model", "checkpoints", "scenarios", "jobs", "settings"];
const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

for (const colorScheme of ["light", "dark"] as const) {
  test(`every page of a project loads without errors and passes WCAG 2.2 AA checks, ${colorScheme}`, async ({
    page,
    demo,
  }, info) => {
    const faults: string[] = [];
    page.on("pageerror", (error) => faults.push(String(error)));
    page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
    await page.emulateMedia({ colorScheme });
    const { project, scenarios } = demo;
    const ids = scenarios.slice(0, 3).map(({ id }) => id);
    const paths = [
      "/projects",
      ...sections.map((section) => `/projects/${project.id}/${section}`),
      `/projects/${project.id}/scenarios/${ids[0]}`,
      `/projects/${project.id}/scenarios/compare?ids=${ids.join(",")}&baselineId=${ids[0]}`,
      "/audit",
      "/docs",
    ];
    for (const path of paths) {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible();
      await expect(page.getByRole("status", { name: "Loading" })).toHaveCount(0);
      const { violations } = await new AxeBuilder({ page }).withTags(tags).analyze();
      expect(
        violations.map(({ id, nodes }) => `${path}: ${id} ${nodes.map(({ target }) => target).join(" ")}`),
      ).toEqual([]);
      const name = path.replaceAll("/", "_").slice(0, 80).replace(project.id, "project").replace(/\?.*/, "");
      await info.attach(name, { body: await page.screenshot({ fullPage: true }), contentType: "image/png" });
    }
    expect(faults).toEqual([]);
  });
}

test("nothing is cut off or scrolls sideways at 360 pixels", async ({ page, demo }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const paths = [...sections.map((section) => `/projects/${demo.project.id}/${section}`), "/audit"];
  for (const path of paths) {
    await page.goto(path);
    await expect(page.getByRole("status", { name: "Loading" })).toHaveCount(0);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow, path).toBeLessThanOrEqual(0);
  }
});
