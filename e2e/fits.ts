import { expect, type Page } from "@playwright/test";

/** Windows of 1280 × 800 at 200 % zoom, and of the narrowest phone. */
export const smallWindows = [
  { width: 640, height: 400 },
  { width: 360, height: 740 },
];

/**
 * Hides the page behind a dialog while `check` runs, because each resize and each theme would lay it out again, and axe
 * would read it. Keeps it behind a menu, whose place depends on its button.
 */
export async function withoutPage<T>(page: Page, check: () => Promise<T>): Promise<T> {
  const setDisplay = (value: string) =>
    page.evaluate((display) => {
      if (document.querySelector("[data-radix-popper-content-wrapper]")) return;
      for (const part of document.querySelectorAll<HTMLElement>(
        "body > :not(:has([role=dialog]), [role=dialog])",
      ))
        part.style.display = display;
    }, value);
  await setDisplay("none");
  const result = await check();
  await setDisplay("");
  return result;
}

/** Resizes the window to each size, and checks that the page or its dialog fits. */
export async function expectToFit(
  page: Page,
  name: string,
  sizes: readonly { width: number; height: number }[],
): Promise<void> {
  for (const size of sizes) {
    await page.setViewportSize(size);
    // The header lies on the content of a scrolled page.
    await page.evaluate(() => scrollTo(0, 0));
    // Charts measure their size again.
    await expect.poll(() => misfits(page), `${name} at ${size.width}`).toEqual([]);
  }
}

/**
 * Returns layout problems, one line each: horizontal overflow, text cut off without an ellipsis, shortened text without
 * a title that holds all of it, overlapping controls and headings.
 */
export function misfits(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const issues: string[] = [];
    const root = document.documentElement;
    const nameOf = (element: Element) =>
      `${element.tagName.toLowerCase()} “${(element.getAttribute("aria-label") ?? element.textContent ?? "").trim().slice(0, 40)}”`;
    const report = (element: Element, issue: string) => issues.push(`${nameOf(element)} ${issue}`);
    if (root.scrollWidth > root.clientWidth) {
      issues.push(`the page is too wide by ${root.scrollWidth - root.clientWidth}`);
    }
    const layers = [...document.querySelectorAll("[role=dialog], [role=menu]")];
    for (const layer of layers) {
      const { left, right, top, bottom } = layer.getBoundingClientRect();
      if (left < 0 || right > innerWidth || top < 0 || bottom > innerHeight) report(layer, "is cut off");
    }
    const seen = (element: Element) =>
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    const hasText = (element: Element) =>
      [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim());
    const within = layers.length > 0 ? layers : [document.body];
    const elements = within.flatMap((layer) => [...layer.querySelectorAll("*")]).filter(seen);
    for (const element of elements) {
      const { overflowX, textOverflow, webkitLineClamp } = getComputedStyle(element);
      const { clientWidth, scrollWidth, clientHeight, scrollHeight } = element;
      const isClamped = webkitLineClamp !== "none" && scrollHeight > clientHeight + 1;
      if (isClamped && !element.closest("[title]")) report(element, "is shortened and has no title");
      if (scrollWidth <= clientWidth + 1 || clientWidth <= 1) continue;
      // Tables scroll in keyboard-accessible frames.
      const scrolls = /^(auto|scroll)$/.test(overflowX);
      if (scrolls && layers.length > 0 && !element.matches("[tabindex], pre, textarea"))
        report(element, "scrolls");
      const isShortened = textOverflow === "ellipsis" && overflowX !== "visible";
      // A native select shows the whole text when it opens.
      if (isShortened && !element.matches("select, option") && !element.closest("[title]"))
        report(element, "is shortened and has no title");
      const clips = /^(hidden|clip)$/.test(overflowX) && textOverflow !== "ellipsis";
      if (hasText(element) && (clips || element.matches("button, a"))) report(element, "is cut off");
    }
    /** Returns the part of an element that its scroll frames show. */
    const shown = (element: Element): DOMRect => {
      let { left, top, right, bottom } = element.getBoundingClientRect();
      for (let frame = element.parentElement; frame && frame !== document.body; frame = frame.parentElement) {
        if (getComputedStyle(frame).overflow === "visible") continue;
        const box = frame.getBoundingClientRect();
        left = Math.max(left, box.left);
        top = Math.max(top, box.top);
        right = Math.min(right, box.right);
        bottom = Math.min(bottom, box.bottom);
      }
      return new DOMRect(left, top, Math.max(0, right - left), Math.max(0, bottom - top));
    };
    /** Returns whether an element stays in sight while its row scrolls below it. */
    const isPinned = (element: Element) =>
      getComputedStyle(element.closest("td") ?? element).position === "sticky";
    const controls = elements
      .filter((element) =>
        element.matches("a, button, input, select, textarea, h1, h2, h3, dt, dd, [role=tab]"),
      )
      .map((element) => ({ element, box: shown(element) }))
      .filter(({ box }) => box.width > 1 && box.height > 1)
      .sort((a, b) => a.box.top - b.box.top);
    for (const [index, { element, box }] of controls.entries()) {
      for (const other of controls.slice(index + 1)) {
        if (other.box.top >= box.bottom - 2) break;
        if (element.contains(other.element) || other.element.contains(element)) continue;
        if (isPinned(element) !== isPinned(other.element)) continue;
        const wide = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
        const high = Math.min(box.bottom, other.box.bottom) - other.box.top;
        if (wide > 2 && high > 2) report(element, `lies on ${nameOf(other.element)}`);
      }
    }
    return issues;
  });
}
