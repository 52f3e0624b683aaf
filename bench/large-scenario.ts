import { openAsBlob } from "node:fs";
import type { Session } from "./session.ts";
import { tellTime } from "./timed-rows.ts";

const NEWLINE = 10;

/** `times`: of the first row in epoch milliseconds, and rows with actual values from it on, as CSV in base64; null without times. */
type Facts = { file: string; rowCount: number; times: { from: number; actuals: string } | null };

type Step = [name: string, run: () => Promise<unknown>];

/** Requests about a scenario of one uploaded file and a what-if scenario of it, by the API that everybody uses. */
export class LargeScenario {
  readonly #session: Session;
  readonly #at: string;
  readonly #facts: Facts;
  readonly #checkpointId: string;
  #uploadId = "";
  #scenarioId = "";
  #whatIfId = "";

  private constructor(session: Session, at: string, checkpointId: string, facts: Facts) {
    this.#session = session;
    this.#at = at;
    this.#checkpointId = checkpointId;
    this.#facts = facts;
  }

  /**
   * @param learned CSV in base64, of which a model of so many trees is trained: each row is predicted by itself, from its
   *   own values and, where it has a time, what the calendar says of it
   */
  static async create(
    session: Session,
    { learned, trees, ...facts }: Facts & { learned: string; trees: number },
  ): Promise<LargeScenario> {
    const { id } = await session.post<{ id: string }>("/projects", { name: "Bench of large scenarios" });
    const at = `/projects/${id}`;
    const timestamp = facts.times && "time";
    await session.put(`${at}/dataset`, { fileData: learned, target: "y", timestamp });
    const hyperparameters = { rounds: trees, maxLeaves: 31, learningRate: 0.1, earlyStopping: false };
    const features = { lags: [] };
    await session.job(`${at}/models/train`, { algorithm: "gradient_boosting", hyperparameters, features });
    const { checkpointId } = await session.job<{ checkpointId: string }>(`${at}/checkpoints`, {});
    return new LargeScenario(session, at, checkpointId, facts);
  }

  /** What is done, in this order: each step builds on the ones before. */
  get steps(): Step[] {
    const session = this.#session;
    const { rowCount, times } = this.#facts;
    const scenario = () => `${this.#at}/scenarios/${this.#scenarioId}`;
    const both = () => `ids=${this.#scenarioId},${this.#whatIfId}`;
    const compared = () => `${this.#at}/scenarios/compare?${both()}&maxPoints=1000`;
    const place = (row: number) => (times === null ? row : tellTime(times.from, row - 1));
    const middle = Math.floor(rowCount / 2);
    const zoom = `from=${place(middle)}&to=${place(middle + Math.floor(rowCount / 10))}`;
    return [
      ["upload", () => this.#upload()],
      ["scenario, from the request to its end", () => this.#create()],
      ["first chart", () => session.get(`${scenario()}/predictions?maxPoints=1000`)],
      ["zoom into it", () => session.get(`${scenario()}/predictions?maxPoints=1000&${zoom}`)],
      ["last page of rows", () => session.get(`${scenario()}/rows?limit=50&offset=${rowCount - 50}`)],
      [
        "contributions of two rows",
        () => session.get(`${scenario()}/predictions/contributions?rows=1,${rowCount}`),
      ],
      ["outside of training", () => session.get(`${scenario()}/extrapolation`)],
      ["download", () => this.#download(`${scenario()}/predictions`)],
      ["what-if scenario, checked", () => this.#validate()],
      ["what-if scenario, from the request to its end", () => this.#adjust()],
      ["comparison of the two", () => session.get(compared())],
      ["zoom into it", () => session.get(`${compared()}&${zoom}`)],
      ["outside of training, of the two", () => session.get(`${this.#at}/scenarios/extrapolation?${both()}`)],
      [
        "difference of the two, explained",
        () =>
          session.get(`${this.#at}/scenarios/${this.#whatIfId}/difference?baselineId=${this.#scenarioId}`),
      ],
      ["download of the comparison", () => this.#download(compared())],
      ...(times === null ? [] : this.#actualSteps(times.actuals, scenario, compared)),
    ];
  }

  /** What actual values add, before and after some have arrived. */
  #actualSteps(fileData: string, scenario: () => string, compared: () => string): Step[] {
    const session = this.#session;
    const judge = () => session.get<{ reason: string | null }>(`${scenario()}/actuals?maxPoints=1000`);
    const expect = (arrived: boolean) => async () => {
      const { reason } = await judge();
      if ((reason === null) !== arrived) throw new Error(`Of actual values was told: ${reason}.`);
    };
    return [
      ["beside what came true, of which nothing is known", expect(false)],
      ["actual values arrive", () => session.post(`${this.#at}/dataset/rows`, { fileData })],
      ["beside what came true", expect(true)],
      ["comparison of the two, beside what came true", () => session.get(compared())],
    ];
  }

  async #upload(): Promise<void> {
    const { url, cookie } = this.#session;
    const response = await fetch(`${url}/api/v1${this.#at}/uploads`, {
      method: "POST",
      headers: { "content-type": "text/csv", origin: url, cookie },
      body: await openAsBlob(this.#facts.file),
    });
    if (!response.ok) throw new Error(`The upload was answered ${response.status}: ${await response.text()}`);
    this.#uploadId = ((await response.json()) as { data: { uploadId: string } }).data.uploadId;
  }

  async #create(): Promise<void> {
    this.#scenarioId = await this.#scenario({ title: "Uploaded", uploadId: this.#uploadId });
  }

  get #adjusted() {
    const where = [{ feature: "x1", operator: ">", value: 0.5 }];
    const adjustments = [{ feature: "x0", operation: "multiply", value: 1.1, where }];
    return { baseScenarioId: this.#scenarioId, adjustments };
  }

  async #validate(): Promise<void> {
    const { valid } = await this.#session.post<{ valid: boolean }>(`${this.#at}/scenarios/validate`, {
      ...{ ...this.#adjusted, checkpointId: this.#checkpointId },
    });
    if (!valid) throw new Error("The what-if scenario is not valid.");
  }

  async #adjust(): Promise<void> {
    this.#whatIfId = await this.#scenario({ title: "What if", ...this.#adjusted });
  }

  async #scenario(body: object): Promise<string> {
    const request = { ...body, checkpointId: this.#checkpointId };
    return (await this.#session.job<{ scenarioId: string }>(`${this.#at}/scenarios`, request)).scenarioId;
  }

  /** All of it, thrown away. */
  async #download(path: string): Promise<void> {
    const { url, cookie } = this.#session;
    const response = await fetch(`${url}/api/v1${path}`, { headers: { accept: "text/csv", cookie } });
    if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${await response.text()}`);
    let lines = 0;
    for await (const chunk of response.body!)
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) lines++;
    if (lines !== this.#facts.rowCount + 1) throw new Error(`The download has ${lines} lines.`);
  }
}
