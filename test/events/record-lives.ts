import type { ExtensionEvent } from '../../shared/events/events.ts'
import { type Change, type LifeToRecord, recordLife } from './record-life.ts'

/** A larger data volume in a Worker's pool, which rolls its machines. */
const rolled: Change = {
  name: 'rolled',
  specOf: object => {
    const { pools } = object.spec as {
      readonly pools: readonly { readonly dataVolumes?: readonly object[] }[]
    }
    const grown = (volumes: readonly object[]) => volumes.map(volume => ({ ...volume, size: '60Gi' }))
    return {
      pools: pools.map(({ dataVolumes, ...pool }) =>
        dataVolumes === undefined ? pool : { ...pool, dataVolumes: grown(dataVolumes) },
      ),
    }
  },
}

/** A ControlPlane without the load balancer controller. Its objects are deleted. */
const withoutBalancers: Change = {
  name: 'changed',
  specOf: object => {
    const { providerConfig } = object.spec as { readonly providerConfig?: object }
    return { providerConfig: { ...providerConfig, loadBalancerController: { enabled: false } } }
  },
}

/** A new load balancer for the API server of a shoot. */
const otherAddress: Change = { name: 'changed', specOf: () => ({ values: ['203.0.113.20'] }) }

/** A Network that returns to an overlay for its pods. */
const withOverlay: Change = {
  name: 'changed',
  specOf: object => {
    const { providerConfig } = object.spec as { readonly providerConfig?: object }
    return { providerConfig: { ...providerConfig, overlay: { enabled: true } } }
  },
}

