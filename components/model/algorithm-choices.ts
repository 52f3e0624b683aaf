import { algorithmNames, algorithms } from "#lib/contract/algorithms";

/** Returns the algorithms that suit the task and the data, with their names. */
export function algorithmChoices(isOfClasses: boolean, hasFrequency: boolean): [string, string][] {
  const suited = hasFrequency ? algorithmNames("inputs", "naive", "series") : algorithmNames("inputs");
  return suited.flatMap((value): [string, string][] => {
    const { label, choice = label, classLabel } = algorithms[value];
    const name = isOfClasses ? classLabel : choice;
    return name === undefined ? [] : [[value, name]];
  });
}
