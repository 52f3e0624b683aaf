"use client";

import { useEffect, useState } from "react";
import type { Table } from "#lib/contract/table";
import { describeProfile, profileColumn } from "#lib/csv/profile";
import { detectFrequency } from "#lib/ml/features/frequency";
import type { DescribedColumn } from "./column-table.tsx";

export type Profile = { columns: DescribedColumn[]; frequency: string | null };

/** A task of its own for each column lets the browser paint in between. */
const nextTask = () => new Promise((resolve) => setTimeout(resolve));

/**
 * What is in the columns of a file, as the service will tell it once it has the file; null until it is counted.
 *
 * @param timestamp the column that says when each row happened, if one is chosen
 */
export function useProfile(table: Table | null, timestamp: string | null): Profile | null {
  const [profile, setProfile] = useState<Profile | null>(null);
  useEffect(() => {
    const abort = new AbortController();
    const count = async () => {
      const columns: DescribedColumn[] = [];
      for (const column of table?.columns ?? []) {
        await nextTask();
        if (abort.signal.aborted) return;
        columns.push(describeProfile(profileColumn(column)));
      }
      await nextTask();
      if (abort.signal.aborted) return;
      setProfile(table && { columns, frequency: frequencyOf(table, timestamp) });
    };
    void count();
    return () => abort.abort();
  }, [table, timestamp]);
  return profile;
}

function frequencyOf({ columns }: Table, timestamp: string | null): string | null {
  const column = columns.find(({ name }) => name === timestamp);
  if (column?.type !== "timestamp") return null;
  return detectFrequency(column.values.filter((time) => !Number.isNaN(time)));
}
