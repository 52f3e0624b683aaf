/** Result of `run` with headers. */
export class Reply<T> {
  readonly data: T;
  readonly headers: Record<string, string>;

  constructor(data: T, headers: Record<string, string>) {
    this.data = data;
    this.headers = headers;
  }
}
