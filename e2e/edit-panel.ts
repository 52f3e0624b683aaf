import { expect, type Page } from "@playwright/test";

/** Input of the demo that its upstream project predicts, and its name on pages. */
export const upstream = { feature: "forecast_temperature", name: "Forecast temperature" };

/** Opens the panel on a scenario, and waits for its first preview. `slider` and `field` change the upstream input. */
export async function openPanel(page: Page, address: string) {
  await page.goto(address);
  await page.getByRole("button", { name: "Edit inputs" }).click();
  const panel = page.getByRole("region", { name: "Edit inputs" });
  const sum = panel.getByRole("row", { name: /^Sum/ });
  await expect(sum.getByRole("cell").nth(1)).toHaveText((await sum.getByRole("cell").nth(0).textContent())!);
  return {
    panel,
    edited: sum.getByRole("cell").nth(1),
    slider: panel.getByRole("slider", { name: `Change of ${upstream.name}` }),
    field: panel.getByLabel(`Change of ${upstream.name} in per cent`),
  };
}
