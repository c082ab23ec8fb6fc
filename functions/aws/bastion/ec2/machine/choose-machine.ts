import {
  chooseMachine as chooseTypeAndImage,
  profileField,
  profileProblem,
} from '../../../../../shared/bastion-machine/bastion-machine.ts'
import { amiOf } from './ami.ts'

export interface BastionMachine {
  /** `t3.small` */
  readonly type: string
  /** `ami-…` */
  readonly ami: string
}

/**
 * Chooses the machine type and image of a bastion from the `spec` of a CloudProfile
 * (docs/contract/kinds.md#machine-of-a-bastion). Throws a `CodedError` that names the field of the CloudProfile.
 */
export const chooseMachine = (cloudProfile: unknown, region: string, now: number): BastionMachine => {
  const chosen = chooseTypeAndImage(cloudProfile, now)
  const ami = amiOf(cloudProfile, chosen, region)
  if (ami === undefined)
    throw profileProblem(
      `${profileField}.providerConfig.machineImages: expected an AMI of ${chosen.text} in ${region}, found none. Add it, or set ${profileField}.bastion.machineImage`,
    )
  return { type: chosen.type, ami }
}
