"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { queries } from "#components/api/queries";
import { Badge } from "#components/ui/badge";
import { Card, CardHeader } from "#components/ui/card";
import { ScrollArea } from "#components/ui/scroll-area";
import { ShowMore } from "#components/ui/show-more";
import { SkeletonRows } from "#components/ui/skeleton";
import { EmptyState, ErrorState } from "#components/ui/states";
import { Table, Td, Th } from "#components/ui/table";
import { Time } from "#components/ui/time";
import { deedText } from "./audit-text.tsx";

export function AuditSection({ projectId }: { projectId: string }) {
  const audit = useInfiniteQuery(queries.audit(projectId));
  const entries = audit.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <Card>
      <CardHeader title="Audit log" description="Who changed what in this project, the latest first." />
      {audit.isPending && <SkeletonRows />}
      {audit.error && <ErrorState error={audit.error} onRetry={audit.refetch} />}
      {audit.data && entries.length === 0 && (
        <EmptyState title="Nothing yet">Changes will be listed here.</EmptyState>
      )}
      {entries.length > 0 && (
        <ScrollArea label="Audit log" className="max-h-120">
          <Table>
            <thead className="sticky top-0 bg-surface">
              <tr>
                <Th>Who</Th>
                <Th>What</Th>
                <Th>Name</Th>
                <Th className="text-right">When</Th>
              </tr>
            </thead>
            <tbody>
              {entries.map((entry) => (
                <tr key={entry.id}>
                  <Td className="whitespace-nowrap">
                    {entry.actorName ?? (entry.actorId === "system" ? "the demo" : "a former member")}
                    {entry.apiKeyId && (
                      <span className="ml-2">
                        <Badge>API key</Badge>
                      </span>
                    )}
                  </Td>
                  <Td className="text-ink-soft">{deedText(entry)}</Td>
                  <Td className="max-w-64 truncate">{entry.label ?? "–"}</Td>
                  <Td className="text-right text-ink-faint">
                    <Time at={entry.at} />
                  </Td>
                </tr>
              ))}
            </tbody>
          </Table>
        </ScrollArea>
      )}
      <ShowMore list={audit}>Show older entries</ShowMore>
    </Card>
  );
}
