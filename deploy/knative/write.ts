import { fileURLToPath } from 'node:url'
import { baseComponentNames, componentFiles } from './files/component-files.ts'
import { admissionFiles, baseFiles, monitoringFiles } from './files/manifest-files.ts'
import { removeStale, writeFiles } from './files/write-manifests.ts'
import { profileNames } from './profiles/broker-profile.ts'
import { profileFiles } from './profiles/profile-files.ts'
import { projectDeployment, seedProcessDeployment } from './project-deployment.ts'

const folder = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

const deployment = await projectDeployment()
await writeFiles(folder('base'), baseFiles(deployment))
await removeStale(folder('base/functions'), deployment.functions)
for (const name of profileNames) await writeFiles(folder(`profiles/${name}`), profileFiles(deployment, name))
for (const name of baseComponentNames)
  await writeFiles(folder(`components/${name}`), componentFiles(deployment, name))
const seedProcess = await seedProcessDeployment()
await writeFiles(folder('seed-process'), baseFiles(seedProcess))
await writeFiles(
  folder('components/seed-process-without-gardener'),
  componentFiles(seedProcess, 'seed-process-without-gardener'),
)
await writeFiles(folder('monitoring/manifests'), monitoringFiles())
await writeFiles(folder('admission'), admissionFiles(deployment))
