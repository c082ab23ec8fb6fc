import * as z from 'zod'
import {
  bestOffer,
  type ChosenMachine,
  ofArchitecture,
  profileField,
  profileProblem,
} from '../../../../../shared/bastion-machine/bastion-machine.ts'
import { formatProblems, problemsOf } from '../../../../../shared/decode/problems.ts'

const region = z.object({ name: z.string(), ami: z.string(), architecture: z.string().nullish() })

const mappedVersion = z.object({
  version: z.string(),
  regions: z.array(region).nullish(),
  capabilityFlavors: z
    .array(
      z.object({
        capabilities: z.record(z.string(), z.array(z.string())).nullish(),
        regions: z.array(region).nullish(),
      }),
    )
    .nullish(),
})

/** The AMIs of image versions by region, in `CloudProfileConfig`. Everything else may have any form. */
const cloudProfileSchema = z.object({
  providerConfig: z
    .object({
      machineImages: z
        .array(z.object({ name: z.string(), versions: z.array(mappedVersion).nullish() }))
        .nullish(),
    })
    .nullish(),
})

/**
 * Returns the AMI that fits best, the first of equal ones. Throws a `CodedError` that names the field of the
 * CloudProfile.
 */
export const amiOf = (
  cloudProfile: unknown,
  { image, machine, defined }: ChosenMachine,
  inRegion: string,
): string | undefined => {
  const { data, error } = cloudProfileSchema.safeParse(cloudProfile)
  if (error !== undefined)
    throw profileProblem(
      formatProblems(
        problemsOf(error.issues, cloudProfile).map(({ path, message }) => ({
          path: `${profileField}.${path}`,
          message,
        })),
      ),
    )
  const offers = (data.providerConfig?.machineImages ?? [])
    .filter(({ name }) => name === image.name)
    .flatMap(({ versions }) => (versions ?? []).filter(({ version }) => version === image.version))
    .flatMap(amisOf)
    .filter(offer => offer.region === inRegion)
  return bestOffer(defined, machine, offers)?.ami
}

const amisOf = ({ regions, capabilityFlavors }: z.infer<typeof mappedVersion>) => [
  ...(regions ?? []).map(({ name, ami, architecture }) => ({
    region: name,
    ami,
    capabilities: ofArchitecture(architecture ?? 'amd64'),
  })),
  ...(capabilityFlavors ?? []).flatMap(flavor =>
    (flavor.regions ?? []).map(({ name, ami }) => ({
      region: name,
      ami,
      capabilities: flavor.capabilities ?? {},
    })),
  ),
]
