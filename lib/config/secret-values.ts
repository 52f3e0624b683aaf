import { secretVariables } from "#lib/platform/config/environment-variables";

/** Shorter ones are words that stand in lines for other reasons. */
const shortest = 6;

/** The values that must not appear in any line of a log: secrets of the environment, of the database's address the password. */
export function secretValues(source: NodeJS.ProcessEnv = process.env): string[] {
  const values = [...secretVariables].flatMap((name) => {
    const value = source[name]?.trim() ?? "";
    if (name !== "DATABASE_URL") return [value];
    const password = URL.canParse(value) ? new URL(value).password : "";
    return [password, decoded(password)];
  });
  return values.filter((value) => value.length >= shortest);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // A % without its two digits: it is used as it stands.
  }
}
