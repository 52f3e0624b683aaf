import fc from "fast-check";
import { columns, csvFile, encoded, modelFile } from "./csv-files.ts";
import { cursor, idOf, pinnedCheckpoints } from "./ids.ts";
import { Later, settle } from "./later.ts";

const column = fc.constantFrom(...columns);
const someColumns = fc.subarray([...columns], { maxLength: 2 });
const day = fc.integer({ min: 0, max: 120 }).map((at) => new Date(Date.UTC(2024, 0, 1 + at)));
const date = fc
  .tuple(day, fc.boolean())
  .map(([value, short]) => value.toISOString().slice(0, short ? 10 : undefined));
const word = fc.constantFrom("Spring", "Winter 2024", "Äther", "x y", "a1");
const scenario = idOf("scenario");

const input = fc.integer({ min: 1, max: 4 }).chain((rows) => {
  const list = <T>(item: fc.Arbitrary<T>) => fc.array(item, { minLength: rows, maxLength: rows });
  const number = fc.oneof({ weight: 9, arbitrary: fc.double({ noNaN: true }) }, fc.constantFrom(null, "3.5"));
  return fc.record(
    { temp: list(number), wind: list(number), day: list(date), upstream_0: list(number), city: list(word) },
    { requiredKeys: ["temp", "wind"] },
  );
});

/**
 * Meaningful values for the projects of the run, by name of the field or parameter. Values from the schema alone would
 * seldom pass the first validation of an operation.
 */
export const meanings: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  fileData: encoded(csvFile),
  labelledRows: encoded(csvFile),
  modelFile: encoded(modelFile),
  input,
  dependentProjectCheckpoints: pinnedCheckpoints,
  dependencies: fc.tuple(fc.nat(3), fc.constantFrom("upstream_0", "upstream_1", "temp")).map(
    ([how, featureName]) =>
      new Later(({ world: { upstream, stranger } }) => {
        const { projectId } = how === 3 ? stranger : upstream;
        return how === 0 ? [] : [{ projectId, featureName }];
      }),
  ),
  target: fc.constantFrom("demand", "demand", "demand", "temp", "city", "none"),
  timestamp: fc.constantFrom("day", "day", null, "temp", ["day"], ["day", "wind"]),
  exclude: someColumns,
  categories: someColumns,
  feature: column,
  inputs: fc.constantFrom(
    [{ feature: "temp" }, { feature: "wind" }],
    [{ feature: "day", type: "timestamp" }],
  ),
  label: word,
  checkpointLabel: word,
  name: word,
  email: fc.nat(20).map((at) => (at > 14 ? "first@example.com" : `member-${at}@example.com`)),
  password: fc.constant("battery staple"),
  currentPassword: fc.constant("correct horse battery"),
  newPassword: fc.constant("correct horse battery"),
  timezone: fc.constantFrom("UTC", "Europe/Berlin", "Mars/Phobos"),
  endDate: date,
  from: fc.oneof(date, fc.nat(70).map(String)),
  to: fc.oneof(date, fc.nat(70).map(String)),
  expiresAt: fc.constantFrom(
    null,
    "2999-01-01T00:00:00Z",
    "2999-01-01T00:00:00+01:00",
    "2020-01-01T00:00:00Z",
  ),
  overlapSeconds: fc.nat(100),
  // Fast training: the run does not test training itself.
  algorithm: fc.constantFrom("ridge", "ridge", "gradient_boosting"),
  rounds: fc.integer({ min: 1, max: 10 }),
  lags: fc.array(fc.integer({ min: 1, max: 7 }), { maxLength: 3 }),
  window: fc.integer({ min: 2, max: 5 }),
  shift: fc.integer({ min: 1, max: 3 }),
  horizon: fc.integer({ min: 1, max: 5 }),
  cursor,
  ids: fc
    .array(scenario, { minLength: 1, maxLength: 4 })
    .map((ids) => new Later((moment) => (settle(ids, moment) as string[]).join(","))),
  baselineId: scenario,
  actorId: idOf("user"),
  rows: fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 3 }).map(String),
  projectId: idOf("project"),
  socket_id: fc.constant("1.1"),
  channel_name: idOf("project").map(
    (id) => new Later((moment) => `private-project-${settle(id, moment) as string}`),
  ),
};
