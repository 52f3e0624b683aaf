import { expect, test } from "vitest";
import { deviceText } from "./device-text.ts";

const webkit = "AppleWebKit/537.36 (KHTML, like Gecko)";

test.each([
  [`Mozilla/5.0 (X11; Linux x86_64) ${webkit} Chrome/142.0.0.0 Safari/537.36`, "Chrome on Linux"],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/142.0.0.0 Safari/537.36 Edg/142.0`,
    "Edge on Windows",
  ],
  ["Mozilla/5.0 (Windows NT 10.0; rv:145.0) Gecko/20100101 Firefox/145.0", "Firefox on Windows"],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1",
    "Safari on iPhone",
  ],
  [`Mozilla/5.0 (Linux; Android 15) ${webkit} Chrome/142.0.0.0 Mobile Safari/537.36`, "Chrome on Android"],
  ["Mozilla/5.0 (Macintosh; Intel Mac OS X 14_0) AppleWebKit/605.1.15 Safari/605.1.15", "Safari on macOS"],
  [`Mozilla/5.0 (X11; Linux x86_64) ${webkit} HeadlessChrome/142.0.0.0 Safari/537.36`, "Chrome on Linux"],
  ["curl/8.5.0", "curl/8.5.0"],
  ["python-requests/2.32 extra", "python-requests/2.32"],
  ["", "Unknown device"],
  [null, "Unknown device"],
])("names the device of %j", (userAgent, text) => {
  expect(deviceText(userAgent)).toBe(text);
});
