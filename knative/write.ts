import { fileURLToPath } from 'node:url'
import { findFunctions } from '../functions/find-functions.ts'
import { findWebhooks } from '../functions/find-webhooks.ts'
import { deploymentOf } from './deployment.ts'
import { admissionFiles, baseFiles } from './files/manifest-files.ts'
import { removeStale, writeFiles } from './files/write-manifests.ts'
import { profileNames } from './profiles/broker-profile.ts'
import { profileFiles } from './profiles/profile-files.ts'

const folder = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

const functions = await findFunctions()
const deployment = deploymentOf({ functions, webhooks: await findWebhooks() })
await writeFiles(folder('base'), baseFiles(deployment))
await removeStale(folder('base/functions'), functions)
for (const name of profileNames) await writeFiles(folder(`profiles/${name}`), profileFiles(deployment, name))
await writeFiles(folder('admission'), admissionFiles(deployment))
