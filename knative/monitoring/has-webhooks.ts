import { servedBy } from '../../shared/webhooks/server/webhook.ts'
import type { Deployment } from '../deployment.ts'

/** Returns true if webhooks run in the seed. Webhooks of a garden are monitored in the garden. */
export const hasWebhooks = ({ webhooks }: Pick<Deployment, 'webhooks'>): boolean =>
  servedBy({ cluster: 'seed', components: [] }, webhooks).length > 0
