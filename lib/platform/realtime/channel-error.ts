/** Status codes that reject the events themselves, not temporary states of the channel. */
const rejections: readonly unknown[] = [400, 413, 422];

/** Rejection by the channel, or no response from it. */
export class ChannelError extends Error {
  override name = "ChannelError";
  /** Whether the channel rejects these events permanently. */
  readonly isRejection: boolean;
  /** Whether the channel has answered at all. */
  readonly isAnswer: boolean;
  /** Whether the channel does not have this call. */
  readonly isUnknownCall: boolean;

  constructor(error: unknown) {
    const { status, body, error: cause } = error as { status?: number; body?: string; error?: unknown };
    const said =
      status === undefined ? "does not answer" : `answers ${status}: ${String(body).slice(0, 200)}`;
    super(`The realtime channel ${said}`, { cause: status === undefined ? (cause ?? error) : undefined });
    this.isUnknownCall = status === 404 || status === 405;
    this.isAnswer = status !== undefined;
    this.isRejection = rejections.includes(status);
  }
}
