import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { z } from "zod";

/** Returns whether this process serves users, not a developer or a test. */
export function inProduction(): boolean {
  return process.env.NODE_ENV === "production";
}

const wholeNumber = (least: number, most: number) =>
  z.string().transform((text, context) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    const range = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
    context.addIssue({ code: "custom", message: `a whole number ${range}` });
    return z.NEVER;
  });

const yesOrNo = z.string().transform((text, context) => {
  if (/^(1|true|yes|on)$/i.test(text)) return true;
  if (/^(0|false|no|off)$/i.test(text)) return false;
  context.addIssue({ code: "custom", message: "1 (yes) or 0 (no)" });
  return z.NEVER;
});

const port = wholeNumber(1, 65_535);
const count = wholeNumber(1, Number.MAX_SAFE_INTEGER);

const bytesOf = { "": 1, kb: 1e3, mb: 1e6, gb: 1e9, tb: 1e12 };

/** Number of bytes, as a whole number with an optional decimal unit. */
const space = z.string().transform((text, context) => {
  const [, digits, unit] = /^(\d{1,15}) ?([kmgt]b)?$/i.exec(text) ?? [];
  const bytes = Number(digits) * bytesOf[(unit ?? "").toLowerCase() as keyof typeof bytesOf];
  if (Number.isSafeInteger(bytes) && bytes >= 1) return bytes;
  context.addIssue({ code: "custom", message: "a number of bytes, such as 500MB or 20GB" });
  return z.NEVER;
});

const databaseUrl = z.string().transform((text, context) => {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url && /^postgres(ql)?:$/.test(url.protocol) && url.hostname !== "") return text;
  context.addIssue({
    code: "custom",
    message: "an address like postgres://user:password@host:5432/database",
  });
  return z.NEVER;
});

const storageExample = "a file: or s3: address, for example file:./artifacts or s3://bucket/folder";

type StorageUrl = { kind: "file"; folder: string } | { kind: "s3"; bucket: string; prefix: string };

/** Where artifacts are kept; `file:` addresses may be relative to the working directory (`file:./artifacts`). */
const storageUrl = z.string().transform((text, context): StorageUrl => {
  const s3 = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[\w.!*'()-]+)*)\/?$/.exec(text);
  if (s3) return { kind: "s3", bucket: s3[1]!, prefix: s3[2] ? `${s3[2].slice(1)}/` : "" };
  const base = pathToFileURL(`${process.cwd()}/`);
  const url = /^file:/i.test(text) && URL.canParse(text, base) ? new URL(text, base) : null;
  if (url && url.hostname === "" && !/%2f|%00/i.test(url.pathname)) {
    return { kind: "file", folder: path.resolve(fileURLToPath(url)) };
  }
  context.addIssue({ code: "custom", message: storageExample });
  return z.NEVER;
});

/**
 * Address of the realtime service for browsers if it differs from the one for this service, for example behind a proxy.
 */
const socketAddress = z.string().transform((text, context) => {
  const [, scheme, host, port, path] =
    /^(wss?):\/\/([\w.-]+|\[[\da-f:]+\])(?::(\d{1,5}))?((?:\/[\w.~-]+)*)\/?$/i.exec(text) ?? [];
  if (scheme !== undefined && host !== undefined && Number(port ?? 1) <= 65_535) {
    const tls = scheme.toLowerCase() === "wss";
    return { host, port: port === undefined ? (tls ? 443 : 80) : Number(port), tls, ...(path && { path }) };
  }
  context.addIssue({
    code: "custom",
    message: "an address like wss://forkcast.example.com or wss://example.com/events",
  });
  return z.NEVER;
});

const webAddress = z.string().refine((text) => /^https?:/i.test(text) && URL.canParse(text), {
  message: "an address like https://example.com",
});

const smtpUrl = z.string().transform((text, context) => {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url && /^smtps?:$/.test(url.protocol) && url.hostname !== "") return text;
  context.addIssue({ code: "custom", message: "an address like smtps://user:password@mail.example.com" });
  return z.NEVER;
});

