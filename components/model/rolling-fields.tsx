import { Plus, Trash2 } from "lucide-react";
import { type UseFormReturn, useFieldArray } from "react-hook-form";
import { Button } from "#components/ui/button.tsx";
import { Input, Select } from "#components/ui/input.tsx";
import type { TrainModel } from "#lib/contract/train-model";

const windowDefault = { window: 24, shift: 1, statistic: "mean" } as const;

/** Fields for rolling statistics of the target: "mean of 24 steps, ending 1 step back". */
export function RollingFields({ form }: { form: UseFormReturn<TrainModel> }) {
  const windows = useFieldArray({ control: form.control, name: "features.rolling" });
  const issues = form.formState.errors.features?.rolling;
  return (
    <div className="space-y-2">
      {windows.fields.map((field, index) => {
        const issue = issues?.[index];
        const message = issue?.window?.message ?? issue?.shift?.message ?? issue?.statistic?.message;
        return (
          <div key={field.id} className="text-[13px]">
            <div className="flex flex-wrap items-center gap-2">
              <Select
                aria-label={`Statistic of window ${index + 1}`}
                className="!w-28"
                {...form.register(`features.rolling.${index}.statistic`)}
              >
                <option value="mean">mean</option>
                <option value="min">min</option>
                <option value="max">max</option>
                <option value="std">spread</option>
              </Select>
              of
              <Input
                aria-label={`Steps in window ${index + 1}`}
                aria-invalid={issue?.window !== undefined}
                className="!w-20"
                inputMode="numeric"
                {...form.register(`features.rolling.${index}.window`, { valueAsNumber: true })}
              />
              steps, ending
              <Input
                aria-label={`Shift of window ${index + 1}`}
                aria-invalid={issue?.shift !== undefined}
                className="!w-20"
                inputMode="numeric"
                {...form.register(`features.rolling.${index}.shift`, { valueAsNumber: true })}
              />
              back
              <Button
                look="quiet"
                size="icon"
                aria-label={`Remove window ${index + 1}`}
                onClick={() => windows.remove(index)}
              >
                <Trash2 className="size-4" />
              </Button>
            </div>
            {message && <p className="mt-1 text-xs text-bad">{message}</p>}
          </div>
        );
      })}
      <Button size="sm" onClick={() => windows.append(windowDefault)}>
        <Plus className="size-3.5" /> Add a rolling window
      </Button>
      {issues?.root && <p className="text-xs text-bad">{issues.root.message}</p>}
    </div>
  );
}
