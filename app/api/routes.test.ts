import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const here = import.meta.dirname;
const files = globSync("**/route.ts", { cwd: here }).sort();

/** `v1/jobs/[jobId]/route.ts` → `/api/v1/jobs/{jobId}` */
const pathOf = (file: string) => `/api/${path.dirname(file).replaceAll(/\[([.\w]+)\]/g, "{$1}")}`;

/** Returns the methods that a route file exports, as Next.js sees them. */
const methodsOf = (source: string) => [
  ...new Set(
    source.match(/(?<=export (?:const|async function|function) |\bas )(?:GET|POST|PUT|PATCH|DELETE)\b/g),
  ),
];

const byTest =
  "// Written by app/api/routes.test.ts: run it with -u after adding, moving or removing a route.\n";

test("the route table of the API is complete", async () => {
  const entries = files
    .filter((file) => file.startsWith("v1/"))
    .map((file) => `  "${pathOf(file)}": () => import("./${file.slice("v1/".length)}"),\n`);
  const text = `${byTest}import type { RouteTable } from "#lib/api/route-declaration";

// biome-ignore format: one route a line
export const routes = {
${entries.join("")}} satisfies RouteTable;
`;
  await expect(text).toMatchFileSnapshot(path.join(here, "v1/routes.ts"));
});

test("the server in front of Next.js knows the methods of every path", async () => {
  const entries = files.map((file) => {
    const exported = methodsOf(readFileSync(path.join(here, file), "utf8"));
    return `  "${pathOf(file)}": [${exported.map((method) => `"${method}"`).join(", ")}],\n`;
  });
  const text = `${byTest}
// biome-ignore format: one address a line
export const routeMethods: Record<string, readonly string[]> = {
${entries.join("")}};
`;
  await expect(text).toMatchFileSnapshot(path.join(here, "../../lib/api/address/route-methods.ts"));
});
