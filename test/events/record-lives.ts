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

/** Returns a life that ends with a deletion. The uid of the object ends with `uid`. */
const life = (
  kind: LifeToRecord['kind'],
  example: string,
  uid: string,
  {
    change,
    isMoved = false,
    ...more
  }: Pick<LifeToRecord, 'name' | 'clusterOf'> & { readonly change?: Change; readonly isMoved?: boolean } = {},
): LifeToRecord => ({
  kind,
  example,
  uid: `7d0c5a52-4f3f-4a0b-9d55-2f1f4f3f${uid}`,
  asks: [
    'unchanged',
    ...(change ? [change] : []),
    ...(isMoved ? (['migrate', 'restore'] as const) : []),
    'delete',
  ],
  ...more,
})

const lives: readonly LifeToRecord[] = [
  life('Infrastructure', 'infrastructure/one-zone', '6d10'),
  life('Bastion', 'bastion/one-zone', '6d20', { clusterOf: 'infrastructure/one-zone' }),
  life('BackupBucket', 'backup/immutable-bucket', '6d20'),
  life('BackupEntry', 'backup/entry', '6d30'),
  life('Worker', 'worker/two-pools', '6d40', { change: rolled }),
  life('ControlPlane', 'controlplane/one-zone', '6d50', { change: withoutBalancers, isMoved: true }),
  life('Infrastructure', 'local/infrastructure', '6f10', { name: 'local-infrastructure', isMoved: true }),
  life('Bastion', 'local/shoot-bastion', '6f20', { name: 'local-bastion' }),
  life('SelfHostedShootExposure', 'local/selfhostedshootexposure', '6f30', {
    name: 'local-selfhostedshootexposure',
  }),
  life('DNSRecord', 'local/dnsrecord', '6e10', {
    name: 'local-dnsrecord',
    change: otherAddress,
    isMoved: true,
  }),
  life('BackupBucket', 'local/backupbucket', '6e20', { name: 'local-backupbucket' }),
  life('BackupEntry', 'local/backupentry', '6e30', { name: 'local-backupentry', isMoved: true }),
  life('Extension', 'local/extension-seed', '6e40', { name: 'local-extension-seed' }),
  life('Extension', 'local/extension-shoot', '6e50', { name: 'local-extension-shoot', isMoved: true }),
  life('Extension', 'local/extension-shoot-after-worker', '6e60', {
    name: 'local-extension-shoot-after-worker',
  }),
  life('OperatingSystemConfig', 'operatingsystemconfig/gardenlinux', '6d60', {
    name: 'gardenlinux-operatingsystemconfig',
    isMoved: true,
  }),
  life('ControlPlane', 'local/controlplane', '6d70', { name: 'local-controlplane', isMoved: true }),
  life('Worker', 'local/worker', '6d80', { name: 'local-worker', isMoved: true }),
  life('Network', 'network/calico', '6d90', { name: 'calico-network', change: withOverlay, isMoved: true }),
  life('ContainerRuntime', 'containerruntime/two-pools', '6da0', {
    name: 'gvisor-containerruntime',
    isMoved: true,
  }),
  life('Extension', 'extension/oidc', '6db0', { name: 'oidc-extension', isMoved: true }),
]

/** Returns the events of each object with a life of its own, by file name. */
export const recordLives = async (): Promise<ReadonlyMap<string, ExtensionEvent>> => {
  const saved = new Map<string, ExtensionEvent>()
  for (const life of lives) for (const [file, event] of await recordLife(life)) saved.set(file, event)
  return saved
}
