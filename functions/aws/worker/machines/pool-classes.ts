import {
  capabilitiesOfMachine,
  defaultArchitecture,
  definitionsOf,
} from '../../../../shared/contract/machine-capabilities.ts'
import type { PoolClasses } from '../../../../shared/worker/worker.ts'
import type { MachinesProfile } from './config/cloud-profile.ts'
import { readWorkerConfig } from './config/read-worker-config.ts'
import type { StatusImage } from './config/worker-status.ts'
import { hashInputsOf } from './hash/hash-inputs.ts'
import type { PoolImage } from './image/find-image.ts'
import { findImage } from './image/find-image.ts'
import type { NodesInfrastructure } from './infrastructure.ts'
import { classContentOf } from './machine-class/class-content.ts'
import { type PoolPlace, poolProblem, poolRefusal, within } from './pool-problem.ts'
import { problemsWith } from './validation/pool-problems.ts'

export interface WorkerParts {
  readonly region: string
  readonly technicalId: string
  readonly ipFamilies: readonly string[]
  readonly infrastructure: NodesInfrastructure
  readonly profile: MachinesProfile
  readonly profileName: string
  /**
   * Returns the images of `status.providerStatus`, or undefined if the Worker has none. Throws a `CodedError` if it is
   * malformed, so it is only called for a pool that needs it.
   */
  readonly imagesInUse: () => readonly StatusImage[] | undefined
}

/**
 * Returns the classes of a pool, one for each of its zones, and its image. Throws a `CodedError` that names the pool,
 * the field and a remedy.
 */
export const poolClassesOf = (
  worker: WorkerParts,
  place: PoolPlace,
): { readonly classes: PoolClasses; readonly image: PoolImage } => {
  const { pool } = place
  const { infrastructure, region, technicalId, ipFamilies } = worker
  const config = within(place, 'providerConfig', 'Correct it', () => readWorkerConfig(pool.providerConfig))
  const hashInputs = within(place, 'kubernetesVersion', 'Set a version such as 1.34.1', () =>
    hashInputsOf(pool, config),
  )
  const image = imageOf(worker, place)
  const { volume } = pool
  if (volume === undefined)
    throw poolProblem(place, 'volume', 'the root volume is missing', 'Set its size and type')
  const zones = (pool.zones ?? []).map((zone, position) => {
    const subnetId = subnetOf(infrastructure, place, zone, position)
    const parts = {
      pool,
      config,
      volume,
      infrastructure,
      region,
      technicalId,
      ipFamilies,
      ami: image.image.ami,
    }
    return {
      zone,
      content: classContentOf(parts, place, zone, subnetId),
      nodeLabels: { 'topology.kubernetes.io/zone': zone, 'topology.ebs.csi.aws.com/zone': zone },
    }
  })
  const problems = problemsWith(config, pool, 'step')
  if (problems.length > 0) throw poolRefusal(place, problems)
  return { classes: { kind: 'classes', pool, hashInputs, zones }, image }
}

const imageOf = ({ profile, profileName, region, imagesInUse }: WorkerParts, place: PoolPlace): PoolImage => {
  const { machineType, machineImage, architecture } = place.pool
  const type = profile.machineTypes?.find(({ name }) => name === machineType)
  if (type === undefined)
    throw poolProblem(
      place,
      'machineType',
      `machine type ${JSON.stringify(machineType)} not found in cloud profile ${JSON.stringify(profileName)}`,
      'Choose one of its spec.machineTypes',
    )
  const { name = '', version = '' } = machineImage ?? {}
  const found = findImage(profile, imagesInUse, {
    name,
    version,
    region,
    machine: capabilitiesOfMachine(definitionsOf(profile), type.capabilities ?? {}, architecture),
    architecture: architecture || defaultArchitecture,
  })
  if (found.ok) return { name, version, image: found.image }
  throw poolProblem(
    place,
    'machineImage',
    found.message,
    'Choose an image and a version with an AMI for the machine type, or add one to spec.providerConfig.machineImages of the cloud profile',
  )
}

const subnetOf = (
  { subnets }: NodesInfrastructure,
  place: PoolPlace,
  zone: string,
  position: number,
): string => {
  const subnet = subnets.get(zone)
  if (subnet !== undefined) return subnet
  throw poolProblem(
    place,
    `zones[${position}]`,
    `no subnet with purpose "nodes" in zone "${zone}" found`,
    `Choose one of ${[...subnets.keys()].join(', ') || 'the zones of the infrastructure'}, or add the zone to the infrastructure`,
  )
}
