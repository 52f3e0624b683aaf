import path from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { EnvironmentError } from "../errors/start-errors.ts";
import { parseEnvironment } from "./environment.ts";

function issuesOf(source: Record<string, string>): readonly { variable: string; message: string }[] {
  try {
    parseEnvironment(source);
  } catch (error) {
    if (error instanceof EnvironmentError) return error.issues;
    throw error;
  }
  return [];
}

test("an empty environment gives the documented defaults", () => {
  const dataDir = path.resolve(".data");
  expect(parseEnvironment({})).toEqual({
    port: 3000,
    bindAddress: null,
    dataDir,
    databaseUrl: null,
    storage: { kind: "file", folder: path.join(dataDir, "artifacts") },
    realtimePort: null,
    connectionsPerAddress: 1_000,
    workerPort: null,
    drainSeconds: null,
    pusher: null,
    admin: null,
    demo: true,
    logLevel: "info",
    rateLimit: { perMinute: 600, burst: 100 },
    authFailuresPerMinute: 60,
    quota: { bytes: 20e9, openUploads: 100, openUploadBytes: 10e9 },
    modelMemoryMb: 1_024,
    trustedProxies: 0,
    authSecret: null,
    webhooksAllowPrivate: false,
    comparisonLinks: false,
    passwordSignIn: true,
    oidc: null,
    publicUrl: null,
    mail: null,
  });
});

test("an empty variable counts as not set", () => {
  expect(parseEnvironment({ PORT: "", ADMIN_EMAIL: " ", DATABASE_URL: "" })).toEqual(parseEnvironment({}));
});

test.each([
  ["PORT", "http"],
  ["PORT", "0"],
  ["PORT", "65536"],
  ["PORT", "3000.5"],
  ["BIND_ADDRESS", "somewhere"],
  ["QUOTA_BYTES", "0"],
  ["QUOTA_BYTES", "20 GiB"],
  ["QUOTA_BYTES", "99999999TB"],
  ["DATABASE_URL", "mysql://localhost/x"],
  ["DATABASE_URL", "postgres"],
  ["STORAGE_URL", "artifacts"],
  ["STORAGE_URL", "s3:models"],
  ["STORAGE_URL", "s3://models//x"],
  ["STORAGE_URL", "s3://Models/../x"],
  ["S3_ENDPOINT", "s3.example.com"],
  ["REALTIME_PORT", "-1"],
  ["WORKER_PORT", "x"],
  ["DRAIN_SECONDS", "1.5"],
  ["REALTIME_PUBLIC_URL", "https://example.com"],
  ["REALTIME_PUBLIC_URL", "wss://example.com/?key=path"],
  ["PUSHER_HOST", "https://example.com/"],
  ["PUSHER_USE_TLS", "perhaps"],
  ["ADMIN_EMAIL", "admin"],
  ["ADMIN_PASSWORD", "nine-char"],
  ["DEMO", "2"],
  ["LOG_LEVEL", "loud"],
  ["RATE_LIMIT_PER_MINUTE", "0"],
  ["RATE_LIMIT_BURST", "many"],
  ["AUTH_FAILURES_PER_MINUTE", "1e3"],
  ["TRUST_PROXY", "yes please"],
  ["AUTH_SECRET", "short"],
  ["WEBHOOKS_ALLOW_PRIVATE", "perhaps"],
  ["SMTP_URL", "mail.example.com"],
  ["SMTP_URL", "https://mail.example.com"],
  ["SMTP_URL", "smtp:mail.example.com"],
  ["MAIL_FROM", "Forkcast"],
  ["MAIL_FROM", "Forkcast <forkcast@example.com>, eve@example.com"],
  ["MAIL_FROM", "Fork\r\nBcc: eve@example.com <forkcast@example.com>"],
  ["PUBLIC_URL", "forkcast.example.com"],
])("rejects %s=%s with the variable and the expected format", (name, value) => {
  const issue = issuesOf({ [name]: value }).find(({ variable }) => variable === name);
  expect(issue?.message).toMatch(new RegExp(`^${name} is .+: expected .+\\.$`));
});

test("reports all invalid variables at once", () => {
  const names = issuesOf({ PORT: "x", LOG_LEVEL: "y", DEMO: "z" }).map(({ variable }) => variable);
  expect(names.sort()).toEqual(["DEMO", "LOG_LEVEL", "PORT"]);
});

