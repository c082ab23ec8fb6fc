import {
  capabilitiesOfMachine,
  defaultArchitecture,
  definitionsOf,
} from '../../../../../shared/contract/machine-capabilities.ts'
import { formatProblems, type Problem, problemsOf } from '../../../../../shared/decode/problems.ts'
import { cloudProfileSchema } from '../config/cloud-profile.ts'
import { findImage } from '../image/find-image.ts'

export interface ImageToCheck {
  readonly machine?:
    | {
        readonly type?: string | null | undefined
        readonly architecture?: string | null | undefined
        readonly image?:
          | { readonly name?: string | null | undefined; readonly version?: string | null | undefined }
          | null
          | undefined
      }
    | null
    | undefined
}

/** Returns true if a pool requests other machines or another image than before. */
export const isImageChanged = (before: ImageToCheck | undefined, after: ImageToCheck): boolean => {
  const facts = ({ machine }: ImageToCheck) => [
    machine?.type ?? '',
    machine?.architecture ?? '',
    machine?.image?.name ?? '',
    machine?.image?.version ?? '',
  ]
  return before === undefined || facts(before).join('\n') !== facts(after).join('\n')
}

/**
 * Returns the reasons why a pool can have no image (docs/contract/workers-aws.md#images): the CloudProfile lacks the
 * machine type, or has no AMI of the image for it in the region. Paths begin at the pool. A pool that names no image
 * gets one from Gardener. The CloudProfile is large, so it is read once for all pools.
 *
 * @param cloudProfile its `spec`
 */
export const imageProblems = (
  cloudProfile: unknown,
  region: string,
): ((pool: ImageToCheck) => readonly Problem[]) => {
  const { data: profile, error } = cloudProfileSchema.safeParse(cloudProfile ?? {})
  if (error !== undefined) {
    const message = `cannot read the cloud profile: ${formatProblems(problemsOf(error.issues, cloudProfile))}`
    return () => [{ path: 'machine', message, kind: 'internal' }]
  }
  return ({ machine }) => {
    const type = profile.machineTypes?.find(({ name }) => name === machine?.type)
    if (type === undefined) {
      const known = (profile.machineTypes ?? []).map(({ name }) => name).toSorted()
      const few = known.length > 0 && known.length <= mostNamed ? ` (${known.join(', ')})` : ''
      return [{ path: 'machine.type', message: `expected a machine type of the cloud profile${few}` }]
    }
    const image = machine?.image
    if (image === undefined || image === null) return []
    const architecture = machine?.architecture || undefined
    const found = findImage(profile, () => [], {
      name: image.name ?? '',
      version: image.version ?? '',
      region,
      machine: capabilitiesOfMachine(definitionsOf(profile), type.capabilities ?? {}, architecture),
      architecture: architecture ?? defaultArchitecture,
    })
    return found.ok ? [] : [{ path: 'machine.image', message: found.message }]
  }
}

/** The maximum number of machine types in a problem. A cloud profile may have hundreds. */
const mostNamed = 20
