import { CodedError } from '../../../shared/contract/errors.ts'
import type { Cluster, Worker } from '../../../shared/contract/objects.ts'
import { formatProblems, problemsOf } from '../../../shared/contract/problems.ts'
import type { MachineProvider } from '../../../shared/worker/worker.ts'
import { type CloudProfileSpec, cloudProfileSchema } from './config/cloud-profile.ts'
import { decodeStrictly } from './config/decode.ts'
import { type StatusImage, workerStatusSchema } from './config/worker-status.ts'
import { definitionsOf, hasCapabilities } from './image/capabilities.ts'
import { keptImages, type PoolImage, workerStatusOf } from './image/images-in-use.ts'
import { type NodesInfrastructure, readInfrastructure } from './infrastructure.ts'
import { poolClassesOf } from './pool-classes.ts'
import { workerProblem } from './pool-problem.ts'

/** Which MachineClasses the pools of a Worker of AWS have (docs/contract/workers-aws.md). */
export const awsMachines: MachineProvider = {
  desired: ({ worker, cluster, technicalId }) => {
    const profile = profileOf(cluster)
    const imagesInUse = imagesInUseOf(worker)
    const parts = {
      region: worker.spec.region,
      technicalId,
      ipFamilies: cluster.spec.shoot.spec?.networking?.ipFamilies ?? [],
      infrastructure: infrastructureOf(worker),
      profile,
      profileName: cluster.spec.cloudProfile.metadata?.name ?? '',
      imagesInUse,
    }
    const outcomes = worker.spec.pools.map((pool, index) => {
      try {
        return poolClassesOf(parts, { pool, index })
      } catch (error) {
        if (error instanceof CodedError) return { classes: { kind: 'problem' as const, pool, error } }
        throw error
      }
    })
    const images = outcomes.flatMap((outcome): readonly PoolImage[] =>
      'image' in outcome ? [outcome.image] : [],
    )
    // A pool with a problem has machines of an image that perhaps nothing else tells any more.
    const kept = outcomes.length > images.length ? keptImages(imagesInUse ?? []) : []
    return {
      pools: outcomes.map(({ classes }) => classes),
      providerStatus: workerStatusOf(
        [...images, ...kept],
        hasCapabilities(profile) ? definitionsOf(profile) : undefined,
      ),
    }
  },
}

const infrastructureOf = ({ spec }: Worker): NodesInfrastructure => {
  try {
    return readInfrastructure(spec.infrastructureProviderStatus)
  } catch (error) {
    throw workerProblem(
      'spec.infrastructureProviderStatus',
      error,
      'it is what the Infrastructure says of itself: reconcile that first',
    )
  }
}

const imagesInUseOf = ({ metadata, status }: Worker): readonly StatusImage[] | undefined => {
  const providerStatus = status?.providerStatus
  if (providerStatus === undefined) return undefined
  try {
    return decodeStrictly(workerStatusSchema, providerStatus).machineImages
  } catch (error) {
    const what = `unable to decode the worker provider status: could not decode WorkerStatus '${metadata.namespace}/${metadata.name}'`
    throw workerProblem(
      'status.providerStatus',
      `${what}: ${error instanceof Error ? error.message : error}`,
      'correct it, so that images that the cloud profile no longer has are found',
    )
  }
}

const profileOf = ({ spec: { cloudProfile } }: Cluster): CloudProfileSpec => {
  const { data, error } = cloudProfileSchema.safeParse(cloudProfile.spec ?? {})
  if (error === undefined) return data
  const problems = problemsOf(error.issues, cloudProfile.spec)
  throw workerProblem(
    'spec.cloudProfile.spec of the Cluster',
    `could not decode providerConfig of cloud profile "${cloudProfile.metadata?.name ?? ''}": ${formatProblems(problems)}`,
    'correct the cloud profile',
  )
}
