import type { Path, UseFormReturn } from "react-hook-form";
import { Field } from "#components/form/field.tsx";
import { TextField } from "#components/form/text-field.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { Select } from "#components/ui/input.tsx";
import type { TrainModel } from "#lib/contract/train-model";
import { HolidayFields } from "./holiday-fields.tsx";
import { directionIssue, LossFields } from "./loss-fields.tsx";
import { RollingFields } from "./rolling-fields.tsx";
import { choiceOrUnset, directionsOrUnset, lagsOrUnset, numberOrUnset } from "./train-settings.ts";

type Form = UseFormReturn<TrainModel>;

/** Field, label, placeholder for the default, and hint. */
type NumberSetting = [name: Path<TrainModel>, label: string, usual: string, help?: string];

const boosting: NumberSetting[] = [
  ["hyperparameters.rounds", "Rounds", "1000", "Maximum number of trees"],
  ["hyperparameters.maxLeaves", "Leaves per tree", "15"],
  ["hyperparameters.learningRate", "Learning rate", "0.05", "Over 0, at most 1"],
  ["hyperparameters.minLeaf", "Rows per leaf", "automatic"],
  ["hyperparameters.l1", "L1 penalty", "0"],
  ["hyperparameters.l2", "L2 penalty", "0"],
  ["hyperparameters.subsample", "Rows per tree", "0.5", "Fraction"],
  ["hyperparameters.colsample", "Columns per tree", "1", "Fraction"],
];

const otherSettings: NumberSetting[] = [
  ["hyperparameters.alpha", "Linear penalty", "automatic", "Alpha of ridge and elastic net"],
  ["hyperparameters.l1Ratio", "L1 ratio", "automatic", "For the elastic net, 0 to 1"],
  ["seed", "Seed", "1", "The same seed trains the same model"],
];

function Group({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <fieldset>
      <legend className="mb-2.5 text-xs font-medium tracking-wide text-ink-faint uppercase">{title}</legend>
      {children}
    </fieldset>
  );
}

function NumberField({ form, setting }: { form: Form; setting: NumberSetting }) {
  const [name, label, usual, help] = setting;
  return (
    <TextField
      {...{ form, name, label, help }}
      inputMode="decimal"
      placeholder={usual}
      rules={{ setValueAs: numberOrUnset }}
    />
  );
}

/** Returns the first issue of a list, with its position. */
function lagsIssue(form: Form): string | undefined {
  const issue = form.formState.errors.features?.lags;
  if (!issue) return undefined;
  if (Array.isArray(issue)) {
    const at = issue.findIndex(Boolean);
    return `Lag ${at + 1}: ${issue[at]?.message ?? "invalid value"}`;
  }
  return issue.message;
}

export function TrainAdvanced({
  form,
  isSeries,
  isOfClasses,
}: {
  form: Form;
  isSeries: boolean;
  /** Whether the target has two classes. Models then do not look back at it, and their loss is fixed. */
  isOfClasses: boolean;
}) {
  const inputsIssue = form.formState.errors.features?.inputs;
  return (
    <div className="space-y-6">
      <Group title="Features">
        {isSeries ? (
          <div className="space-y-4">
            {!isOfClasses && (
              <TextField
                form={form}
                name="features.lags"
                label="Lags of the target"
                help="In steps, such as 1, 24, 168. Default: selected by back-tests"
                error={lagsIssue(form)}
                placeholder="selected by back-tests"
                rules={{ setValueAs: lagsOrUnset }}
              />
            )}
            {!isOfClasses && <RollingFields form={form} />}
            <Checkbox {...form.register("features.calendar")}>
              Calendar features: hour, weekday, month, …
            </Checkbox>
            {!isOfClasses && (
              <div>
                <Checkbox {...form.register("features.inputs")}>
                  Always use the inputs, so that scenarios respond to them
                </Checkbox>
                {inputsIssue && <p className="mt-1 text-xs text-bad">{inputsIssue.message}</p>}
              </div>
            )}
            <HolidayFields form={form} />
          </div>
        ) : (
          <p className="text-[13px] text-ink-faint">
            The data has no timestamp. Every input column becomes a feature unchanged.
          </p>
        )}
      </Group>
      <Group title="Expected effects">
        <TextField
          form={form}
          name="expectedEffects"
          label="Sign of an input's effect"
          help="Example: price: decreasing, temp: increasing. No scenario contradicts it."
          error={directionIssue(form.formState.errors.expectedEffects)}
          placeholder="any"
          rules={{ setValueAs: directionsOrUnset }}
        />
      </Group>
      <Group title="Rows">
        <div className="grid gap-4 sm:grid-cols-3">
          <NumberField
            form={form}
            setting={[
              "validation.fraction",
              "Held-out fraction",
              "0.2",
              "0.05 to 0.5; the latest rows of a time series",
            ]}
          />
          {isSeries && !isOfClasses && (
            <Field
              label="Values that contradict all others"
              help="A warning names them; charts keep them"
              error={form.formState.errors.outliers?.message}
            >
              <Select {...form.register("outliers", { setValueAs: choiceOrUnset })}>
                <option value="">Ignore in training (default)</option>
                <option value="keep">Keep: they are real</option>
              </Select>
            </Field>
          )}
        </div>
      </Group>
      <Group title="Gradient boosting">
        <div className="grid grid-cols-2 gap-4 sm:grid-cols-4">
          {boosting.map((setting) => (
            <NumberField key={setting[0]} form={form} setting={setting} />
          ))}
        </div>
        <LossFields form={form} isOfClasses={isOfClasses} />
        <div className="mt-3">
          <Checkbox {...form.register("hyperparameters.earlyStopping")}>
            Stop early when more trees no longer help
          </Checkbox>
        </div>
      </Group>
      <Group title="Other">
        <div className="grid gap-4 sm:grid-cols-3">
          {otherSettings
            .filter(([name]) => !isOfClasses || name !== "hyperparameters.l1Ratio")
            .map((setting) => (
              <NumberField key={setting[0]} form={form} setting={setting} />
            ))}
        </div>
      </Group>
    </div>
  );
}
