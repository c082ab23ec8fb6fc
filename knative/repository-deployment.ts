import { readFile } from 'node:fs/promises'
import { findFunctions } from '../functions/find-functions.ts'
import { findWebhooks } from '../functions/find-webhooks.ts'
import { compactPrograms } from './compact-programs.ts'
import { type Deployment, deploymentOf, unnamedRegistry } from './deployment.ts'

/** Everything that this repository has, of its version: what `make manifests` writes. An operator names the registry. */
export const repositoryDeployment = async (): Promise<Deployment> => {
  const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')) as {
    readonly version: string
  }
  return deploymentOf({
    image: program => `${unnamedRegistry}/${program}:${version}`,
    functions: await findFunctions(),
    webhooks: await findWebhooks(),
  })
}

/** The same with one process for all functions of a provider. */
export const compactRepositoryDeployment = async (): Promise<Deployment> => ({
  ...(await repositoryDeployment()),
  compact: compactPrograms(await findFunctions()),
})
