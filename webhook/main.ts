import { findWebhooks } from '../functions/find-webhooks.ts'
import { bootWebhooks } from './process/boot-webhooks.ts'

/** A process with all admission functions of this repository; `dist/bundles/webhook/main.cjs` is the same in one file. */
bootWebhooks(await findWebhooks())
