"use client";

import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useState } from "react";
import { queries } from "#components/api/queries.ts";
import { useMay } from "#components/api/viewer.tsx";
import { Button, ButtonLink, type ButtonProps } from "#components/ui/button.tsx";

const AppendDialog = dynamic(() => import("./append-dialog.tsx"), { ssr: false });

/** Opens the dialog that adds rows to the dataset. Without a dataset, leads to the page that uploads one. */
export function AddRowsButton({ projectId, size = "md" }: { projectId: string } & Pick<ButtonProps, "size">) {
  const mayAdd = useMay()("appendDatasetRows");
  const { data: dataset } = useQuery(queries.dataset(projectId));
  const [isOpen, setIsOpen] = useState(false);
  if (!mayAdd || dataset === undefined) return null;
  if (dataset === null) {
    return (
      <ButtonLink size={size} href={`/projects/${projectId}/data`}>
        Upload data
      </ButtonLink>
    );
  }
  return (
    <>
      <Button size={size} onClick={() => setIsOpen(true)}>
        Add rows
      </Button>
      {isOpen && <AppendDialog projectId={projectId} dataset={dataset} onClose={() => setIsOpen(false)} />}
    </>
  );
}
