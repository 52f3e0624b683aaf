import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import { isLeaving } from "./unread-body.ts";

/** A server's way to end without taking an answer from anybody. */
export type Ending = {
  /** Told of each request before it is answered. */
  begins(request: IncomingMessage, response: ServerResponse): void;
  /** From now on each answer is the last one on its connection, so that callers go elsewhere with their next request. */
  lastAnswers(): void;
  /** Takes no more connections and ends each once it owes nothing; those that are left after so many milliseconds, too. */
  close(graceMs: number): Promise<void>;
};

/**
 * Keeps count of a server's answers under way. Node.js itself, when it closes a server, would cut off what is written
 * but not yet sent, and wait for connections that browsers open ahead of need and for those kept alive by an answer whose
 * head was sent before.
 */
export function endInTurn(server: Server): Ending {
  const underWay = new Map<Socket, Set<ServerResponse>>();
  let areLast = false;
  let isClosing = false;
  const tellLast = (response: ServerResponse | undefined) => {
    if (response?.headersSent === false) response.setHeader("Connection", "close");
  };
  server.on("connection", (socket) => {
    underWay.set(socket, new Set());
    socket.once("close", () => underWay.delete(socket));
  });
  return {
    begins({ socket }, response) {
      const answers = underWay.get(socket);
      if (answers === undefined) return;
      answers.add(response);
      if (areLast) tellLast(response);
      response.once("close", () => {
        answers.delete(response);
        if (isClosing && answers.size === 0) socket.destroySoon();
      });
    },
    lastAnswers() {
      areLast = true;
      for (const answers of underWay.values()) tellLast([...answers].at(-1));
    },
    async close(graceMs) {
      isClosing = true;
      const closed = new Promise<void>((resolve) => {
        NetServer.prototype.close.call(server, () => resolve());
      });
      for (const [socket, answers] of underWay) {
        if (answers.size === 0 && !isLeaving(socket)) socket.destroy();
      }
      const late = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearTimeout(late);
    },
  };
}
