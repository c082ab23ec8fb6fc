import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { findFunctions } from '../functions/find-functions.ts'
import { findWebhooks } from '../functions/find-webhooks.ts'
import { webhookFiles, webhookManifest } from './webhook-manifest.ts'
import { writeManifests } from './write-manifests.ts'

await writeManifests(fileURLToPath(new URL('functions', import.meta.url)), await findFunctions())
const webhooks = await findWebhooks()
for (const cluster of ['seed', 'garden'] as const)
  await writeFile(new URL(webhookFiles[cluster], import.meta.url), webhookManifest(cluster, webhooks))
