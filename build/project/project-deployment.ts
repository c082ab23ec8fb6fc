import { basename, dirname } from 'node:path'
import { formatExtension } from '../../bridge/bridge.ts'
import type { FoundFunction } from '../../functions/find-functions.ts'
import { compactPrograms, type Deployment, deploymentOf, unnamedRegistry } from '../../knative/knative.ts'
import { packageVersion } from './package-version.ts'
import { definitionsOf, ownProject, type Project } from './project.ts'

/**
 * Returns the deployment of everything in a project, with its version: the output of `trellis manifests`. An operator
 * sets the registry.
 *
 * @param project default: Trellis itself
 */
export const projectDeployment = async (project?: Project): Promise<Deployment> => {
  const chosen = project ?? (await ownProject())
  const { functions, webhooks } = await definitionsOf(chosen)
  return deploymentOf({
    libraryVersion: await packageVersion(),
    image: program => `${unnamedRegistry}/${program}:${chosen.version}`,
    functions,
    webhooks,
    extensions: extensionsOf(functions),
  })
}

/** The same with one process for all functions of a provider. */
export const compactDeployment = async (project?: Project): Promise<Deployment> => ({
  ...(await projectDeployment(project)),
  compact: compactPrograms((await definitionsOf(project ?? (await ownProject()))).functions),
})

/** The same without Knative. */
export const seedProcessDeployment = async (project?: Project): Promise<Deployment> => ({
  ...(await compactDeployment(project)),
  mode: 'seed-process',
})

/** Extensions of providers with an Infrastructure, by the names of Gardener's own, with the types of functions. */
const extensionsOf = (functions: readonly FoundFunction[]): readonly string[] => {
  const byFolder = Map.groupBy(functions, ({ file }) => dirname(dirname(file)))
  return [...byFolder]
    .filter(([, own]) => own.some(({ kind }) => kind === 'Infrastructure'))
    .map(([folder, own]) => {
      const types = [...new Set(own.flatMap(one => (one.secondary === undefined ? one.types : [])))]
      return formatExtension({ name: `provider-${basename(folder)}`, types })
    })
}
