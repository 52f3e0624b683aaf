import { secretValues } from "#lib/config/secret-values";

const shared = globalThis as typeof globalThis & { secretsOfProcess?: RegExp | null };

/** API keys, and tokens of sessions in their cookie, wherever they stand. */
const known = /mps_[0-9A-Za-z]{8,}|(?<=session_token=)[^\s;"\\]+/g;

const mayHoldKnown = (text: string) => text.includes("mps_") || text.includes("session_token=");

/** A text without the API keys, session tokens and secrets of the environment that may stand in it. */
export function redact(text: string): string {
  if (shared.secretsOfProcess === undefined) shared.secretsOfProcess = pattern(secretValues());
  const safe = mayHoldKnown(text)
    ? text.replace(known, (found) => (found.startsWith("mps_") ? "mps_[redacted]" : "[redacted]"))
    : text;
  return shared.secretsOfProcess === null ? safe : safe.replace(shared.secretsOfProcess, "[redacted]");
}

/** Longest first, since one may be part of another; also as they stand in JSON. */
function pattern(secrets: readonly string[]): RegExp | null {
  const spellings = secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);
  const sorted = [...new Set(spellings)].sort((a, b) => b.length - a.length);
  return sorted.length === 0 ? null : new RegExp(sorted.map(literally).join("|"), "g");
}

const literally = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
