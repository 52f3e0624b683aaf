import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { preview, scenario } from "#testing/recorded-answers";
import { PreviewTotals } from "./preview-totals.tsx";

test("shows the difference of the shown means also if a row has no prediction", () => {
  const html = renderToStaticMarkup(
    <PreviewTotals
      isPart={false}
      scenario={{ ...scenario, summary: { ...scenario.summary!, sum: 4, mean: 2 } }}
      preview={{
        ...preview,
        rowCount: 3,
        totalDifference: 2,
        summary: { ...preview.summary, sum: 6, mean: 3 },
      }}
      isUpdating={false}
    />,
  );
  const cells = (/>Mean.*<\/tr>/.exec(html)?.[0] ?? "").matchAll(/<td[^>]*>([^<]*)/g);
  expect(Array.from(cells, ([, text]) => text)).toEqual(["2", "3", "+1"]);
});
