import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { clientRepeatable, clientTypes } from "#testing/client-package";
import { readOpenApi } from "#testing/openapi-operations";

const root = path.resolve(import.meta.dirname, "../../..");
const document = await readOpenApi();
const versionOf = (file: string) => JSON.parse(readFileSync(path.join(root, file), "utf8")).version;

test("the client package has the types of all requests and responses", async () => {
  await expect(clientTypes(document)).toMatchFileSnapshot(path.join(root, "client/api.d.ts"));
  await expect(clientRepeatable(document)).toMatchFileSnapshot(path.join(root, "client/api.js"));
});

test("the client package has the version of the service", () => {
  expect(versionOf("client/package.json")).toBe(versionOf("package.json"));
});
