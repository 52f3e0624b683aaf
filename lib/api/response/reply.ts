/** Result of `run` with a status or headers. */
export class Reply<T> {
  readonly data: T;
  readonly status: number | undefined;
  readonly headers: Record<string, string>;

  constructor(data: T, options: { status?: number; headers?: Record<string, string> }) {
    this.data = data;
    this.status = options.status;
    this.headers = options.headers ?? {};
  }
}

export function reply<T>(
  data: T,
  options: { status?: number; headers?: Record<string, string> } = {},
): Reply<T> {
  return new Reply(data, options);
}
