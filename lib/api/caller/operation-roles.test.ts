import path from "node:path";
import { expect, test } from "vitest";
import { effectOf } from "#lib/api/route-declaration";
import { routeCases } from "#testing/route-cases";
import { neededRole } from "./authorize.ts";

test("the pages know the role that each operation needs", async () => {
  const operations = (await routeCases()).flatMap(({ method, handler }) => {
    const { operationId, auth: access, ...declaration } = handler.declaration;
    const effect = effectOf(declaration, method);
    if (effect !== "write" || access === "public" || access === "session") return [];
    return [`  ${operationId}: "${neededRole({ access, effect }) ?? "service admin"}",\n`];
  });
  const text = `// Written by lib/api/caller/operation-roles.test.ts: run it with -u after adding or changing a route.
import type { ProjectRole } from "./project-roles.ts";

/** Operations that change something → the least role in the project that they need, or the role in the service. */
export const operationRoles = {
${operations.sort().join("")}} as const satisfies Record<string, ProjectRole | "service admin">;
`;
  const file = path.join(import.meta.dirname, "../../contract/operation-roles.ts");
  await expect(text).toMatchFileSnapshot(file);
});
