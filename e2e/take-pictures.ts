import type { Page } from "@playwright/test";

/**
 * Saves pictures of the whole page in both themes and at three widths, if `SCREENSHOTS` names a folder for them.
 *
 * @param name beginning of the file names
 */
export async function takePictures(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (folder === undefined) return;
  for (const scheme of ["light", "dark"] as const)
    for (const width of [390, 1024, 1440]) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.setViewportSize({ width, height: 900 });
      await page.evaluate(() => {
        scrollTo(0, 0);
        return new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
      });
      await page.screenshot({ path: `${folder}/${name}-${scheme}-${width}.png`, fullPage: true });
    }
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: 1280, height: 720 });
}
