/**
 * The process that API servers call before they store objects: HTTPS, certificates, registrations. `startWebhooks` runs
 * one over ports. `process/boot-webhooks.ts` is a whole process.
 */

export { openShootOf } from './lookup/cache-shoots.ts'
export { createLookups, readsClusters } from './lookup/lookups.ts'
export { webhookMetricDefinitions } from './process/metrics.ts'
export {
  leaseNameOf,
  servedBy,
  type WebhookSettings,
  webhookSettings,
  webhookSettingsOf,
} from './process/settings.ts'
export { type RunningWebhooks, startWebhooks } from './start.ts'
