"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { toast } from "sonner";
import { api } from "#components/api/client.ts";
import { queries } from "#components/api/queries.ts";
import { useViewer } from "#components/api/viewer.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { mailedJobTypes } from "#lib/contract/job-mail";
import type { Job } from "#lib/contract/jobs";
import { isActive } from "./job-text.ts";

/** Choice to get a mail when the job has ended. Nothing if the service sends no mail, or none about this job. */
export function JobMail({ job }: { job: Job }) {
  const { hasMail } = useViewer();
  return hasMail && isActive(job) && mailedJobTypes.includes(job.type) ? <Choice job={job} /> : null;
}

function Choice({ job: { id, projectId } }: { job: Job }) {
  const client = useQueryClient();
  const query = queries.jobMail(projectId, id);
  const { data } = useQuery(query);
  const set = useMutation({
    mutationFn: (whenEnded: boolean) => api.post(`/jobs/${id}/mail`, { whenEnded }),
    onSuccess: (saved) => client.setQueryData(query.queryKey, saved),
    onError: (error) => toast.error(error.message),
  });
  return (
    <Checkbox
      checked={set.isPending ? set.variables : (data?.whenEnded ?? false)}
      disabled={!data || set.isPending}
      onChange={(event) => set.mutate(event.target.checked)}
    >
      Mail me when it is done
    </Checkbox>
  );
}
