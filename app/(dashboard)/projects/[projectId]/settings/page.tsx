import type { Metadata } from "next";
import { SettingsPage } from "#components/settings/settings-page";

export const metadata: Metadata = { title: "Settings" };

export default async function Page({ params }: { params: Promise<{ projectId: string }> }) {
  return <SettingsPage projectId={(await params).projectId} />;
}
