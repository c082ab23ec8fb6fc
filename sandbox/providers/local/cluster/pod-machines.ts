import * as z from 'zod'
import { pods } from '../../../../shared/kubernetes/core-resources.ts'
import { KubernetesError, type KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import { type MachineCloud, MachineCloudError } from '../../../machine-controller/machine-controller.ts'
import type { ProviderCluster } from './create-provider-cluster.ts'

const app = { app: 'machine' }

const specSchema = z.object({ image: z.string(), namespace: z.string() })

const specOf = (providerSpec: unknown): z.infer<typeof specSchema> => {
  const { data, error } = specSchema.safeParse(providerSpec)
  if (data === undefined) throw new MachineCloudError('InvalidArgument', error.message)
  return data
}

const idOf = (namespace: string, pod: string): string => `local:///${namespace}/${pod}`
const podOf = (machine: string): string => `machine-${machine}`
const machineOf = (pod: string): string => pod.slice('machine-'.length)

/** The machine controller's driver with pods as machines, like machine-controller-manager-provider-local. */
export const podMachines = ({ kubernetes, snapshot }: ProviderCluster): MachineCloud => {
  const keyOf = (namespace: string, name: string) => ({ namespace, name: podOf(name) })
  return {
    provider: 'local',
    find: async ({ name, machineClass }, signal) => {
      const { namespace } = specOf(machineClass.providerSpec)
      const key = keyOf(namespace, name)
      const pod = await kubernetes.get(pods, key, { signal })
      return pod && { providerId: idOf(namespace, key.name), nodeName: key.name, initialized: true }
    },
    create: async ({ name, machineClass }) => {
      const { image, namespace } = specOf(machineClass.providerSpec)
      const key = keyOf(namespace, name)
      const made = { providerId: idOf(namespace, key.name), nodeName: key.name }
      try {
        await kubernetes.create(pods, {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { ...key, labels: app },
          spec: { containers: [{ name: 'node', image }] },
        })
      } catch (error) {
        if (!(error instanceof KubernetesError)) throw error
        if (error.reason !== 'AlreadyExists')
          throw new MachineCloudError('Internal', error.message, { cause: error })
      }
      return made
    },
    initialize: async () => {},
    remove: async ({ name, machineClass }) => {
      const key = keyOf(specOf(machineClass.providerSpec).namespace, name)
      try {
        await kubernetes.delete(pods, key)
      } catch (error) {
        if (!(error instanceof KubernetesError && error.status === 404)) throw error
      }
    },
    list: async (machineClass, _, signal) => {
      const { namespace } = specOf(machineClass.providerSpec)
      const { items } = await kubernetes.list(pods, { namespace, labelSelector: 'app=machine', signal })
      return new Map(items.map(({ metadata: { name } }) => [idOf(namespace, name), machineOf(name)] as const))
    },
    powerOf: providerId => {
      if (!providerId.startsWith('local:///')) return undefined
      const pod = snapshot().find(
        ({ kind, metadata: { namespace = '', name } }) =>
          kind === 'Pod' && idOf(namespace, name) === providerId,
      )
      return powerOfPod(pod)
    },
  }
}

const powerOfPod = (pod: KubernetesObject | undefined): 'on' | 'off' | 'gone' => {
  if (pod === undefined || pod.metadata.deletionTimestamp !== undefined) return 'gone'
  return Object(pod.status).phase === 'Running' ? 'on' : 'off'
}
