import { basename, dirname } from 'node:path'
import { formatExtension } from '../../bridge/bridge.ts'
import { type FoundFunction, findFunctions } from '../../functions/find-functions.ts'
import { findWebhooks } from '../../functions/find-webhooks.ts'
import { packageVersion } from '../package-version.ts'
import { compactPrograms } from './compact-programs.ts'
import { type Deployment, deploymentOf, unnamedRegistry } from './deployment.ts'

/**
 * Returns the deployment of everything in this repository, with its version: the output of `make manifests`. An
 * operator sets the registry.
 */
export const repositoryDeployment = async (): Promise<Deployment> => {
  const version = await packageVersion()
  const functions = await findFunctions()
  return deploymentOf({
    image: program => `${unnamedRegistry}/${program}:${version}`,
    functions,
    webhooks: await findWebhooks(),
    extensions: extensionsOf(functions),
  })
}

/** The same with one process for all functions of a provider. */
export const compactRepositoryDeployment = async (): Promise<Deployment> => ({
  ...(await repositoryDeployment()),
  compact: compactPrograms(await findFunctions()),
})

/** The same without Knative. */
export const seedProcessRepositoryDeployment = async (): Promise<Deployment> => ({
  ...(await compactRepositoryDeployment()),
  mode: 'seed-process',
})

/** The extensions of providers that have an Infrastructure, under the names of Gardener's own extensions, with the types of their functions. */
const extensionsOf = (functions: readonly FoundFunction[]): readonly string[] => {
  const byFolder = Map.groupBy(functions, ({ file }) => dirname(dirname(file)))
  return [...byFolder]
    .filter(([, own]) => own.some(({ kind }) => kind === 'Infrastructure'))
    .map(([folder, own]) => {
      const types = [...new Set(own.flatMap(one => one.types))]
      return formatExtension({ name: `provider-${basename(folder)}`, types })
    })
}
