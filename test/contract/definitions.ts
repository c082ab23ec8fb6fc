import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import type { Definition } from './compare-definitions.ts'
import type { ContractModules } from './modules.ts'

type Crd = KubernetesObject & Definition

/** Returns the CRDs that Trellis reads or writes: of the extension kinds, ManagedResources and machines. */
export const gardenersDefinitions = async (modules: ContractModules): Promise<readonly Crd[]> => {
  const wanted = ['extensions.gardener.cloud', 'machine.sapcloud.io', 'resources.gardener.cloud']
  return (await seedDefinitions(modules)).filter(({ spec }) => wanted.includes(spec.group))
}

/** Returns the CRDs that Gardener installs in a seed, also those of monitoring and logging. */
export const seedDefinitions = async ({ gardener }: ContractModules): Promise<readonly Crd[]> => {
  const folder = join(gardener.folder, 'example', 'seed-crds')
  const files = (await readdir(folder)).filter(name => name.endsWith('.yaml')).toSorted()
  return Promise.all(files.map(async name => parse(await readFile(join(folder, name), 'utf8'))))
}
