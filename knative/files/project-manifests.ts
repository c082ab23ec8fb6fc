import { join } from 'node:path'
import type { Project } from '../../build/project/project.ts'
import { profileNames } from '../profiles/broker-profile.ts'
import { profileFiles } from '../profiles/profile-files.ts'
import { projectDeployment, seedProcessDeployment } from '../project-deployment.ts'
import { baseComponentNames, componentFiles } from './component-files.ts'
import { admissionFiles, baseFiles, monitoringFiles } from './manifest-files.ts'
import { removeStale, writeFiles } from './write-manifests.ts'

/** Writes `knative` of a project: manifests of everything in it, with and without Knative. */
export const writeProjectManifests = async (project: Project, into: string): Promise<void> => {
  const deployment = await projectDeployment(project)
  await writeFiles(join(into, 'base'), baseFiles(deployment))
  await removeStale(join(into, 'base/functions'), deployment.functions)
  for (const name of profileNames)
    await writeFiles(join(into, 'profiles', name), profileFiles(deployment, name))
  for (const name of baseComponentNames)
    await writeFiles(join(into, 'components', name), componentFiles(deployment, name))
  const seedProcess = await seedProcessDeployment(project)
  await writeFiles(join(into, 'seed-process'), baseFiles(seedProcess))
  await writeFiles(
    join(into, 'components/seed-process-without-gardener'),
    componentFiles(seedProcess, 'seed-process-without-gardener'),
  )
  await writeFiles(join(into, 'monitoring/manifests'), monitoringFiles())
  if (deployment.webhooks.some(({ target }) => target === 'garden'))
    await writeFiles(join(into, 'admission'), admissionFiles(deployment))
}
