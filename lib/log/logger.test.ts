import { expect, test } from "vitest";
import { describeError } from "./describe-error.ts";
import { redactKeys } from "./logger.ts";

test("a query's parameters are left out, its cause is kept", () => {
  const cause = Object.assign(new Error("duplicate key value"), { code: "23505" });
  const error = Object.assign(
    new Error("Failed query: insert …\nparams: scrypt-hash,ada@example.com", { cause }),
    {
      query: "insert into account values ($1, $2)",
      params: ["scrypt-hash", "ada@example.com"],
    },
  );
  const described = describeError(error);
  expect(described).toMatchObject({
    message: "Failed query: insert into account values ($1, $2)",
    cause: { message: "duplicate key value", code: "23505" },
  });
  expect(JSON.stringify(described)).not.toMatch(/scrypt-hash|ada@example/);
});

test("causes that lead back to themselves end", () => {
  const error = new Error("round");
  error.cause = error;
  expect(JSON.stringify(describeError(error)).match(/round/g)?.length).toBeLessThan(10);
});

test("no API key gets into a line, wherever it stood", () => {
  const key = "mps_NMIF47egJQkmqHP1kqxVZ2UD39lyKu1zTpgo";
  expect(redactKeys(`{"path":"/x?key=${key}","message":"${key}"}`)).toBe(
    '{"path":"/x?key=mps_[redacted]","message":"mps_[redacted]"}',
  );
});
