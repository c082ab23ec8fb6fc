import type { GardenletContext } from './context.ts'
import { type DesiredExtensionObject, keyOf, nodeAgentNameOf } from './desired-objects.ts'
import type { ExtensionPhase, GardenShoot, Landscape, ShootWorkers } from './garden.ts'

/** The network of pods and services. */
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

/** What else the shoot asks for, as far as it is made in this phase. */
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

/** What a new machine of a pool starts with. */
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

/** What the node agent of a pool keeps on its machines. */
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

/** One for each runtime of each pool. */
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

/** Removes the configs of nodes that a shoot no longer has: another one's for each change that replaces machines. */
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
