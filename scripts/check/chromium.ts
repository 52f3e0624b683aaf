import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";

const usualPlaces = [
  // It has no windows and menus, so the same tests take a tenth less processor time.
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome-stable",
  "/usr/bin/google-chrome",
  "/snap/bin/chromium",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** Returns the path of `CHROMIUM_PATH`, of an installed Chromium, or of Playwright's download, else null. */
export function findChromium(): string | null {
  const configured = process.env.CHROMIUM_PATH;
  if (configured) return configured;
  return (
    [...usualPlaces, chromium.executablePath()].find((place) => place !== "" && existsSync(place)) ?? null
  );
}

/**
 * Returns the path of a Chromium for the browser tests. As root, installs Debian's if the machine has none.
 *
 * @throws {Error} with the ways to install one
 */
export function chromiumPath(): string {
  const executable = findChromium();
  if (executable !== null) return executable;
  if (process.getuid?.() === 0) {
    console.log("There is no Chromium: installing Debian's (apt-get install chromium-headless-shell)");
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    const succeeds = (...args: string[]) =>
      spawnSync("apt-get", args, { stdio: ["ignore", "inherit", "inherit"], env }).status === 0;
    const install = (name: string) => succeeds("install", "-y", "--no-install-recommends", name);
    succeeds("update");
    // Older releases have only the whole browser.
    if (!install("chromium-headless-shell")) install("chromium");
  }
  const installed = findChromium();
  if (installed !== null) return installed;
  throw new Error(
    "There is no Chromium for the browser tests: install one (npx playwright install chromium, or your system's package), or set CHROMIUM_PATH to its program.",
  );
}
