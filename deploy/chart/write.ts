import { readFile, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { findFunctions } from '../../functions/find-functions.ts'
import { findWebhooks } from '../../functions/find-webhooks.ts'
import { writeFiles } from '../knative/knative.ts'
import { chartFiles } from './chart.ts'

const folder = fileURLToPath(new URL('trellis', import.meta.url))
const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8')) as {
  readonly version: string
}
// The folder has only generated files.
await rm(folder, { recursive: true, force: true })
await writeFiles(
  folder,
  chartFiles({ version, functions: await findFunctions(), webhooks: await findWebhooks() }),
)
