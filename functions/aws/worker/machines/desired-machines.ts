import { CodedError } from '../../../../shared/contract/errors.ts'
import { definitionsOf, hasCapabilities } from '../../../../shared/contract/machine-capabilities.ts'
import { formatProblems, problemsOf } from '../../../../shared/decode/problems.ts'
import { messageOf } from '../../../../shared/text/message-of.ts'
import type { DesiredClasses } from '../../../../shared/worker/worker.ts'
import { decodeStrictly } from '../../../../terraform-free-infra/aws/account/config/config.ts'
import { cloudProfileSchema, type MachinesProfile } from './config/cloud-profile.ts'
import { type StatusImage, workerStatusSchema } from './config/worker-status.ts'
import { type PoolImage, retainedImages, workerStatusOf } from './image/find-image.ts'
import { type NodesInfrastructure, readInfrastructure } from './infrastructure.ts'
import { poolClassesOf } from './pool-classes.ts'
import { workerProblem } from './pool-problem.ts'
import type { MachinesRequest } from './request.ts'

/**
 * Returns the MachineClasses of each pool, and the status that holds their images (docs/contract/workers-aws.md). Pure.
 * A problem of one pool does not affect the others. Throws a `CodedError` for a problem of the whole Worker.
 */
export const desiredMachines = (request: MachinesRequest): DesiredClasses => {
  const { pools, region, technicalId, ipFamilies } = request
  const profile = profileOf(request)
  const imagesInUse = () => imagesInUseOf(request)
  const worker = {
    region,
    technicalId,
    ipFamilies,
    infrastructure: infrastructureOf(request),
    profile,
    profileName: request.cloudProfileName,
    imagesInUse,
  }
  const outcomes = pools.map((pool, index) => {
    try {
      return poolClassesOf(worker, { pool, index })
    } catch (error) {
      if (error instanceof CodedError) return { classes: { kind: 'problem' as const, pool, error } }
      throw error
    }
  })
  const images = outcomes.flatMap((outcome): readonly PoolImage[] =>
    'image' in outcome ? [outcome.image] : [],
  )
  // A pool with a problem may have machines with an image that only the status contains.
  const kept = images.length < outcomes.length ? retainedImages(readable(imagesInUse) ?? []) : []
  return {
    pools: outcomes.map(({ classes }) => classes),
    providerStatus: workerStatusOf(
      [...images, ...kept],
      hasCapabilities(profile) ? definitionsOf(profile) : undefined,
    ),
  }
}

const infrastructureOf = ({ infrastructureStatus }: MachinesRequest): NodesInfrastructure => {
  try {
    return readInfrastructure(infrastructureStatus)
  } catch (error) {
    throw workerProblem(
      'spec.infrastructureProviderStatus',
      messageOf(error),
      'The Infrastructure writes it. Reconcile the Infrastructure',
    )
  }
}

const imagesInUseOf = ({ providerStatus }: MachinesRequest): readonly StatusImage[] | undefined => {
  if (providerStatus === undefined || providerStatus === null) return undefined
  try {
    return decodeStrictly(workerStatusSchema, providerStatus).machineImages
  } catch (error) {
    throw workerProblem(
      'status.providerStatus',
      `could not decode WorkerStatus: ${messageOf(error)}`,
      'Correct it: it lists the images that the cloud profile no longer has',
    )
  }
}

/** A malformed status is overwritten once no pool has a problem. None of its content can be retained. */
const readable = (
  imagesInUse: () => readonly StatusImage[] | undefined,
): readonly StatusImage[] | undefined => {
  try {
    return imagesInUse()
  } catch (error) {
    if (error instanceof CodedError) return undefined
    throw error
  }
}

const profileOf = ({ cloudProfile, cloudProfileName }: MachinesRequest): MachinesProfile => {
  const { data, error } = cloudProfileSchema.safeParse(cloudProfile ?? {})
  if (error === undefined) return data
  throw workerProblem(
    'spec.cloudProfile.spec of the Cluster',
    `could not decode cloud profile ${JSON.stringify(cloudProfileName)}: ${formatProblems(problemsOf(error.issues, cloudProfile))}`,
    'Correct the cloud profile',
  )
}
