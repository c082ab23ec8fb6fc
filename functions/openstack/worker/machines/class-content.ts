import type { Cluster, WorkerPool } from '../../../../shared/contract/objects.ts'
import { canonicalQuantity } from '../../../../shared/contract/quantity.ts'
import { messageOf } from '../../../../shared/text/message-of.ts'
import {
  FieldError,
  type MachineClassContent,
  type NodeTemplate,
  nodeTemplateOf,
} from '../../../../shared/worker/worker.ts'
import type { MachineTypeInProfile } from './config/machines-profile.ts'
import type { OpenStackWorkerConfig } from './config/worker-config.ts'
import { tagKey } from './hash-inputs.ts'
import type { GlanceImage } from './image/find-image.ts'
import type { MachineInfrastructure } from './infrastructure.ts'

/** The parts of a pool's machines that are the same in all its zones. */
export interface ServerParts {
  readonly pool: WorkerPool
  /** Undefined if the pool has none. */
  readonly config: OpenStackWorkerConfig | undefined
  readonly infrastructure: MachineInfrastructure
  readonly region: string
  readonly image: GlanceImage
  readonly machineType: MachineTypeInProfile
  readonly serverGroupId: string | undefined
  /** The ranges of the shoot's pods. */
  readonly podRanges: readonly string[]
  /** The shoot's technical id, which is also the cluster name in tags. */
  readonly technicalId: string
}

/**
 * Returns the MachineClass of one zone (docs/contract/workers-openstack.md#machineclass). Throws a `FieldError` for a
 * malformed quantity or size.
 */
export const classContentOf = (parts: ServerParts, zone: string): MachineClassContent => {
  const { pool } = parts
  const { name, version } = pool.machineImage ?? {}
  return {
    labels: {
      'gardener.cloud/purpose': 'machineclass',
      ...(name &&
        version && { operatingSystemName: name, operatingSystemVersion: version.replaceAll('+', '_') }),
    },
    provider: 'OpenStack',
    nodeTemplate: templateOf(parts, zone),
    providerSpec: {
      apiVersion: 'openstack.machine.gardener.cloud/v1alpha1',
      kind: 'MachineProviderConfig',
      spec: machineSpecOf(parts, zone),
    },
  }
}

const machineSpecOf = (parts: ServerParts, zone: string): Readonly<Record<string, unknown>> => {
  const { pool, config, infrastructure, region, image, serverGroupId, podRanges } = parts
  return {
    region,
    availabilityZone: zone,
    flavorName: pool.machineType,
    keyName: infrastructure.keyName,
    ...(image.id === '' ? { imageName: image.name } : { imageID: image.id }),
    networkID: infrastructure.networkId,
    subnetIDs: infrastructure.subnetIds,
    podNetworkCIDRs: podRanges,
    ...rootDiskOf(parts),
    ...(serverGroupId !== undefined && { serverGroupID: serverGroupId }),
    securityGroups: [infrastructure.securityGroup, ...(config?.additionalSecurityGroups ?? [])],
    tags: tagsOf(parts),
  }
}

/** Machine labels override pool labels, and both are overridden by the tags of the cluster. */
const tagsOf = ({ pool, config, technicalId }: ServerParts): Readonly<Record<string, string>> => {
  const labels = [
    ...Object.entries(pool.labels ?? {}),
    ...(config?.machineLabels ?? []).map(({ name, value }) => [name, value] as const),
  ]
  return {
    ...Object.fromEntries(labels.map(([name, value]) => [tagKey(name), value])),
    [`kubernetes.io-cluster-${technicalId}`]: '1',
    'kubernetes.io-role-node': '1',
  }
}

/** The volume of the pool. Without a type, the machine type's, and its size if the pool has none. */
const rootDiskOf = ({
  pool: { volume },
  machineType: { storage },
}: ServerParts): { readonly rootDiskSize?: number; readonly rootDiskType?: string } => {
  const size = volume === undefined ? 0 : gibOf(volume.size)
  if (volume?.type !== undefined)
    return { ...(size > 0 && { rootDiskSize: size }), rootDiskType: volume.type }
  if (storage === undefined || storage.type === '' || storage.type === 'default')
    return size > 0 ? { rootDiskSize: size } : {}
  const either = size > 0 ? size : profileGibOf(storage.size)
  return { ...(either > 0 && { rootDiskSize: either }), rootDiskType: storage.type }
}

/** The machine controller and Cinder use 32 bits. */
const largest = 2_147_483_647

/** Returns the leading digits of a size. The unit is ignored, as in the Go extension. */
const gibOf = (size: string): number => {
  const digits = /^\d*/.exec(size)?.[0] ?? ''
  const wayOut = { field: 'volume.size', wayOut: `Set a whole number of GiB up to ${largest}, such as 50Gi` }
  if (digits === '') throw new FieldError(`the volume size ${JSON.stringify(size)} has no number`, wayOut)
  if (Number(digits) > largest) throw new FieldError(`the volume size ${size} exceeds ${largest}`, wayOut)
  return Number(digits)
}

/** Like `gibOf`, for a quantity of the CloudProfile. Go reads 1Ti as 1 GiB. A malformed one counts as none. */
const profileGibOf = (size: string | undefined): number => {
  if (size === undefined) return 0
  try {
    const [, digits = '0', tera] = /^(\d+)(T?)/.exec(canonicalQuantity(size)) ?? []
    return Number(digits) * (tera ? 1_024 : 1)
  } catch {
    return 0
  }
}

const templateOf = ({ pool, config, region }: ServerParts, zone: string): NodeTemplate | undefined => {
  try {
    return nodeTemplateOf(pool, config?.nodeTemplate, { region, zone })
  } catch (error) {
    const place = { field: 'nodeTemplate', wayOut: 'Correct the quantity', cause: error }
    throw new FieldError(messageOf(error), place)
  }
}

/** Returns the ranges of the shoot's pods: that of its spec, then further ones of its status. */
export const podRangesOf = ({ spec: { shoot } }: Cluster): readonly string[] => {
  const { pods } = shoot.spec?.networking ?? {}
  return [...new Set([...(pods ? [pods] : []), ...(shoot.status?.networking?.pods ?? [])])]
}
