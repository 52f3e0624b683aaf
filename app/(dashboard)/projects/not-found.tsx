export { ProjectNotFound as default } from "#components/layout/project-not-found.tsx";
