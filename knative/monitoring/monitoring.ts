/** The monitoring of an installation: scraping, rules, dashboards, logs. */

export { knativeObservability } from './knative-observability.ts'
export { measuredProcesses } from './measured.ts'
export { monitoringObjects, monitoringParts } from './monitoring-objects.ts'
export type { Alert } from './rules/alert.ts'
export { recordingRules } from './rules/recording-rules.ts'
export { alertGroups, ruleGroups } from './rules/rules.ts'
