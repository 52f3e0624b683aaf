import { openAsBlob } from "node:fs";
import type { Session } from "./session.ts";

const NEWLINE = 10;

type Facts = { file: string; rowCount: number };

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

  /** @param learned CSV in base64, of which a model of so many trees is trained */
  static async create(
    session: Session,
    { learned, trees, ...facts }: Facts & { learned: string; trees: number },
  ): Promise<LargeScenario> {
    const { id } = await session.post<{ id: string }>("/projects", { name: "Bench of large scenarios" });
    const at = `/projects/${id}`;
    await session.put(`${at}/dataset`, { fileData: learned, target: "y" });
    const hyperparameters = { rounds: trees, maxLeaves: 31, learningRate: 0.1, earlyStopping: false };
    await session.job(`${at}/models/train`, { algorithm: "gradient_boosting", hyperparameters });
    const { checkpointId } = await session.job<{ checkpointId: string }>(`${at}/checkpoints`, {});
    return new LargeScenario(session, at, checkpointId, facts);
  }

  /** What is done, in this order: each step builds on the ones before. */
  get steps(): [name: string, run: () => Promise<unknown>][] {
    const session = this.#session;
    const { rowCount } = this.#facts;
    const scenario = () => `${this.#at}/scenarios/${this.#scenarioId}`;
    const compared = () =>
      `${this.#at}/scenarios/compare?ids=${this.#scenarioId},${this.#whatIfId}&maxPoints=1000`;
    const middle = Math.floor(rowCount / 2);
    const zoom = `from=${middle}&to=${middle + Math.floor(rowCount / 10)}`;
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
      [
        "difference of the two, explained",
        () =>
          session.get(`${this.#at}/scenarios/${this.#whatIfId}/difference?baselineId=${this.#scenarioId}`),
      ],
      ["download of the comparison", () => this.#download(compared())],
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
