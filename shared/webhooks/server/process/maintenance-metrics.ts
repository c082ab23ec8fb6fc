import type { Timestamp } from '../../../clock/clock.ts'
import type { Metrics } from '../../../runtime/runtime.ts'

/** Reports the state of the certificates and registrations of webhooks. */
export const maintenanceMetrics = (metrics: Metrics) => {
  const expiry = metrics.gauge(
    'trellis_webhook_certificate_expiry_seconds',
    "Expiry of a component's certificate or of its CA, the earlier one, in seconds since the epoch.",
    ['component'],
  )
  const failing = metrics.gauge(
    'trellis_webhook_upkeep_failing',
    '1 while the certificate or the registration of a component cannot be updated.',
    ['component'],
  )
  return {
    certificate: (component: string, validTo: Timestamp) => expiry(validTo / 1000, { component }),
    failing: (component: string, isFailing: boolean) => failing(isFailing ? 1 : 0, { component }),
  }
}
