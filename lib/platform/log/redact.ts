import { secretValues } from "#lib/platform/config/secrets";
import { perProcess } from "#lib/platform/process/per-process";

/** Secrets in every encoding that a log line may contain, and one pattern for all. */
type Secrets = { spellings: string[]; pattern: RegExp };

const secretsOfProcess = perProcess("secretsOfProcess", () => secretsOf(secretValues()));

/** Matches API keys, and session tokens in cookies. */
const known = /mps_[0-9A-Za-z]{8,}|(?<=session_token=)[^\s;"\\]+/g;

const mayHoldKnown = (text: string) => text.includes("mps_") || text.includes("session_token=");

/** Removes API keys, session tokens and secrets of the environment from a text. */
export function redact(text: string): string {
  const { spellings, pattern } = secretsOfProcess();
  // Nearly every line holds no secret, and a substring search is much faster than a pattern.
  const safe = mayHoldKnown(text)
    ? text.replace(known, (secret) => (secret.startsWith("mps_") ? "mps_[redacted]" : "[redacted]"))
    : text;
  return spellings.some((secret) => safe.includes(secret)) ? safe.replace(pattern, "[redacted]") : safe;
}

/** Returns the secrets, longest first because one may contain another, also in their JSON encoding. */
function secretsOf(secrets: readonly string[]): Secrets {
  const spelt = secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);
  const spellings = [...new Set(spelt)].sort((a, b) => b.length - a.length);
  return { spellings, pattern: new RegExp(spellings.map(literally).join("|"), "g") };
}

const literally = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
