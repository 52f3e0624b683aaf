import { secretValues } from "#lib/config/secret-values";

/** In every spelling that a line may have them in, and a pattern of all. */
type Secrets = { spellings: string[]; pattern: RegExp };

const shared = globalThis as typeof globalThis & { secretsOfProcess?: Secrets };

/** API keys, and tokens of sessions in their cookie, wherever they stand. */
const known = /mps_[0-9A-Za-z]{8,}|(?<=session_token=)[^\s;"\\]+/g;

const mayHoldKnown = (text: string) => text.includes("mps_") || text.includes("session_token=");

/** A text without the API keys, session tokens and secrets of the environment that may stand in it. */
export function redact(text: string): string {
  shared.secretsOfProcess ??= secretsOf(secretValues());
  const { spellings, pattern } = shared.secretsOfProcess;
  // Nearly every line holds none, and to look for a word takes a fraction of what a pattern takes.
  const safe = mayHoldKnown(text)
    ? text.replace(known, (found) => (found.startsWith("mps_") ? "mps_[redacted]" : "[redacted]"))
    : text;
  return spellings.some((secret) => safe.includes(secret)) ? safe.replace(pattern, "[redacted]") : safe;
}

/** Longest first, since one may be part of another; also as they stand in JSON. */
function secretsOf(secrets: readonly string[]): Secrets {
  const spelt = secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);
  const spellings = [...new Set(spelt)].sort((a, b) => b.length - a.length);
  return { spellings, pattern: new RegExp(spellings.map(literally).join("|"), "g") };
}

const literally = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
