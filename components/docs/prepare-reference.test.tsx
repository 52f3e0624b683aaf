import { beforeAll, describe, expect, it } from "vitest";
import { methods } from "#lib/http/route-declaration";
import { openApiDocument } from "#lib/openapi/document";
import { routes } from "../../app/api/v1/routes.ts";
import { exampleBody } from "./examples.tsx";
import { prepareReference, type Reference } from "./prepare-reference.tsx";

let reference: Reference;
beforeAll(async () => {
  reference = prepareReference(await openApiDocument(routes));
});

describe("prepareReference", () => {
  it("shows every operation of the service, once", async () => {
    const shown = reference.sections.flatMap(({ operations }) =>
      operations.map(({ method, path }) => `${method} ${path}`),
    );
    const served: string[] = [];
    for (const [path, load] of Object.entries(routes)) {
      const module = await load();
      served.push(...methods.filter((method) => module[method]).map((method) => `${method} ${path}`));
    }
    expect(shown.sort()).toEqual(served.sort());
  });

  it("names who may call: creating a key takes a session, listing checkpoints a key", () => {
    const operations = new Map(
      reference.sections.flatMap((section) => section.operations).map((o) => [o.id, o]),
    );
    expect(operations.get("createApiKey")?.auth).toBe("session");
    expect(operations.get("listCheckpoints")?.auth).toBe("key");
    expect(operations.get("getOpenApi")?.auth).toBe("none");
  });

  it("tells what the envelope holds and which fields are required", () => {
    const operations = new Map(
      reference.sections.flatMap((section) => section.operations).map((o) => [o.id, o]),
    );
    expect(operations.get("listCheckpoints")?.success.data).toBe("array of Checkpoint");
    const fields = operations.get("createScenario")?.body?.fields ?? [];
    expect(fields.filter(({ required }) => required).map(({ name }) => name)).toEqual(["title"]);
    expect(reference.objects.map(({ name }) => name)).toContain("Checkpoint");
  });

  it("gives examples that the routes themselves accept", async () => {
    const examples = new Map(
      reference.sections.flatMap((section) => section.operations).map(({ id, body }) => [id, body?.example]),
    );
    for (const load of Object.values(routes)) {
      const module = await load();
      for (const method of methods) {
        const declaration = module[method]?.declaration;
        if (!declaration?.body) continue;
        const result = declaration.body.safeParse(examples.get(declaration.operationId));
        expect(result.error?.issues ?? [], declaration.operationId).toEqual([]);
      }
    }
  });
});

describe("exampleBody", () => {
  it("fills in the required fields of an operation that it does not know", () => {
    const schema = {
      type: "object",
      required: ["name", "count"],
      properties: {
        name: { type: "string" },
        count: { type: "integer", minimum: 2 },
        note: { type: "string" },
      },
    };
    expect(exampleBody("unknown", schema)).toEqual({ name: "text", count: 2 });
  });
});
