import { eq, sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { auditLog } from "#db/schema/access";
import { outboxEvents } from "#db/schema/jobs";
import { scenarioOverrides } from "#db/schema/scenarios";
import { selectOverrides } from "#lib/domain/scenarios/select-overrides";
import { database } from "#lib/platform/database/process-database";
import { callRoute } from "#testing/api";
import { createOverriddenProject } from "#testing/overridden-project";
import { getScenario } from "#testing/scenario-factory";
import { storeScenario } from "#testing/stored-scenario";
import {
  DELETE as endRoute,
  GET as getRoute,
} from "../../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/overrides/[overrideId]/route.ts";

const { project, projectId, as, newScenario, send, add, ofOverride, list } = await createOverriddenProject();

describe("an override", () => {
  it("is created, read, listed in the order of creation, and ended", async () => {
    const { id } = await newScenario();
    const first = await add(id);
    expect(first).toMatchObject({
      projectId,
      scenarioId: id,
      from: "2023-07-25T00:00:00.000Z",
      to: "2023-07-27T00:00:00.000Z",
      operation: "set",
      value: 500,
      reason: "Fair in town",
      where: null,
      createdBy: as.createdBy,
    });
    const second = await add(id, { operation: "multiply", value: 1.1, reason: "  Growth " });
    expect(second.reason).toBe("Growth");
    expect(await list(id)).toEqual([first, second]);
    expect((await callRoute(getRoute, ofOverride(id, first.id))).data).toEqual(first);
    expect((await callRoute(endRoute, ofOverride(id, first.id))).data).toEqual(first);
    expect(await list(id)).toEqual([second]);
    for (const route of [getRoute, endRoute]) {
      const gone = await callRoute(route, ofOverride(id, first.id));
      expect([gone.status, gone.error?.code]).toEqual([404, "override_not_found"]);
    }
    const other = await newScenario();
    expect((await callRoute(getRoute, ofOverride(other.id, second.id))).error?.code).toBe(
      "override_not_found",
    );
  });

  it.each([
    [{ from: "2023-07-28" }, "after_to"],
    [{ from: "2024-01-01", to: "2024-02-01" }, "no_rows"],
    [{ from: "2023-07-25T06:00:00Z", to: "2023-07-25T07:00:00Z" }, "no_rows"],
    [{ where: [{ feature: "store", operator: "=", value: "A" }] }, "one_series"],
    [{ operation: "multiply", value: -1 }, undefined],
    [{ reason: " " }, undefined],
    [{ reason: "x".repeat(501) }, undefined],
    [{ reason: undefined }, undefined],
    [{ from: "soon" }, undefined],
    [{ value: "1" }, undefined],
    [{ operation: "divide" }, undefined],
    [{ untl: "2023" }, undefined],
  ])("is rejected with %j", async (fields, code) => {
    const { id } = await newScenario();
    const answer = await send(id, fields);
    expect([answer.status, answer.error?.code]).toEqual([400, "validation_failed"]);
    if (code !== undefined) expect(answer.error?.details?.[0]?.code).toBe(code);
    if (code === "no_rows")
      expect(answer.error?.message).toContain("from 2023-07-20T00:00:00.000Z to 2023-08-18T00:00:00.000Z");
    expect(await list(id)).toEqual([]);
    expect((await getScenario(project, id)).calculatedSummary).toBeUndefined();
  });

  it("is rejected for a scenario without times", async () => {
    const id = await storeScenario(projectId, {
      timestamps: null,
      prediction: Float64Array.of(1),
      lower: null,
      upper: null,
    });
    expect((await send(id)).error?.details?.[0]?.code).toBe("no_timestamps");
  });

  it("is stored once for a repeated request", async () => {
    const { id } = await newScenario();
    const headers = { "idempotency-key": `override-${id}` };
    const [first, again] = [await send(id, {}, headers), await send(id, {}, headers)];
    expect(again.data).toEqual(first.data);
    expect(await list(id)).toHaveLength(1);
  });

  it("is limited to 100 active ones, also for concurrent requests, and each of these counts", async () => {
    const { id } = await newScenario();
    const before = await getScenario(project, id);
    for (let count = 0; count < 98; count++) await add(id, { operation: "add", value: 1 });
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => send(id, { operation: "add", value: 1 })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 400, 400]);
    expect(answers.find(({ status }) => status === 400)!.error!.message).toContain("100 active overrides");
    const { summary } = await getScenario(project, id);
    expect(summary!.sum).toBeCloseTo(before.summary!.sum! + 3 * 100, 6);
    const ended = (await list(id, { limit: "2" })).map((one) => callRoute(endRoute, ofOverride(id, one.id)));
    await Promise.all(ended);
    expect((await getScenario(project, id)).summary!.sum).toBeCloseTo(before.summary!.sum! + 3 * 98, 6);
    await add(id);
  });

  it("is audited with its fields and reported by an event, as is its end", async () => {
    const { id, title } = await newScenario();
    const override = await add(id);
    await callRoute(endRoute, ofOverride(id, override.id));
    const entries = await database()
      .select()
      .from(auditLog)
      .where(sql`${auditLog.entityId} = ${id} and ${auditLog.action} like 'scenario.override-%'`)
      .orderBy(auditLog.at);
    expect(entries.map(({ action, label }) => [action, label])).toEqual([
      ["scenario.override-added", title],
      ["scenario.override-ended", title],
    ]);
    expect(entries[0]!.changes).toContainEqual({ field: "override.reason", from: null, to: "Fair in town" });
    expect(entries[1]!.changes).toContainEqual({ field: "override.value", from: 500, to: null });
    const events = await database()
      .select()
      .from(outboxEvents)
      .where(sql`${outboxEvents.payload} ->> 'entityId' = ${id}`);
    expect(events.filter(({ name }) => name === "scenario-updated")).toHaveLength(2);
  });

  it("never changes in the database, and ends once", async () => {
    const { id } = await newScenario();
    const override = await add(id);
    const change = (values: object) =>
      database().update(scenarioOverrides).set(values).where(eq(scenarioOverrides.id, override.id));
    const rejected = { cause: expect.objectContaining({ constraint_name: "scenario_overrides_only_end" }) };
    await expect(change({ value: 1 })).rejects.toMatchObject(rejected);
    await callRoute(endRoute, ofOverride(id, override.id));
    await expect(change({ endedBy: "another" })).rejects.toMatchObject(rejected);
  });

  it("stays stored after its end, as it was, and reads as of then find it", async () => {
    const { id } = await newScenario();
    const override = await add(id);
    await callRoute(endRoute, ofOverride(id, override.id));
    const [row] = await database()
      .select()
      .from(scenarioOverrides)
      .where(eq(scenarioOverrides.scenarioId, id));
    expect(row).toMatchObject({ reason: "Fair in town", endedBy: as.createdBy });
    const at = async (time: Date) => (await selectOverrides(database(), [id], time)).get(id)?.length ?? 0;
    const { createdAt, endedAt } = row!;
    expect([
      await at(new Date(createdAt.getTime() - 1_000)),
      await at(new Date(endedAt!.getTime() - 1)),
      await at(new Date(endedAt!.getTime() + 1_000)),
    ]).toEqual([0, 1, 0]);
  });
});
