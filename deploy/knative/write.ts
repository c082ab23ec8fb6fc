import { fileURLToPath } from 'node:url'
import { componentFiles, componentNames } from './files/component-files.ts'
import { admissionFiles, baseFiles, monitoringFiles } from './files/manifest-files.ts'
import { removeStale, writeFiles } from './files/write-manifests.ts'
import { profileNames } from './profiles/broker-profile.ts'
import { profileFiles } from './profiles/profile-files.ts'
import { compactRepositoryDeployment, repositoryDeployment } from './repository-deployment.ts'

const folder = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

const deployment = await repositoryDeployment()
await writeFiles(folder('base'), baseFiles(deployment))
await removeStale(folder('base/functions'), deployment.functions)
const compact = await compactRepositoryDeployment()
await writeFiles(folder('compact'), baseFiles(compact))
await removeStale(folder('compact/functions'), compact.compact)
for (const name of profileNames) await writeFiles(folder(`profiles/${name}`), profileFiles(deployment, name))
for (const name of componentNames)
  await writeFiles(folder(`components/${name}`), componentFiles(deployment, name))
await writeFiles(folder('monitoring/manifests'), monitoringFiles(deployment))
await writeFiles(folder('admission'), admissionFiles(deployment))
