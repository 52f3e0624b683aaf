import { type ReferenceOperation, sentAs } from "./reference.ts";

/** Converts `checkpointId` to `CHECKPOINT_ID`. */
const variableOf = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

/** Values that replace shell variables in examples: the IDs of one of the reader's projects. */
export type ExampleValues = Readonly<Record<string, string>>;

/** Returns the request as a curl command for a POSIX shell. Values to fill in are shell variables. */
export function exampleCurl(
  operation: ReferenceOperation,
  origin: string,
  values: ExampleValues,
  body: unknown = operation.body?.examples[0]?.value,
): string {
  const path = operation.path.replace(
    /\{(\w+)\}/g,
    (_, name: string) => values[name] ?? `$${variableOf(name)}`,
  );
  const query = operation.parameters
    .filter(({ place, required }) => place === "query" && required)
    .map(({ name }) => `${name}=$${variableOf(name)}`)
    .join("&");
  const parts = [
    `curl${operation.method === "GET" ? "" : ` -X ${operation.method}`} "${origin}${path}${query && `?${query}`}"`,
  ];
  if (operation.auth === "key") parts.push('-H "X-API-Key: $API_KEY"');
  if (operation.auth === "session") parts.push("-b cookies.txt");
  if (operation.auth === "session" && operation.method !== "GET") parts.push(`-H "Origin: ${origin}"`);
  if (operation.body) {
    const mediaType = sentAs(operation.body);
    parts.push(`-H "Content-Type: ${mediaType}"`);
    parts.push(
      mediaType === "application/json"
        ? `-d '${JSON.stringify(body ?? {}).replaceAll("'", "'\\''")}'`
        : "--data-binary @file",
    );
  }
  return parts.join(" \\\n  ");
}