const lives: readonly LifeToRecord[] = [
  {
    kind: 'Infrastructure',
    example: 'infrastructure/one-zone',
    uid: '7d0c5a52-4f3f-4a0b-9d55-2f1f4f3f6d10',
    asks: ['unchanged', 'delete'],
  },
  {
    kind: 'Bastion',
    example: 'bastion/one-zone',
    clusterOf: 'infrastructure/one-zone',
    uid: '7d0c5a52-4f3f-4a0b-9d55-2f1f4f3f6d20',
    asks: ['unchanged', 'delete'],
  },
  {
    kind: 'BackupBucket',
    example: 'backup/immutable-bucket',
    uid: '7d0c5a52-4f3f-4a0b-9d55-2f1f4f3f6d20',
    asks: ['unchanged', 'delete'],
  },
  {
    kind: 'BackupEntry',
    example: 'backup/entry',
    uid: '7d0c5a52-4f3f-4a0b-9d55-2f1f4f3f6d30',
    asks: ['unchanged', 'delete'],
  },
  {
    kind: 'Worker',
    example: 'worker/two-pools',
    uid: '7d0c5a52-4f3f-4a0b-9d55-2f1f4f3f6d40',
    asks: ['unchanged', rolled, 'delete'],
  },
  {
    kind: 'ControlPlane',
    example: 'controlplane/one-zone',
    uid: '7d0c5a52-4f3f-4a0b-9d55-2f1f4f3f6d50',
    asks: ['unchanged', withoutBalancers, 'migrate', 'restore', 'delete'],
  },
  {
    kind: 'Infrastructure',
    name: 'local-infrastructure',
    example: 'local/infrastructure',
    uid: '7d0c5a52-4f3f-4a0b-9d55-2f1f4f3f6f10',
    asks: ['unchanged', 'migrate', 'restore', 'delete'],
  },
  {
    kind: 'Bastion',
    name: 'local-bastion',
    example: 'local/shoot-bastion',
    uid: '7d0c5a52-4f3f-4a0b-9d55-2f1f4f3f6f20',
    asks: ['unchanged', 'delete'],
  },
  {
    kind: 'SelfHostedShootExposure',
    name: 'local-selfhostedshootexposure',
    example: 'local/selfhostedshootexposure',
    uid: '7d0c5a52-4f3f-4a0b-9d55-2f1f4f3f6f30',
    asks: ['unchanged', 'delete'],
  },
  {
    kind: 'DNSRecord',
    name: 'local-dnsrecord',
    example: 'local/dnsrecord',
    uid: '7d0c5a52-4f3f-4a0b-9d55-2f1f4f3f6e10',
    asks: ['unchanged', otherAddress, 'migrate', 'restore', 'delete'],
  },
  {
    kind: 'BackupBucket',
    name: 'local-backupbucket',
    example: 'local/backupbucket',
    uid: '7d0c5a52-4f3f-4a0b-9d55-2f1f4f3f6e20',
    asks: ['unchanged', 'delete'],
  },
  {
    kind: 'BackupEntry',
    name: 'local-backupentry',
    example: 'local/backupentry',
    uid: '7d0c5a52-4f3f-4a0b-9d55-2f1f4f3f6e30',
    asks: ['unchanged', 'migrate', 'restore', 'delete'],
  },
  {
    kind: 'Extension',
    name: 'local-extension-seed',
    example: 'local/extension-seed',
    uid: '7d0c5a52-4f3f-4a0b-9d55-2f1f4f3f6e40',
    asks: ['unchanged', 'delete'],
  },
  {
    kind: 'Extension',
    name: 'local-extension-shoot',
    example: 'local/extension-shoot',
    uid: '7d0c5a52-4f3f-4a0b-9d55-2f1f4f3f6e50',
    asks: ['unchanged', 'migrate', 'restore', 'delete'],
  },
  {
    kind: 'Extension',
    name: 'local-extension-shoot-after-worker',
    example: 'local/extension-shoot-after-worker',
    uid: '7d0c5a52-4f3f-4a0b-9d55-2f1f4f3f6e60',
    asks: ['unchanged', 'delete'],
  },
  {
    kind: 'OperatingSystemConfig',
    name: 'gardenlinux-operatingsystemconfig',
    example: 'operatingsystemconfig/gardenlinux',
    uid: '7d0c5a52-4f3f-4a0b-9d55-2f1f4f3f6d60',
    asks: ['unchanged', 'migrate', 'restore', 'delete'],
  },
  {
    kind: 'ControlPlane',
    example: 'local/controlplane',
    uid: '7d0c5a52-4f3f-4a0b-9d55-2f1f4f3f6d70',
    name: 'local-controlplane',
    asks: ['unchanged', 'migrate', 'restore', 'delete'],
  },
  {
    kind: 'Worker',
    example: 'local/worker',
    uid: '7d0c5a52-4f3f-4a0b-9d55-2f1f4f3f6d80',
    name: 'local-worker',
    asks: ['unchanged', 'migrate', 'restore', 'delete'],
  },
  {
    kind: 'Network',
    name: 'calico-network',
    example: 'network/calico',
    uid: '7d0c5a52-4f3f-4a0b-9d55-2f1f4f3f6d90',
    asks: ['unchanged', withOverlay, 'migrate', 'restore', 'delete'],
  },
  {
    kind: 'ContainerRuntime',
    name: 'gvisor-containerruntime',
    example: 'containerruntime/two-pools',
    uid: '7d0c5a52-4f3f-4a0b-9d55-2f1f4f3f6da0',
    asks: ['unchanged', 'migrate', 'restore', 'delete'],
  },
  {
    kind: 'Extension',
    name: 'oidc-extension',
    example: 'extension/oidc',
    uid: '7d0c5a52-4f3f-4a0b-9d55-2f1f4f3f6db0',
    asks: ['unchanged', 'migrate', 'restore', 'delete'],
  },
]

/** Returns the events of each object with a life of its own, by file name. */
export const recordLives = async (): Promise<ReadonlyMap<string, ExtensionEvent>> => {
  const saved = new Map<string, ExtensionEvent>()
  for (const life of lives) for (const [file, event] of await recordLife(life)) saved.set(file, event)
  return saved
}
