import { readFile } from "node:fs/promises";
import type { Locator, Page } from "@playwright/test";
import { readWorkbook } from "#lib/engine/workbooks/read-workbook";

/** A planner whose clicks and choices count. Typed text and Enter do not. */
export class Planner {
  clicks = 0;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  async click(target: Locator): Promise<void> {
    this.clicks++;
    await target.click();
  }

  async choose(field: Locator, option: string): Promise<void> {
    this.clicks++;
    await field.selectOption(option);
  }

  async pickFile(field: Locator, name: string, text: string): Promise<void> {
    this.clicks++;
    await field.setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(text) });
  }

  /** Goes back by the button of the browser. */
  async back(): Promise<void> {
    this.clicks++;
    await this.#page.goBack();
  }
}

/** Downloads a workbook by a click, and returns a function that reads one of its sheets. */
export async function workbookOf(page: Page, click: () => Promise<void>) {
  const [download] = await Promise.all([page.waitForEvent("download"), click()]);
  const bytes = await readFile(await download.path());
  return (sheet: string): string[][] =>
    [...readWorkbook(bytes, sheet)].flatMap(({ rows }) => rows.map((row) => [...row]));
}

/** Whether a text shows the value among its numbers, rounded to the digits that it shows. */
export const shows = (text: string, value: number): boolean =>
  (text.match(/[−-]?[\d,]+(\.\d+)?/g) ?? []).some((part) => {
    const plain = part.replaceAll(",", "").replace("−", "-");
    return plain === value.toFixed(plain.split(".")[1]?.length ?? 0);
  });
