import { describe, expect, test } from "vitest";
import type { Project, ProjectOverview } from "#lib/contract/projects";
import { type Caller, callRoute, createProject, createUser } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { PUT as putDataset } from "../../../app/api/v1/projects/[projectId]/dataset/route.ts";
import { GET, PATCH } from "../../../app/api/v1/projects/[projectId]/route.ts";
import { GET as list } from "../../../app/api/v1/projects/route.ts";

await createTestDatabase();

const admin = await createUser();

const get = (projectId: string) => callRoute<Project>(GET, { as: admin, params: { projectId } });
const patch = (projectId: string, display: unknown, as: Caller = admin) =>
  callRoute<Project>(PATCH, { method: "PATCH", as, params: { projectId }, body: { display } });
const column = (fields: object) => ({ displayName: null, unit: null, decimals: null, ...fields });

describe("the display of a project's columns", () => {
  test("is empty at first, and replaced as a whole", async () => {
    const { id } = await createProject();
    expect((await get(id)).data).toMatchObject({ display: {}, units: {} });
    await patch(id, { demand: { displayName: "  Demand ", unit: "MWh" }, temp: { decimals: 0 } });
    expect((await get(id)).data.display).toEqual({
      demand: column({ displayName: "Demand", unit: "MWh" }),
      temp: column({ decimals: 0 }),
    });
    expect((await patch(id, { constructor: { unit: "" } })).data.display).toEqual({
      constructor: column({ unit: "" }),
    });
    expect((await patch(id, {})).data.display).toEqual({});
  });

  test("has no entry for a column without fields", async () => {
    const { id } = await createProject();
    expect((await patch(id, { temp: {}, wind: { unit: null } })).data.display).toEqual({});
  });

  test("stays when other fields change", async () => {
    const { id } = await createProject();
    await patch(id, { temp: { unit: "°C" } });
    const body = { description: "Other", display: null };
    const { data } = await callRoute<Project>(PATCH, {
      method: "PATCH",
      as: admin,
      params: { projectId: id },
      body,
    });
    expect(data.display).toEqual({ temp: column({ unit: "°C" }) });
  });

  test("is changed by admins only", async () => {
    const { id } = await createProject();
    const analyst = await createUser({ role: "analyst" });
    expect((await patch(id, { temp: { unit: "°C" } }, analyst)).error?.code).toBe("forbidden");
  });

  test("is not part of the list of projects", async () => {
    const { id } = await createProject();
    await patch(id, { temp: { unit: "°C" } });
    const { data } = await callRoute<ProjectOverview[]>(list, { as: admin });
    expect(Object.keys(data.find((one) => one.id === id)!)).not.toContain("display");
  });

  test.each([
    ["an unknown field", { temp: { format: "0.0" } }, "display.temp.format"],
    ["a name of 201 characters", { temp: { displayName: "x".repeat(201) } }, "display.temp.displayName"],
    ["an empty name", { temp: { displayName: " " } }, "display.temp.displayName"],
    ["a reversed name", { temp: { displayName: "abc\u202Edef" } }, "display.temp.displayName"],
    ["a unit of 21 characters", { temp: { unit: "x".repeat(21) } }, "display.temp.unit"],
    ["a unit on two lines", { temp: { unit: "a\nb" } }, "display.temp.unit"],
    ["NUL in a unit", { temp: { unit: "a\0" } }, "display.temp.unit"],
    ["an unpaired surrogate in a column", { "t\ud83d": { unit: "a" } }, "display.t\ufffd"],
    ["11 decimals", { temp: { decimals: 11 } }, "display.temp.decimals"],
    ["half a decimal", { temp: { decimals: 0.5 } }, "display.temp.decimals"],
    ["a column without a name", { "": { unit: "a" } }, "display."],
    [
      "10,001 columns",
      Object.fromEntries(Array.from({ length: 10_001 }, (_, at) => [`c${at}`, {}])),
      "display",
    ],
  ])("rejects %s", async (_name, display, field) => {
    const { id } = await createProject();
    const { status, error } = await patch(id, display);
    expect([status, error?.code]).toEqual([400, "validation_failed"]);
    expect(error?.details?.map((detail) => detail.field)).toContain(field);
  });
});

test("the units of a project are those of the current dataset's number formats", async () => {
  const { id } = await createProject();
  const fileData = Buffer.from("price,share,demand\n€1,5%,7\n€2,6%,8\n").toString("base64");
  const numberFormats = [
    { column: "price", unit: "€" },
    { column: "share", unit: "%" },
  ];
  const put = await callRoute(putDataset, {
    method: "PUT",
    as: admin,
    params: { projectId: id },
    body: { fileData, target: "demand", numberFormats },
  });
  expect(put.status, put.text).toBe(200);
  expect((await get(id)).data.units).toEqual({ price: "€", share: "%" });
});
