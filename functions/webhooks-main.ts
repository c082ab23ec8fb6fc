import { bootWebhooks } from '../shared/webhooks/server/process/boot-webhooks.ts'
import { findWebhooks } from './find-webhooks.ts'

/**
 * A process with all admission functions of this repository. `dist/bundles/webhook/main.cjs` is the same in one file.
 */
bootWebhooks(await findWebhooks())
