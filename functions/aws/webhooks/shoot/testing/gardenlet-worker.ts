import { readFileSync } from 'node:fs'
import type { Cluster, Worker } from '../../../../../shared/contract/objects.ts'
import type { KubernetesObject } from '../../../../../shared/kubernetes/kubernetes.ts'
import { infrastructureStatus } from '../../../worker/machines/testing/request.ts'
import { shootUpdates } from './shoot-updates.ts'
import { shootsOf } from './updated-shoot.ts'

/** Names of the node agents' Secrets, by pool: computed by gardenlet's own function for each Shoot of the updates. */
type Names = Readonly<Record<string, string>>
type RecordedNames = Readonly<Record<string, { readonly former: Names; readonly reconciled: Names }>>

/**
 * Recorded with `operatingsystemconfig.Key` of Gardener v1.149.3, from the Shoots in the garden. An update without a
 * recording fails.
 */
export const recordedNames = (): RecordedNames =>
  JSON.parse(readFileSync(new URL('node-agent-names.json', import.meta.url), 'utf8')) as RecordedNames

/** The Shoots whose names are recorded. */
export const shootsToRecord = () =>
  shootUpdates.flatMap(update => {
    const { former, reconciled } = shootsOf(update)
    return [
      { name: `${update.name}/former`, shoot: former },
      { name: `${update.name}/reconciled`, shoot: reconciled },
    ]
  })

const namespace = 'shoot--p--s'

/** Returns the spec of the Worker that gardenlet writes for a Shoot. */
export const workerSpecOf = ({ spec }: KubernetesObject, names: Names): Worker['spec'] => {
  const { region, kubernetes, provider } = Object(spec)
  return {
    type: 'aws',
    region,
    secretRef: { name: 'cloudprovider', namespace },
    infrastructureProviderStatus: infrastructureStatus,
    pools: provider.workers.map((pool: Record<string, unknown>) => {
      const { machine, kubernetes: own, cri: _, ...rest } = pool
      const { type, image, architecture } = Object(machine)
      const kubelet = Object(own).kubelet ?? kubernetes.kubelet
      return {
        ...rest,
        machineType: type,
        machineImage: image,
        architecture,
        kubernetesVersion: Object(own).version ?? kubernetes.version,
        ...(kubelet && { kubeletConfig: kubelet }),
        nodeAgentSecretName: names[String(pool.name)],
        userDataSecretRef: { name: 'user-data', key: 'cloud_config' },
        nodeTemplate: { capacity: { cpu: '2', gpu: '0', memory: '8Gi' } },
      }
    }),
  }
}

export const clusterSpecOf = (shoot: KubernetesObject, cloudProfile: KubernetesObject): Cluster['spec'] =>
  ({ cloudProfile, seed: {}, shoot }) as unknown as Cluster['spec']
