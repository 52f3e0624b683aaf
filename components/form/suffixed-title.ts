import { limits } from "#lib/contract/limits";

/** Returns a title that ends with a suffix: "Warm, edited". Shortens the title if both would be too long. */
export function suffixedTitle(title: string, suffix: string): string {
  const start = title.slice(0, limits.scenarioTitleMax - suffix.length - 2);
  // The service rejects the first half of a character outside the Basic Multilingual Plane.
  return `${start.replace(/[\uD800-\uDBFF]$/, "")}, ${suffix}`;
}
