import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { errorCodes } from "#lib/contract/error-codes";
import { EventName } from "#lib/contract/realtime";
import { type OpenApi, operationsOf, readOpenApi } from "#testing/openapi-operations";
import { prepareReference } from "./prepare-reference.ts";
import type { Reference, ReferenceOperation } from "./reference.ts";

let document: OpenApi;
let reference: Reference;
let operations: Map<string, ReferenceOperation>;
beforeAll(async () => {
  document = await readOpenApi();
  reference = prepareReference(document, readFileSync("docs/glossary.md", "utf8"));
  operations = new Map(reference.sections.flatMap((section) => section.operations).map((o) => [o.id, o]));
});

describe("prepareReference", () => {
  it("lists every operation of the document once, in a described group", () => {
    const shown = reference.sections.flatMap((section) => section.operations.map(({ id }) => id));
    expect(shown.sort()).toEqual(
      operationsOf(document)
        .map(({ operationId }) => operationId)
        .sort(),
    );
    expect(reference.sections.filter(({ description }) => description === "")).toEqual([]);
  });

  it("reports the authentication: a session to create a key, a key to list checkpoints", () => {
    expect(operations.get("createApiKey")?.auth).toBe("session");
    expect(operations.get("listCheckpoints")?.auth).toBe("key");
    expect(operations.get("getOpenApi")?.auth).toBe("none");
  });

  it("reports the type of the envelope's data and the required fields", () => {
    expect(operations.get("listCheckpoints")?.success.data).toBe("array of Checkpoint");
    const fields = operations.get("createScenario")?.body?.fields ?? [];
    expect(fields.filter(({ required }) => required).map(({ name }) => name)).toEqual(["title"]);
    expect(reference.objects.map(({ name }) => name)).toContain("Checkpoint");
  });

  it("has an example of every JSON body, text response and parameter", () => {
    for (const { id, body, success, parameters } of operations.values()) {
      if (body?.mediaTypes.includes("application/json")) expect(body.examples, id).not.toEqual([]);
      const hasText = !success.mediaTypes.includes("application/x-tar") && success.status !== "302";
      if (hasText) expect(success.examples, id).not.toEqual([]);
      expect(
        parameters.filter(({ example }) => example === ""),
        id,
      ).toEqual([]);
    }
  });

  it("lists every error code with its meaning, and every event", () => {
    const codes = new Map(
      [...operations.values()]
        .flatMap(({ failures }) => failures.flatMap((failure) => failure.codes))
        .filter(({ code }) => code !== "")
        .map(({ code, meaning }) => [code, meaning]),
    );
    expect(Object.fromEntries(codes)).toEqual(
      Object.fromEntries(Object.entries(errorCodes).map(([code, [, meaning]]) => [code, meaning])),
    );
    expect(reference.events.map(({ name }) => name)).toEqual(EventName.options);
    expect(reference.failure).toMatchObject({ success: false, error: { code: "validation_failed" } });
  });
});
