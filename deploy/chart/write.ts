import { fileURLToPath } from 'node:url'
import { findFunctions } from '../../functions/find-functions.ts'
import { findWebhooks } from '../../functions/find-webhooks.ts'
import { writeFiles } from '../knative/knative.ts'
import { packageVersion } from '../package-version.ts'
import { chartFiles } from './chart.ts'

const folder = fileURLToPath(new URL('trellis', import.meta.url))
const version = await packageVersion()
await writeFiles(
  folder,
  await chartFiles({ version, functions: await findFunctions(), webhooks: await findWebhooks() }),
)
