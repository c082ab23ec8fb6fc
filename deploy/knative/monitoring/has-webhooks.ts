import { servedBy } from '../../../shared/webhooks/server/webhook.ts'
import type { Deployment } from '../deployment.ts'

/** Whether webhooks run in the seed; those of a garden are watched there. */
export const hasWebhooks = ({ webhooks }: Pick<Deployment, 'webhooks'>): boolean =>
  servedBy({ cluster: 'seed', components: [] }, webhooks).length > 0
