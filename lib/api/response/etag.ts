import { createHash } from "node:crypto";

/** Returns the strong entity tag of a resource as sent over the wire. */
export function etagOf(data: unknown): string {
  return `"${createHash("sha256").update(JSON.stringify(data)).digest("base64url").slice(0, 27)}"`;
}

const listedTag = /(?<=^|,)\s*((?:W\/)?"[^"]*")\s*(?=,|$)/g;

/** Returns whether `If-Match` or `If-None-Match` names the tag. Weak tags compare by value (RFC 9110, 8.8.3.2). */
export function namesTag(header: string, tag: string, options: { weak: boolean }): boolean {
  if (header.trim() === "*") return true;
  const tags = [...header.matchAll(listedTag)].map(([, given]) => given);
  return tags.includes(tag) || (options.weak && tags.includes(`W/${tag}`));
}
