/**
 * The process that API servers call before they store objects: HTTPS, certificates, registrations. `startWebhooks` runs
 * one over ports. `process/boot-webhooks.ts` is a whole process.
 */

export { readsClusters } from './lookup/current-clusters.ts'
export { createLookups } from './lookup/lookups.ts'
export { openShootOf } from './lookup/open-shoot.ts'
export { webhookMetricDefinitions } from './process/metric-definitions.ts'
export { servedBy, type WebhookSettings, webhookSettings, webhookSettingsOf } from './process/settings.ts'
export { leaseNameOf } from './process/webhook-process.ts'
export { type RunningWebhooks, startWebhooks } from './start.ts'
