import {
  bestOffer,
  chooseMachine,
  profileField,
  profileProblem,
} from '../../../shared/bastion-machine/bastion-machine.ts'
import { configImages, readCloudProfileConfig } from '../provider/local.ts'

/**
 * Returns the image of the container that acts as the bastion, from the `spec` of a CloudProfile
 * (docs/contract/kinds.md#machine-of-a-bastion). Throws a `CodedError` that names the field of the CloudProfile.
 */
export const chooseImage = (cloudProfile: unknown, now: number): string => {
  const { image, machine, defined, text } = chooseMachine(cloudProfile, now)
  const config = readCloudProfileConfig(Object(cloudProfile).providerConfig)
  const found = bestOffer(defined, machine, configImages(config, image.name, image.version))
  if (found !== undefined) return found.image
  throw profileProblem(
    `${profileField}.providerConfig.machineImages: expected an image of ${text}, found none. Add it, or set ${profileField}.bastion.machineImage`,
  )
}
