import type { KeyPairInfo } from '@aws-sdk/client-ec2'
import type { InstanceProfile } from '@aws-sdk/client-iam'
import type { Observation } from '../../../engine/engine.ts'
import type { AwsCloud } from '../cloud.ts'
import type { DesiredInfrastructure } from '../desired-infrastructure.ts'
import type { Purpose } from '../purpose.ts'
import { profileObservation } from './instance-profile.ts'
import { isKeyOfShoot, keyPairName, keyPairs } from './key-pairs.ts'
import { type KnownRole, roleObservation } from './role.ts'

/** The reads that identity and key pair share with what has to know whose they are. */
export interface IdentityReads {
  readonly profile: Observation<AwsCloud, InstanceProfile | undefined>
  readonly role: Observation<AwsCloud, KnownRole | undefined>
  readonly keyPairs: Observation<AwsCloud, readonly KeyPairInfo[]>
  /**
   * Whether the name of the cluster means this shoot in the account: the operator declares it, or a key pair of that name
   * is the shoot's, or the role says that it was made for the shoot. Not while a deletion goes on.
   */
  readonly nameIsOurs: Observation<AwsCloud, boolean>
}

/** Set by a deletion before it removes something: the recorded ids of which AWS has to say in the end that they are gone. */
export const deletionKey = 'Deleting'

/** Set with it: the config by which the deletion goes, as what is deleted can no longer tell it. */
export const deletionConfigKey = 'Deleting/Config'

export const nodesName = ({ clusterName }: Pick<DesiredInfrastructure, 'clusterName'>): string =>
  `${clusterName}-nodes`

export const identityReads = (desired: DesiredInfrastructure, purpose: Purpose): IdentityReads => {
  const name = nodesName(desired)
  const profile = profileObservation(name, purpose)
  const pairs = keyPairs(keyPairName(desired), purpose)
  const role = roleObservation({ ...desired, name }, purpose, { profile, keyPairs: pairs })
  return {
    profile,
    role,
    keyPairs: pairs,
    nameIsOurs: {
      name: 'whether the name of the cluster is ours',
      observe: async ({ state, read }) => {
        if (state[deletionKey] !== undefined) return false
        if (desired.adopt !== undefined) return true
        if ((await read(pairs)).some(pair => isKeyOfShoot(desired, pair))) return true
        // The role is made after the VPC: where there is one, the VPC was there, and without a mark, all of it was. In a VPC
        // of the user that says nothing of what is in it while a creation goes on.
        const isComplete = desired.vpc.kind === 'managed' || desired.stateless
        return isComplete && (await read(role))?.marked === true
      },
    },
  }
}
