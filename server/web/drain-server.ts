import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import { isLingering } from "./unread-body.ts";

/** Ends a server without cutting off an answer. */
type ServerDrain = {
  /** Registers a response. Call it for each request before the answer. */
  track(request: IncomingMessage, response: ServerResponse): void;
  /** Makes each answer the last on its connection, so that callers send their next request to another server. */
  stopKeepAlive(): void;
  /** Rejects new connections and ends each open one after its last answer. After `graceMs`, ends all. */
  close(graceMs: number): Promise<void>;
};

/**
 * Tracks the unfinished answers of a server, so that it can close without losing any. Node.js's own `close` would
 * discard data that is written but not yet sent. It would also wait for connections that browsers open in advance, and for
 * connections that persist after their current answer.
 */
export function drainServer(server: Server): ServerDrain {
  const unfinished = new Map<Socket, Set<ServerResponse>>();
  let closeAfterAnswer = false;
  let isClosing = false;
  const announceClose = (response: ServerResponse | undefined) => {
    if (response?.headersSent === false) response.setHeader("Connection", "close");
  };
  server.on("connection", (socket) => {
    unfinished.set(socket, new Set());
    socket.once("close", () => unfinished.delete(socket));
  });
  return {
    track({ socket }, response) {
      const answers = unfinished.get(socket);
      if (answers === undefined) return;
      answers.add(response);
      if (closeAfterAnswer) announceClose(response);
      response.once("close", () => {
        answers.delete(response);
        if (isClosing && answers.size === 0) socket.destroySoon();
      });
    },
    stopKeepAlive() {
      closeAfterAnswer = true;
      for (const answers of unfinished.values()) announceClose([...answers].at(-1));
    },
    async close(graceMs) {
      isClosing = true;
      const closed = new Promise<void>((resolve) => {
        NetServer.prototype.close.call(server, () => resolve());
      });
      for (const [socket, answers] of unfinished) {
        if (answers.size === 0 && !isLingering(socket)) socket.destroy();
      }
      const late = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearTimeout(late);
    },
  };
}
