import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import type { Definition } from './compare-definitions.ts'
import type { ContractModules } from './modules.ts'

/**
 * Returns the CRDs of the modules that Trellis reads or writes: of the extension kinds and ManagedResources as Gardener
 * installs them in a seed, and of the machine kinds.
 */
export const gardenersDefinitions = async ({
  gardener,
  machines,
}: ContractModules): Promise<readonly (KubernetesObject & Definition)[]> => {
  const crds = [
    ...(await objectsIn(join(gardener.folder, 'example', 'seed-crds'))),
    ...(await objectsIn(join(machines.folder, 'kubernetes', 'crds'))),
  ]
  const wanted = ['extensions.gardener.cloud', 'machine.sapcloud.io', 'resources.gardener.cloud']
  // Newer versions of Gardener have the CRDs of machines too.
  const byName = new Map(crds.map(crd => [crd.metadata.name, crd]))
  return [...byName.values()].filter(({ spec }) => wanted.includes(spec.group))
}

const objectsIn = async (folder: string): Promise<readonly (KubernetesObject & Definition)[]> => {
  const files = (await readdir(folder)).filter(name => name.endsWith('.yaml')).toSorted()
  return Promise.all(files.map(async name => parse(await readFile(join(folder, name), 'utf8'))))
}
