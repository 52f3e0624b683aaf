import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";

const usualPlaces = [
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
    console.log("There is no Chromium: installing Debian's (apt-get install chromium)");
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    for (const args of [["update"], ["install", "-y", "--no-install-recommends", "chromium"]]) {
      spawnSync("apt-get", args, { stdio: ["ignore", "inherit", "inherit"], env });
    }
  }
  const installed = findChromium();
  if (installed !== null) return installed;
  throw new Error(
    "There is no Chromium for the browser tests: install one (npx playwright install chromium, or your system's package), or set CHROMIUM_PATH to its program.",
  );
}
