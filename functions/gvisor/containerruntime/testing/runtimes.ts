import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import { functionSeed } from '../../../../shared/resources/testing/function-seed.ts'
import { definition } from '../function.ts'

const namespace = 'shoot--garden--one'

export const commonName = 'extension-runtime-gvisor'
export const installationOf = (pool: string): string => `extension-runtime-gvisor-installation-${pool}`

/** The flags as written by a user in a Shoot. */
export const configWith = (configFlags: Readonly<Record<string, unknown>>, others: object = {}) => ({
  apiVersion: 'gvisor.runtime.extensions.config.gardener.cloud/v1alpha1',
  kind: 'GVisorConfiguration',
  configFlags,
  ...others,
})

/** A ContainerRuntime as gardenlet writes it. */
export const runtimeOf = (pool: string, spec: object = {}): KubernetesObject => ({
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
  kind: 'ContainerRuntime',
  metadata: { name: `gvisor-${pool}` },
  spec: {
    type: 'gvisor',
    binaryPath: '/var/bin/containerruntimes',
    workerPool: { name: pool, selector: { matchLabels: { 'worker.gardener.cloud/pool': pool } } },
    ...spec,
  },
})

export const clusterOf = (name: string, shoot: object = {}): KubernetesObject => ({
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
  kind: 'Cluster',
  metadata: { name },
  spec: {
    cloudProfile: {},
    seed: {},
    shoot: { spec: { kubernetes: { version: '1.33.3' } }, ...shoot },
  },
})

/** A seed with the namespace of a shoot, and runtimes for these existing pools. */
export const seedWith = async (
  pools: readonly string[] = [],
  options: Partial<Parameters<typeof functionSeed>[0]> & { readonly shoot?: object } = {},
) => {
  const seed = await functionSeed({
    definition,
    namespace,
    objects: [clusterOf(namespace, options.shoot)],
    ...options,
  })
  for (const pool of pools) {
    await seed.make(runtimeOf(pool))
    await seed.converge(`gvisor-${pool}`)
  }
  seed.requests.splice(0)
  return seed
}
