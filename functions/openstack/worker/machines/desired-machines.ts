import {
  capabilitiesOfMachine,
  defaultArchitecture,
  definitionsOf,
  hasCapabilities,
} from '../../../../shared/contract/machine-capabilities.ts'
import type { WorkerPool } from '../../../../shared/contract/objects.ts'
import { messageOf } from '../../../../shared/text/message-of.ts'
import { type NamedImage, statusImagesOf } from '../../../../shared/worker/machine-images.ts'
import {
  type DesiredClasses,
  type DesiredInput,
  FieldError,
  type PoolClasses,
  type PoolProblem,
  poolProblem,
} from '../../../../shared/worker/worker.ts'
import { classContentOf, podRangesOf } from './class-content.ts'
import {
  type MachineTypeInProfile,
  type OpenStackMachinesProfile,
  readMachinesProfile,
} from './config/machines-profile.ts'
import { type OpenStackWorkerConfig, readWorkerConfig } from './config/worker-config.ts'
import { readWorkerStatus, serverGroupOf, type WorkerStatus, workerStatusOf } from './config/worker-status.ts'
import { hashInputsOf } from './hash-inputs.ts'
import { findImage, type GlanceImage, retained } from './image/find-image.ts'
import { type MachineInfrastructure, readInfrastructure } from './infrastructure.ts'

/**
 * Returns the MachineClasses of each pool, and the status that holds their images and server groups
 * (docs/contract/workers-openstack.md). Pure. A problem of one pool does not affect the others. Throws a `CodedError`
 * for a problem of the whole Worker.
 */
export const desiredMachines = (input: DesiredInput): DesiredClasses => {
  const { worker, cluster } = input
  const { cloudProfile } = cluster.spec
  const profileName = cloudProfile.metadata?.name ?? ''
  const profile = readMachinesProfile(cloudProfile.spec, profileName)
  const status = readWorkerStatus(worker.status?.providerStatus)
  const infrastructure = readInfrastructure(worker.spec.infrastructureProviderStatus)
  const parts: OpenStackWorkerParts = { input, profile, profileName, status, infrastructure }
  const made = worker.spec.pools.map((pool): MadePool | { readonly pools: PoolProblem } => {
    try {
      return poolClassesOf(parts, pool)
    } catch (error) {
      if (error instanceof FieldError) return { pools: poolProblem(worker.spec.pools, pool, error) }
      throw error
    }
  })
  const images = made.flatMap(one => ('image' in one ? [one.image] : []))
  // A pool with a problem may have machines with an image that only the status contains.
  const kept = images.length === made.length ? [] : status.machineImages.map(retained)
  const definitions = hasCapabilities(profile) ? definitionsOf(profile) : undefined
  return {
    pools: made.map(({ pools }) => pools),
    providerStatus: workerStatusOf(
      statusImagesOf([...images, ...kept], definitions, ({ id, name }) =>
        id === '' ? { image: name } : { id },
      ),
      status.serverGroupDependencies,
    ),
  }
}

interface OpenStackWorkerParts {
  readonly input: DesiredInput
  readonly profile: OpenStackMachinesProfile
  readonly profileName: string
  readonly status: Pick<WorkerStatus, 'machineImages' | 'serverGroupDependencies'>
  readonly infrastructure: MachineInfrastructure
}

interface MadePool {
  readonly pools: PoolClasses
  readonly image: NamedImage<GlanceImage>
}

const poolClassesOf = (parts: OpenStackWorkerParts, pool: WorkerPool): MadePool => {
  const { input, infrastructure, status } = parts
  const config = configOf(pool)
  const machineType = machineTypeOf(parts, pool)
  const image = imageOf(parts, pool, machineType)
  const serverGroupId = serverGroupIdOf(status, pool, config)
  if (pool.zones === undefined || pool.zones.length === 0)
    throw new FieldError('expected at least one zone, found none', {
      field: 'zones',
      wayOut: 'Set a zone of the region',
    })
  const content = {
    pool,
    config,
    infrastructure,
    region: input.worker.spec.region,
    image,
    machineType,
    serverGroupId,
    podRanges: podRangesOf(input.cluster),
    technicalId: input.technicalId,
  }
  const { name = '', version = '' } = pool.machineImage ?? {}
  return {
    image: { name, version, image },
    pools: {
      kind: 'classes',
      pool,
      hashInputs: hashInputsOf(pool, config, serverGroupId),
      zones: pool.zones.map(zone => ({
        zone,
        content: classContentOf(content, zone),
        nodeLabels: {
          'topology.cinder.csi.openstack.org/zone': zone,
          'topology.manila.csi.openstack.org/zone': zone,
        },
      })),
    },
  }
}

/** Throws a `FieldError` for a malformed WorkerConfig. */
const configOf = ({ providerConfig }: WorkerPool): OpenStackWorkerConfig | undefined => {
  try {
    return readWorkerConfig(providerConfig)
  } catch (error) {
    throw new FieldError(messageOf(error), { field: 'providerConfig', wayOut: 'Correct it', cause: error })
  }
}

const machineTypeOf = (
  { profile, profileName }: OpenStackWorkerParts,
  { machineType }: WorkerPool,
): MachineTypeInProfile => {
  const type = profile.machineTypes.find(({ name }) => name === machineType)
  if (type !== undefined) return type
  throw new FieldError(
    `machine type ${JSON.stringify(machineType)} not found in cloud profile ${JSON.stringify(profileName)}`,
    { field: 'machineType', wayOut: 'Choose one of its spec.machineTypes' },
  )
}

const imageOf = (
  { input, profile, status }: OpenStackWorkerParts,
  { machineImage, architecture }: WorkerPool,
  type: MachineTypeInProfile,
): GlanceImage => {
  const found = findImage(profile, status.machineImages, {
    name: machineImage?.name ?? '',
    version: machineImage?.version ?? '',
    region: input.worker.spec.region,
    machine: capabilitiesOfMachine(definitionsOf(profile), type.capabilities ?? {}, architecture),
    architecture: architecture || defaultArchitecture,
  })
  if (found.ok) return found.image
  throw new FieldError(found.message, {
    field: 'machineImage',
    wayOut:
      'Choose an image and a version for the machine type, or add one to spec.providerConfig.machineImages of the cloud profile',
  })
}

/** An empty policy counts as none, as in the Go extension. */
const serverGroupIdOf = (
  { serverGroupDependencies }: Pick<WorkerStatus, 'serverGroupDependencies'>,
  pool: WorkerPool,
  config: OpenStackWorkerConfig | undefined,
): string | undefined => {
  if (!config?.serverGroup?.policy) return undefined
  const group = serverGroupOf(serverGroupDependencies, pool.name)
  if (group !== undefined) return group.id
  throw new FieldError(
    `server group is required for pool ${JSON.stringify(pool.name)}, but no server group dependency found`,
    { field: 'providerConfig.serverGroup', wayOut: 'Reconcile the Worker: it creates the server group' },
  )
}
