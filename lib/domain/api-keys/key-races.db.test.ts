import { and, eq, isNull } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { apiKeys, auditLog } from "#db/schema/access";
import type { ApiKey, CreatedApiKey } from "#lib/contract/api-keys";
import { createProject, createUser, withKey } from "#testing/api";
import { atOnce, callInStorm, createStorm, tally, writers } from "#testing/concurrent-load";
import { GET as me } from "../../../app/api/v1/me/route.ts";
import { DELETE as removeRoute } from "../../../app/api/v1/members/[userId]/route.ts";
import { POST as rotateRoute } from "../../../app/api/v1/projects/[projectId]/api-keys/[keyId]/rotate/route.ts";
import { DELETE as revokeRoute } from "../../../app/api/v1/projects/[projectId]/api-keys/[keyId]/route.ts";
import { POST as createRoute } from "../../../app/api/v1/projects/[projectId]/api-keys/route.ts";

const storm = await createStorm();
const { db } = storm;

const admin = await createUser();
const { id: projectId } = await createProject();

const create = (name = "Reports") =>
  callInStorm<CreatedApiKey>(createRoute, { as: admin, params: { projectId }, body: { name } });
const revoke = (keyId: string) =>
  callInStorm<ApiKey>(revokeRoute, { method: "DELETE", as: admin, params: { projectId, keyId } });
const rotate = (keyId: string, overlapSeconds: number) =>
  callInStorm<CreatedApiKey>(rotateRoute, {
    as: admin,
    params: { projectId, keyId },
    body: { overlapSeconds },
  });
const use = (key: string) => callInStorm(me, { as: withKey(key) });

describe(`${writers} at once`, () => {
  it("create keys: all differ, and all work", async () => {
    const made = await storm.through(() => atOnce(writers, (index) => create(`Key ${index}`)));
    expect(tally(made)).toEqual({ 201: writers });
    expect(new Set(made.map(({ data }) => data.key)).size).toBe(writers);
    expect(tally(await atOnce(writers, (index) => use(made[index]!.data.key)))).toEqual({ 200: writers });
  });

  it("rotate one key without an overlap: exactly one succeeds", async () => {
    const { data: old } = await create("Rotated");
    const answers = await storm.through(() => atOnce(writers, () => rotate(old.id, 0)));
    expect(tally(answers)).toEqual({ 201: 1, "400 validation_failed": writers - 1 });
    const valid = and(eq(apiKeys.name, "Rotated"), isNull(apiKeys.revokedAt));
    expect(await db.$count(apiKeys, valid)).toBe(1);
    expect(tally([await use(old.key)])).toEqual({ "401 api_key_invalid": 1 });
  });

  it("revoke, rotate and use keys: no request succeeds with a key after its revocation has returned", async () => {
    const made = await atOnce(writers / 3, () => create("Used"));
    const late: string[] = [];
    const answers = await storm.through(async () => {
      const deeds = await atOnce(writers, async (index) => {
        const { id, key } = made[index % made.length]!.data;
        const using = atOnce(3, () => use(key));
        const deed = index % 3 === 0 ? await rotate(id, 60) : await revoke(id);
        if (index % 3 !== 0) late.push(...(await atOnce(3, () => use(key))).map(({ status }) => `${status}`));
        return [deed, ...(await using)];
      });
      return deeds.flat();
    });
    expect(new Set(late)).toEqual(new Set(["401"]));
    const documented = ["200", "201", "400 validation_failed", "401 api_key_invalid"];
    for (const name of Object.keys(tally(answers))) expect(documented).toContain(name);
  });

  it("create and rotate keys while their creator is removed with all keys: none stays valid", async () => {
    const creator = await createUser();
    const as = { as: creator };
    const { data: old } = await callInStorm<CreatedApiKey>(createRoute, {
      ...as,
      params: { projectId },
      body: { name: "Before" },
    });
    const answers = await storm.through(() =>
      atOnce(writers, (index) => {
        if (index === writers / 2) {
          const params = { userId: creator.id };
          return callInStorm(removeRoute, {
            method: "DELETE",
            as: admin,
            params,
            query: { revokeApiKeys: "true" },
          });
        }
        if (index % 2 === 0) {
          const params = { projectId, keyId: old.id };
          return callInStorm(rotateRoute, { ...as, params, body: { overlapSeconds: 60 } });
        }
        return callInStorm(createRoute, { ...as, params: { projectId }, body: { name: "Meanwhile" } });
      }),
    );
    const documented = ["200", "201", "400 validation_failed", "401 session_required"];
    for (const name of Object.keys(tally(answers))) expect(documented).toContain(name);
    expect(tally(answers)[200]).toBe(1);
    expect(await db.$count(apiKeys, and(eq(apiKeys.createdBy, creator.id), isNull(apiKeys.revokedAt)))).toBe(
      0,
    );
  });

  it("revoke one key: it is revoked once, with one audit log entry", async () => {
    const { data: key } = await create("Revoked");
    const answers = await storm.through(() => atOnce(writers, () => revoke(key.id)));
    expect(tally(answers)).toEqual({ 200: writers });
    expect(new Set(answers.map(({ data }) => data.revokedAt)).size).toBe(1);
    const deed = and(eq(auditLog.entityId, key.id), eq(auditLog.action, "api-key.revoked"));
    expect(await db.$count(auditLog, deed)).toBe(1);
  });
});
