import { type ReferenceOperation, sentAs } from "./reference.ts";

/** `checkpointId` → `CHECKPOINT_ID`. */
const variableOf = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

/** Values that stand in an example in place of shell variables: the ids of a project of the reader's own. */
export type ExampleValues = Readonly<Record<string, string>>;

/** The call as a line for a POSIX shell; what the reader has to fill in is a shell variable. */
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