test("a secret's value never appears in the message", () => {
  const messages = issuesOf({
    ADMIN_EMAIL: "a@example.com",
    ADMIN_PASSWORD: "hunter2",
    AUTH_SECRET: "tooshort",
    DATABASE_URL: "mysql://root:swordfish@localhost/x",
    SMTP_URL: "smtp:mail:opensesame@localhost",
    MAIL_FROM: "a@example.com",
    PUBLIC_URL: "https://example.com",
  }).map(({ message }) => message);
  expect(messages).toHaveLength(4);
  expect(messages.join()).not.toMatch(/hunter2|tooshort|swordfish|opensesame/);
});

test("rejects variables that must be set together if one is missing", () => {
  expect(issuesOf({ ADMIN_EMAIL: "a@example.com" })).toEqual([
    {
      variable: "ADMIN_PASSWORD",
      message: "ADMIN_PASSWORD is not set: expected it together with ADMIN_EMAIL.",
    },
  ]);
  expect(issuesOf({ PUSHER_KEY: "key" }).map(({ variable }) => variable)).toEqual([
    "PUSHER_APP_ID",
    "PUSHER_SECRET",
  ]);
  expect(issuesOf({ PUSHER_HOST: "push.example.com" }).map(({ variable }) => variable)).toEqual([
    "PUSHER_KEY",
  ]);
});

test("mail needs a server, a sender and the address of the service", () => {
  const mail = { SMTP_URL: "smtps://user:secret@mail.example.com", PUBLIC_URL: "https://example.com/fork/" };
  expect(parseEnvironment({}).mail).toBeNull();
  const { SMTP_URL: _, ...address } = mail;
  expect(parseEnvironment(address)).toMatchObject({ mail: null, publicUrl: "https://example.com/fork" });
  expect(issuesOf({ SMTP_URL: mail.SMTP_URL, MAIL_FROM: "a@example.com" })).toHaveLength(1);
  expect(issuesOf(mail).map(({ variable }) => variable)).toEqual(["MAIL_FROM"]);
  expect(parseEnvironment({ ...mail, MAIL_FROM: "Fork cast <a@example.com>" }).mail).toEqual({
    smtpUrl: mail.SMTP_URL,
    from: { name: "Fork cast", address: "a@example.com" },
    publicUrl: "https://example.com/fork",
  });
  expect(parseEnvironment({ ...mail, MAIL_FROM: "a@example.com" }).mail?.from).toEqual({
    name: "",
    address: "a@example.com",
  });
});

test("an s3: address names a bucket and a folder in it", () => {
  const amazon = { kind: "s3", bucket: "models", prefix: "", endpoint: null, region: "us-east-1" };
  expect(parseEnvironment({ STORAGE_URL: "s3://models" }).storage).toEqual(amazon);
  expect(
    parseEnvironment({
      STORAGE_URL: "s3://models/a/b/",
      S3_ENDPOINT: "http://127.0.0.1:9000",
      S3_REGION: "eu-central-1",
    }).storage,
  ).toEqual({ ...amazon, prefix: "a/b/", endpoint: "http://127.0.0.1:9000", region: "eu-central-1" });
});

test.each([
  ["file:./artifacts", path.resolve("artifacts")],
  ["file:artifacts/x", path.resolve("artifacts/x")],
  ["file:///srv/artifacts", "/srv/artifacts"],
  ["file:/srv/with%20space", "/srv/with space"],
])("STORAGE_URL=%s names a folder", (text, folder) => {
  expect(parseEnvironment({ STORAGE_URL: text }).storage).toEqual({ kind: "file", folder });
});

test("large limits are accepted as written", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (limit) => {
      const { rateLimit } = parseEnvironment({
        RATE_LIMIT_PER_MINUTE: String(limit),
        RATE_LIMIT_BURST: String(limit),
      });
      expect(rateLimit).toEqual({ perMinute: limit, burst: limit });
    }),
  );
});

test("hosted Pusher needs no host, a self-run one no cluster", () => {
  const keys = { PUSHER_APP_ID: "1", PUSHER_KEY: "key", PUSHER_SECRET: "secret-secret" };
  expect(parseEnvironment({ ...keys, PUSHER_CLUSTER: "eu" }).pusher).toMatchObject({
    host: null,
    cluster: "eu",
    useTls: true,
  });
  expect(
    parseEnvironment({ ...keys, PUSHER_HOST: "127.0.0.1", PUSHER_PORT: "6001", PUSHER_USE_TLS: "0" }).pusher,
  ).toMatchObject({ host: "127.0.0.1", port: 6001, cluster: null, useTls: false });
});
