import { afterEach, expect, test, vi } from "vitest";
import { describeError } from "./describe-error.ts";
import { redact } from "./redact.ts";

const secrets = globalThis as { secretsOfProcess?: unknown };
afterEach(() => {
  vi.unstubAllEnvs();
  delete secrets.secretsOfProcess;
});

test("logs a query without its parameters, and its cause", () => {
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

test("ends at a cause that refers to itself", () => {
  const error = new Error("round");
  error.cause = error;
  expect(JSON.stringify(describeError(error)).match(/round/g)?.length).toBeLessThan(10);
});

test("redacts API keys anywhere in a line", () => {
  const key = "mps_NMIF47egJQkmqHP1kqxVZ2UD39lyKu1zTpgo";
  expect(redact(`{"path":"/x?key=${key}","message":"${key}"}`)).toBe(
    '{"path":"/x?key=mps_[redacted]","message":"mps_[redacted]"}',
  );
});

test("redacts secrets of the environment in every encoding", () => {
  vi.stubEnv("DATABASE_URL", "postgres://me:pass%22word%5C1@host/db");
  vi.stubEnv("PUSHER_SECRET", "secret+of(pusher)");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "secret+of");
  const line = JSON.stringify({
    url: 'postgres://me:pass%22word%5C1@host/db pass"word\\1',
    words: "secret+of(pusher), secret+of S3",
    cookie: "better-auth.session_token=abc.def; theme=dark",
  });
  expect(JSON.parse(redact(line))).toEqual({
    url: "postgres://me:[redacted]@host/db [redacted]",
    words: "[redacted], [redacted] S3",
    cookie: "better-auth.session_token=[redacted]; theme=dark",
  });
});
