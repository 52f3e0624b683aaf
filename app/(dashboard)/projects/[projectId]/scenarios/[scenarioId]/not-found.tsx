export { ScenarioNotFound as default } from "#components/scenarios/scenario-not-found.tsx";
