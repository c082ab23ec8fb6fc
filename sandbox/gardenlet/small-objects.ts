import type { KindName } from '../../shared/contract/kinds.ts'
import type { GardenletContext } from './context.ts'
import { type DesiredExtensionObject, keyOf, nodeAgentNameOf } from './desired-objects.ts'
import type { ExtensionPhase, GardenShoot, Landscape, ShootWorkers } from './garden.ts'

export const networkOf = (shoot: GardenShoot): DesiredExtensionObject => {
  const { type, ipFamilies, pods, services, providerConfig } = shoot.spec.networking
  return {
    kind: 'Network',
    key: keyOf(shoot),
    spec: {
      type,
      ipFamilies,
      podCIDR: pods,
      serviceCIDR: services,
      ...(providerConfig && { providerConfig }),
    },
  }
}

export const extensionsOf = (
  { spec, status }: GardenShoot,
  { extensionPhases = {} }: Landscape,
  phase?: ExtensionPhase,
): readonly DesiredExtensionObject[] =>
  (spec.extensions ?? [])
    .filter(({ type }) => phase === undefined || (extensionPhases[type] ?? 'after-kube-apiserver') === phase)
    .map(({ type, providerConfig }) => ({
      kind: 'Extension',
      key: { name: type, namespace: status.technicalID },
      spec: { type, ...(providerConfig && { providerConfig }) },
    }))

const nodeInitUnit = {
  name: 'gardener-node-init.service',
  enable: true,
  command: 'start',
  content: '[Service]\nType=oneshot\nExecStart=/var/lib/gardener-node-agent/init.sh\n',
} as const
const nodeInitFile = {
  path: '/var/lib/gardener-node-agent/init.sh',
  permissions: 0o755,
  content: { inline: { encoding: '', data: '#!/bin/bash\n' } },
} as const
const kubeletUnit = {
  name: 'kubelet.service',
  enable: true,
  content: '[Service]\nExecStart=/opt/bin/kubelet\n',
}

/** Returns the config that a new machine of a pool starts with. */
export const initConfigOf = (shoot: GardenShoot, workers: ShootWorkers): DesiredExtensionObject => ({
  kind: 'OperatingSystemConfig',
  key: { ...keyOf(shoot), name: `${nodeAgentNameOf(shoot, workers)}-init` },
  spec: {
    type: workers.machine.image.name,
    purpose: 'provision',
    units: [nodeInitUnit],
    files: [nodeInitFile],
  },
})

/** Returns the config that the node agent of a pool applies to its machines. */
const agentConfigOf = (shoot: GardenShoot, workers: ShootWorkers): DesiredExtensionObject => ({
  kind: 'OperatingSystemConfig',
  key: { ...keyOf(shoot), name: `${nodeAgentNameOf(shoot, workers)}-original` },
  spec: {
    type: workers.machine.image.name,
    purpose: 'reconcile',
    criConfig: { name: 'containerd' },
    units: [kubeletUnit],
    files: [],
  },
})

export const operatingSystemConfigsOf = (shoot: GardenShoot): readonly DesiredExtensionObject[] =>
  shoot.spec.provider.workers.flatMap(workers => [
    initConfigOf(shoot, workers),
    agentConfigOf(shoot, workers),
  ])

export const containerRuntimesOf = (shoot: GardenShoot): readonly DesiredExtensionObject[] =>
  shoot.spec.provider.workers.flatMap(({ name, containerRuntimes = [] }) =>
    containerRuntimes.map(({ type, providerConfig }) => ({
      kind: 'ContainerRuntime',
      key: { ...keyOf(shoot), name: `${type}-${name}` },
      spec: {
        type,
        binaryPath: '/var/bin/containerruntimes',
        workerPool: {
          name,
          selector: {
            matchLabels: {
              'worker.gardener.cloud/pool': name,
              'worker.gardener.cloud/cri-name': 'containerd',
            },
          },
        },
        ...(providerConfig && { providerConfig }),
      },
    })),
  )

/**
 * Lists the objects of a kind in the namespace, also those that an interrupted reconciliation has replaced. gardenlet
 * deletes and migrates all of them.
 */
export const presentObjects = async (
  { objects }: GardenletContext,
  { status: { technicalID } }: GardenShoot,
  ...list: readonly KindName[]
): Promise<readonly Pick<DesiredExtensionObject, 'kind' | 'key'>[]> =>
  (
    await Promise.all(
      list.map(async kind => (await objects.list(kind, technicalID)).map(key => ({ kind, key }))),
    )
  ).flat()

/** Removes the configs of nodes that a shoot no longer has. Each change that replaces machines has a new config. */
export const removeStaleConfigs = async (
  { objects }: GardenletContext,
  shoot: GardenShoot,
): Promise<void> => {
  const wanted = new Set(operatingSystemConfigsOf(shoot).map(({ key }) => key.name))
  const present = await objects.list('OperatingSystemConfig', shoot.status.technicalID)
  await Promise.all(
    present
      .filter(({ name }) => !wanted.has(name))
      .map(key => objects.remove({ kind: 'OperatingSystemConfig', key })),
  )
}
