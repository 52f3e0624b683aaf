import type { Session } from "./session.ts";
import { formatTime } from "./timed-rows.ts";
import { createTrainedProject, requestOfTrees } from "./trained-project.ts";

const NEWLINE = 10;

type ScenarioInput = {
  /** Path of the CSV file to upload. */
  file: string;
  rowCount: number;
  /**
   * Time of the first row in epoch milliseconds, and rows with actuals that start there, as CSV in base64. Null if the
   * rows have no times.
   */
  times: { from: number; actuals: string } | null;
};

/** Name of a step and its requests. */
type Step = [name: string, run: () => Promise<unknown>];

/** A scenario of an uploaded file and a what-if scenario based on it, used through the public API. */
export class LargeScenario {
  readonly #session: Session;
  readonly #at: string;
  readonly #input: ScenarioInput;
  readonly #checkpointId: string;
  #uploadId = "";
  #scenarioId = "";
  #whatIfId = "";

  private constructor(session: Session, at: string, checkpointId: string, input: ScenarioInput) {
    this.#session = session;
    this.#at = at;
    this.#checkpointId = checkpointId;
    this.#input = input;
  }

  /** Creates a project for the scenarios, with a model and a checkpoint. */
  static async create(
    session: Session,
    { training, trees, ...input }: ScenarioInput & { training: string; trees: number },
  ): Promise<LargeScenario> {
    const model = { training, timestamp: input.times && "time", request: requestOfTrees(trees) };
    const { at, checkpointId } = await createTrainedProject(session, model);
    return new LargeScenario(session, at, checkpointId, input);
  }

  /** Steps to run in this order; each step depends on the previous ones. */
  get steps(): Step[] {
    const session = this.#session;
    const { rowCount, times } = this.#input;
    const scenario = () => `${this.#at}/scenarios/${this.#scenarioId}`;
    const both = () => `ids=${this.#scenarioId},${this.#whatIfId}`;
    const compared = () => `${this.#at}/scenarios/compare?${both()}&maxPoints=1000`;
    const place = (row: number) => (times === null ? row : formatTime(times.from, row - 1));
    const middle = Math.floor(rowCount / 2);
    const zoom = `from=${place(middle)}&to=${place(middle + Math.floor(rowCount / 10))}`;
    return [
      ["upload", () => this.#upload()],
      ["scenario, from request to completion", () => this.#create()],
      ["first chart", () => session.get(`${scenario()}/predictions?maxPoints=1000`)],
      ["zoom into the chart", () => session.get(`${scenario()}/predictions?maxPoints=1000&${zoom}`)],
      ["last page of rows", () => session.get(`${scenario()}/rows?limit=50&offset=${rowCount - 50}`)],
      [
        "contributions of two rows",
        () => session.get(`${scenario()}/predictions/contributions?rows=1,${rowCount}`),
      ],
      ["extrapolation", () => session.get(`${scenario()}/extrapolation`)],
      ["download", () => this.#download(`${scenario()}/predictions`)],
      ["validation of the what-if scenario", () => this.#validate()],
      ["what-if scenario, from request to completion", () => this.#adjust()],
      ["comparison of both scenarios", () => session.get(compared())],
      ["zoom into the comparison", () => session.get(`${compared()}&${zoom}`)],
      ["extrapolation of both scenarios", () => session.get(`${this.#at}/scenarios/extrapolation?${both()}`)],
      [
        "explained difference of both scenarios",
        () =>
          session.get(`${this.#at}/scenarios/${this.#whatIfId}/difference?baselineId=${this.#scenarioId}`),
      ],
      ["download of the comparison", () => this.#download(compared())],
      ...(times === null ? [] : this.#actualSteps(times.actuals, scenario, compared)),
    ];
  }

  /** Steps that compare predictions with actuals, before and after their upload. */
  #actualSteps(fileData: string, scenario: () => string, compared: () => string): Step[] {
    const session = this.#session;
    const compareWithActuals = () =>
      session.get<{ reason: string | null }>(`${scenario()}/actuals?maxPoints=1000`);
    const expectActuals = (available: boolean) => async () => {
      const { reason } = await compareWithActuals();
      if ((reason === null) !== available)
        throw new Error(`Unexpected reason for missing actuals: ${reason}.`);
    };
    return [
      ["comparison with actuals, before their upload", expectActuals(false)],
      ["upload of actuals", () => session.post(`${this.#at}/dataset/rows`, { fileData })],
      ["comparison with actuals, after their upload", expectActuals(true)],
      ["comparison of both scenarios, with actuals", () => session.get(compared())],
    ];
  }

  async #upload(): Promise<void> {
    this.#uploadId = await this.#session.upload(`${this.#at}/uploads`, this.#input.file);
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
      ...this.#adjusted,
      checkpointId: this.#checkpointId,
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

  /** Downloads a CSV file, discards it, and checks its number of lines. */
  async #download(path: string): Promise<void> {
    const { url, cookie } = this.#session;
    const response = await fetch(`${url}/api/v1${path}`, { headers: { accept: "text/csv", cookie } });
    if (!response.ok) throw new Error(`${path} returned status ${response.status}: ${await response.text()}`);
    let lines = 0;
    for await (const chunk of response.body!)
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) lines++;
    if (lines !== this.#input.rowCount + 1)
      throw new Error(`The download has ${lines} lines instead of ${this.#input.rowCount + 1}.`);
  }
}
