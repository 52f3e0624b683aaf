import { z } from "zod";
import { type Credentials, isUserAuthenticated } from "#server/realtime/signatures";

const signIn = z.object({ auth: z.string(), user_data: z.string() });
const userData = z.object({ id: z.string().min(1).max(128) });

/**
 * Who a connection signs in as: https://pusher.com/docs/channels/using_channels/user-authentication/
 *
 * @param data of a client's `pusher:signin`
 * @returns null where it is not signed, or names nobody
 */
export function readSignIn(
  credentials: Credentials,
  socketId: string,
  data: unknown,
): { id: string; userData: string } | null {
  const request = signIn.safeParse(data).data;
  if (
    !request ||
    !isUserAuthenticated(credentials, { socketId, userData: request.user_data, auth: request.auth })
  )
    return null;
  try {
    const { id } = userData.parse(JSON.parse(request.user_data));
    return { id, userData: request.user_data };
  } catch {
    return null; // Signed, but no user.
  }
}

/** The connections of each user who has signed in. */
export class Users<Connection> {
  readonly #connections = new Map<string, Set<Connection>>();

  add(id: string, connection: Connection): void {
    const connections = this.#connections.get(id) ?? new Set();
    this.#connections.set(id, connections.add(connection));
  }

  remove(id: string, connection: Connection): void {
    const connections = this.#connections.get(id);
    if (connections?.delete(connection) && connections.size === 0) this.#connections.delete(id);
  }

  of(id: string): Connection[] {
    return [...(this.#connections.get(id) ?? [])];
  }
}
