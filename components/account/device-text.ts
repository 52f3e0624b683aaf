/** Browsers, most specific first: Edge and Opera also name Chrome, and Chrome also names Safari. */
const browsers: [RegExp, string][] = [
  [/\bEdgA?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"],
  [/Chrome\/|\bCriOS\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];

/** Systems, most specific first: Android also names Linux, and iPhones also name Mac OS X. */
const systems: [RegExp, string][] = [
  [/\bAndroid\b/, "Android"],
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];

const nameIn = (text: string, names: readonly [RegExp, string][]) =>
  names.find(([pattern]) => pattern.test(text))?.[1];

/** Describes the device of a `User-Agent`: "Firefox on Windows". A program's name stays as it is. */
export function deviceText(userAgent: string | null): string {
  const text = userAgent ?? "";
  const [browser, system] = [nameIn(text, browsers), nameIn(text, systems)];
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? system ?? (text.split(" ")[0] || "Unknown device");
}
