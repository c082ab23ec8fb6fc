import * as z from 'zod'
import type { Cluster, WorkerPool } from '../../../shared/contract/objects.ts'
import {
  FieldError,
  type MachineClassContent,
  type MachineProvider,
  nodeTemplateOf,
  poolProblem,
} from '../../../shared/worker/worker.ts'
import { infraNamespaceOf } from '../provider/local.ts'
import { findImage, type MachineImage, readProfile } from './images.ts'

/** The machines of a Worker of type `local`: pods of the provider cluster (docs/contract/provider-local.md#worker). */
export const localMachines: MachineProvider = {
  desired: ({ worker: { spec, status }, cluster, technicalId }) => {
    const profile = readProfile(cluster)
    const imagesInUse = readImagesInUse(status?.providerStatus)
    const machines = { technicalId, region: spec.region, ...placeOf(cluster) }
    const found = spec.pools.map(pool => {
      try {
        return { pool, image: findImage(profile, imagesInUse, pool) }
      } catch (error) {
        if (error instanceof FieldError) return { pool, error }
        throw error
      }
    })
    const images = found.flatMap(({ image }) => (image === undefined ? [] : [image]))
    // A pool with a problem may have machines with an image that only the status contains.
    const kept = images.length < found.length ? imagesInUse : []
    return {
      providerStatus: workerStatusOf([...images, ...kept]),
      pools: found.map(({ pool, image, error }) => {
        if (image === undefined) return poolProblem(spec.pools, pool, error)
        const zones = pool.zones === undefined || pool.zones.length === 0 ? [spec.region] : pool.zones
        return {
          kind: 'classes',
          pool,
          hashInputs: [],
          limitsOfEachZone: true,
          zones: zones.map(zone => ({
            zone,
            nodeLabels: {},
            content: classContent(machines, pool, image, zone),
          })),
        }
      }),
    }
  },
}

interface MachinesPlace {
  readonly technicalId: string
  readonly region: string
  readonly namespace: string
  /** Empty means IPv4. */
  readonly ipFamilies: readonly string[]
}

const placeOf = (cluster: Cluster): Pick<MachinesPlace, 'namespace' | 'ipFamilies'> => {
  const families = cluster.spec.shoot.spec?.networking?.ipFamilies ?? []
  return { namespace: infraNamespaceOf(cluster), ipFamilies: families.length === 0 ? ['IPv4'] : families }
}

const classContent = (
  { technicalId, region, namespace, ipFamilies }: MachinesPlace,
  pool: WorkerPool,
  { image }: MachineImage,
  zone: string,
): MachineClassContent => {
  const poolName = (family: string) => `shoot-machine-pods-${technicalId}-${family}`
  return {
    labels: {},
    provider: 'local',
    providerSpec: {
      image,
      ...(ipFamilies.includes('IPv4') && { ipPoolNameV4: poolName('ipv4') }),
      ...(ipFamilies.includes('IPv6') && { ipPoolNameV6: poolName('ipv6') }),
      namespace,
    },
    nodeTemplate: nodeTemplateOf(pool, undefined, { region, zone }),
  }
}

const head = { apiVersion: 'local.provider.extensions.gardener.cloud/v1alpha1', kind: 'WorkerStatus' }

const machineImage = z.looseObject({
  name: z.string(),
  version: z.string(),
  image: z.string(),
  capabilities: z.record(z.string(), z.array(z.string())).optional(),
})
const workerStatusSchema = z.looseObject({ machineImages: z.array(machineImage).nullish() })

/** Returns the images in `status.providerStatus`. Empty if it is unreadable; it is then rewritten. */
const readImagesInUse = (providerStatus: unknown): readonly MachineImage[] => {
  const { data } = workerStatusSchema.safeParse(providerStatus ?? {})
  return (data?.machineImages ?? []).map(({ name, version, image, capabilities }) => ({
    name,
    version,
    image,
    ...(capabilities && { capabilities }),
  }))
}

/** Returns the desired status, with each image once. */
const workerStatusOf = (images: readonly MachineImage[]): Readonly<Record<string, unknown>> | undefined => {
  const distinct = new Map(images.map(image => [JSON.stringify(image), image]))
  return distinct.size === 0 ? undefined : { ...head, machineImages: [...distinct.values()] }
}
