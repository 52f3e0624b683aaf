import { eq, isNull } from "drizzle-orm";
import { expect, it } from "vitest";
import { user } from "#db/schema/users";
import { createUser } from "#testing/api";
import { atOnce, callInStorm, createStorm, tally, writers } from "#testing/concurrent-load";
import { DELETE, PATCH } from "../../../app/api/v1/members/[userId]/route.ts";
import { POST } from "../../../app/api/v1/members/route.ts";

const storm = await createStorm();
const { db } = storm;

it("keeps one admin who can sign in when admins demote, disable and remove each other concurrently", async () => {
  const admins = await atOnce(writers / 4, (index) => createUser({ name: `Admin ${index}` }));
  const answers = await storm.through(() =>
    atOnce(4 * writers, (index) => {
      const by = admins[index % admins.length]!;
      const target = admins[(index * 7 + Math.floor(index / admins.length)) % admins.length]!;
      const params = { userId: target.id };
      if (index % 3 === 0) return callInStorm(DELETE, { method: "DELETE", as: by, params });
      const body = index % 3 === 1 ? { role: "analyst" } : { disabled: true };
      return callInStorm(PATCH, { method: "PATCH", as: by, params, body });
    }),
  );
  const documented = [
    "200",
    "400 validation_failed",
    "401 session_required",
    "403 forbidden",
    "404 member_not_found",
  ];
  for (const key of Object.keys(tally(answers))) expect(documented).toContain(key);
  const left = await db.select().from(user).where(isNull(user.disabledAt));
  expect(left.filter(({ role }) => role === "admin").length).toBeGreaterThan(0);
  expect(await db.$count(user, eq(user.role, "admin"))).toBeLessThan(admins.length);
});

it("creates one of several concurrent members with the same address in different spellings", async () => {
  const admin = await createUser();
  const hashes = 12; // Each request costs the hash of a password.
  const spellings = ["ann@example.com", "Ann@Example.com", "ANN@EXAMPLE.COM"];
  const answers = await storm.through(() =>
    atOnce(hashes, (index) => {
      const body = { name: "Ann", email: spellings[index % 3], password: "correct horse battery" };
      return callInStorm(POST, { as: admin, body });
    }),
  );
  expect(tally(answers)).toEqual({ 201: 1, "400 validation_failed": hashes - 1 });
  expect(await db.$count(user, eq(user.email, "ann@example.com"))).toBe(1);
});
