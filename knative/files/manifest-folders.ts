import { join } from 'node:path'
import type { Deployment } from '../deployment.ts'
import { profileNames } from '../profiles/broker-profile.ts'
import { profileFiles } from '../profiles/profile-files.ts'
import { baseComponentNames, componentFiles } from './component-files.ts'
import { admissionFiles, baseFiles, monitoringFiles } from './manifest-files.ts'
import { removeStale, writeFiles } from './write-manifests.ts'

/**
 * Writes the folders for kustomize of a project.
 *
 * @param seedProcess the same deployment without Knative
 */
export const writeManifestFolders = async (
  deployment: Deployment,
  seedProcess: Deployment,
  into: string,
): Promise<void> => {
  await writeFiles(join(into, 'base'), baseFiles(deployment))
  await removeStale(join(into, 'base/functions'), deployment.functions)
  for (const name of profileNames)
    await writeFiles(join(into, 'profiles', name), profileFiles(deployment, name))
  for (const name of baseComponentNames)
    await writeFiles(join(into, 'components', name), componentFiles(deployment, name))
  await writeFiles(join(into, 'seed-process'), baseFiles(seedProcess))
  await writeFiles(
    join(into, 'components/seed-process-without-gardener'),
    componentFiles(seedProcess, 'seed-process-without-gardener'),
  )
  await writeFiles(join(into, 'monitoring/manifests'), monitoringFiles())
  if (deployment.webhooks.some(({ target }) => target === 'garden'))
    await writeFiles(join(into, 'admission'), admissionFiles(deployment))
}
