import { AsyncLocalStorage } from "node:async_hooks";
import { type BetterAuthOptions, betterAuth } from "better-auth";
import { drizzleAdapter } from "better-auth/adapters/drizzle";
import { APIError, isAPIError } from "better-auth/api";
import { and, eq, isNull } from "drizzle-orm";
import { account, session, user, verification } from "#db/schema/users";
import { authSecret } from "#lib/platform/config/secrets";
import { clientAddressHeader } from "#lib/platform/context/client-address-header";
import { database } from "#lib/platform/database/process-database";
import { logger } from "#lib/platform/log/logger";
import { perProcess } from "#lib/platform/process/per-process";

/** Cause of a failed library call, which the library only logs. */
export const libraryFailure = new AsyncLocalStorage<{ cause?: Error }>();

/** Options of sign-in by the company's provider. */
type CompanyOptions = Pick<BetterAuthOptions, "plugins" | "account"> & {
  validateUserInfo?: NonNullable<BetterAuthOptions["user"]>["validateUserInfo"];
};

/** Configures the sign-in library for sessions, and for e-mail and password. There is no sign-up: admins create the accounts. */
export function createAuth({
  plugins = [],
  account: accountOptions = {},
  validateUserInfo,
}: CompanyOptions = {}) {
  return betterAuth({
    appName: "Forkcast",
    secret: authSecret(),
    database: drizzleAdapter(database(), {
      provider: "pg",
      schema: { user, session, account, verification },
    }),
    emailAndPassword: { enabled: true, disableSignUp: true, maxPasswordLength: 128 },
    plugins,
    account: accountOptions,
    user: {
      additionalFields: { role: { type: "string", required: false, input: false } },
      ...(validateUserInfo && { validateUserInfo }),
    },
    databaseHooks: { session: { create: { before: prepareSession } } },
    // Every request queries the database, so removed or signed-out users lose access at once.
    session: { cookieCache: { enabled: false } },
    // Sign-in has the service's limits per account and address; sign-out needs none.
    rateLimit: { enabled: false },
    advanced: {
      // The public scheme is known only per request: see `cookieForBrowser`.
      useSecureCookies: false,
      // The routes reject foreign pages by the same rule as all other routes, and accept programs without an `Origin`. The
      // library's own check would require an `Origin` of programs, but only in production.
      disableCSRFCheck: true,
      ipAddress: { ipAddressHeaders: [clientAddressHeader] },
    },
    telemetry: { enabled: false },
    onAPIError: {
      errorURL: "/login",
      // By default, the library logs the error with the parameters of queries, and responds with 500.
      onError: (error) => {
        if (!isAPIError(error)) throw error;
      },
    },
    logger: {
      level: "warn",
      // By default, the library logs errors with the parameters of queries.
      log: (level, message, ...details) => {
        const err = details.find((detail) => detail instanceof Error);
        const failure = libraryFailure.getStore();
        if (failure && err) failure.cause ??= err;
        logger()[level]({ ...(err ? { err } : {}), part: "sign-in" }, message);
      },
    },
  });
}

/**
 * Responds as for a wrong password for a disabled account, so callers cannot find out whether it exists. Stores the
 * caller's whole address: the library would keep only the network of an IPv6 address.
 */
async function prepareSession(
  { userId }: { userId: string },
  call: { headers?: Headers | undefined } | null,
): Promise<{ data: { ipAddress: string | null } }> {
  const [row] = await database()
    .select({ id: user.id })
    .from(user)
    .where(and(eq(user.id, userId), isNull(user.disabledAt)));
  if (!row) {
    throw APIError.from("UNAUTHORIZED", {
      code: "INVALID_EMAIL_OR_PASSWORD",
      message: "Invalid email or password",
    });
  }
  return { data: { ipAddress: call?.headers?.get(clientAddressHeader) ?? null } };
}

/** Returns this process's auth instance, created on first use: the build has neither a secret nor a database. */
export const auth = perProcess("authOfProcess", () => createAuth());