/** Sender of mails: an address, with or without a name. */
const sender = z.string().transform((text, context) => {
  const [, name = "", address] = /^([^<>"\r\n]{0,100})<([^<>]+)>$/.exec(text) ?? [text, "", text];
  if (z.email().safeParse(address).success) return { name: name.trim(), address: address! };
  context.addIssue({ code: "custom", message: "an address like Forkcast <forkcast@example.com>" });
  return z.NEVER;
});

/** Number of proxies in front of the service whose `X-Forwarded-For` entries are trusted. */
const trustedProxies = z.string().transform((text, context) => {
  if (/^\d$/.test(text)) return Number(text);
  if (/^(true|yes|on)$/i.test(text)) return 1;
  if (/^(false|no|off)$/i.test(text)) return 0;
  context.addIssue({ code: "custom", message: "the number of proxies in front of the service, from 0 to 9" });
  return z.NEVER;
});

/** Names separated by commas. */
const names = z.string().transform((text) =>
  text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== ""),
);

const atLeast = (characters: number) => z.string().min(characters, `at least ${characters} characters`);

/** Environment variables of the service, by name. An empty value counts as not set. */
export const environmentVariables = z.object({
  PORT: port.prefault("3000"),
  BIND_ADDRESS: z.union([z.ipv4(), z.ipv6()], "an IPv4 or IPv6 address such as 127.0.0.1").optional(),
  DATA_DIR: z
    .string()
    .prefault(".data")
    .transform((folder) => path.resolve(folder)),
  DATABASE_URL: databaseUrl.optional(),
  STORAGE_URL: storageUrl.optional(),
  S3_ENDPOINT: webAddress.optional(),
  S3_REGION: z.string().prefault("us-east-1"),
  REALTIME_PORT: port.optional(),
  REALTIME_CONNECTIONS_PER_ADDRESS: count.prefault("1000"),
  WORKER_PORT: port.optional(),
  DRAIN_SECONDS: wholeNumber(0, 3_600).optional(),
  REALTIME_PUBLIC_URL: socketAddress.optional(),
  PUSHER_APP_ID: z
    .string()
    .regex(/^[\w-]+$/, "letters, digits, _ and -")
    .optional(),
  PUSHER_KEY: z
    .string()
    .regex(/^[\w-]+$/, "letters, digits, _ and -")
    .optional(),
  PUSHER_SECRET: atLeast(8).optional(),
  PUSHER_HOST: z
    .string()
    .regex(/^[\w.:[\]-]+$/, "a host name without scheme or path")
    .optional(),
  PUSHER_PORT: port.optional(),
  PUSHER_USE_TLS: yesOrNo.optional(),
  PUSHER_CLUSTER: z
    .string()
    .regex(/^[\w-]+$/, "a cluster's name such as mt1 or eu")
    .optional(),
  ADMIN_EMAIL: z.email("an e-mail address").optional(),
  ADMIN_PASSWORD: z.string().min(10, "10 to 128 characters").max(128, "10 to 128 characters").optional(),
  DEMO: yesOrNo.prefault("1"),
  LOG_LEVEL: z
    .enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"], {
      error: "one of trace, debug, info, warn, error, fatal, silent",
    })
    .prefault("info"),
  RATE_LIMIT_PER_MINUTE: count.prefault("600"),
  RATE_LIMIT_BURST: count.prefault("100"),
  MODEL_MEMORY_MB: wholeNumber(512, 1_048_576).prefault("1024"),
  AUTH_FAILURES_PER_MINUTE: count.prefault("60"),
  QUOTA_BYTES: space.prefault("20GB"),
  QUOTA_OPEN_UPLOADS: count.prefault("100"),
  QUOTA_OPEN_UPLOAD_BYTES: space.prefault("10GB"),
  TRUST_PROXY: trustedProxies.prefault("0"),
  AUTH_SECRET: atLeast(32).optional(),
  WEBHOOKS_ALLOW_PRIVATE: yesOrNo.prefault("0"),
  COMPARISON_LINKS: yesOrNo.prefault("0"),
  PASSWORD_SIGN_IN: yesOrNo.prefault("1"),
  OIDC_ISSUER: webAddress.optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_NAME: z.string().max(60, "at most 60 characters").prefault("your company account"),
  OIDC_TRUSTS_EMAIL: yesOrNo.prefault("0"),
  OIDC_GROUPS_CLAIM: z.string().prefault("groups"),
  OIDC_GROUPS: names.optional(),
  OIDC_ADMIN_GROUPS: names.optional(),
  SMTP_URL: smtpUrl.optional(),
  MAIL_FROM: sender.optional(),
  PUBLIC_URL: webAddress.optional(),
});

export type EnvironmentVariables = z.output<typeof environmentVariables>;

/** Variables whose value must not appear in a message or a log. */
export const secretVariables: ReadonlySet<string> = new Set([
  "DATABASE_URL",
  "PUSHER_SECRET",
  "ADMIN_PASSWORD",
  "AUTH_SECRET",
  "OIDC_CLIENT_SECRET",
  "SMTP_URL",
  // Read by the S3 library.
  "AWS_SECRET_ACCESS_KEY",
  "AWS_SESSION_TOKEN",
]);
