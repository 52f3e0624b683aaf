import { expect, type Page } from "@playwright/test";

/** Opens the panel on a scenario, and waits for its first preview. The last input is that of the upstream project. */
export async function openPanel(page: Page, address: string) {
  await page.goto(address);
  await page.getByRole("button", { name: "Edit inputs" }).click();
  const panel = page.getByRole("region", { name: "Edit inputs" });
  const sum = panel.getByRole("row", { name: /^Sum/ });
  await expect(sum.getByRole("cell").nth(1)).toHaveText((await sum.getByRole("cell").nth(0).textContent())!);
  return { panel, edited: sum.getByRole("cell").nth(1), slider: panel.getByRole("slider").last() };
}
