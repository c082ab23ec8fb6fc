import type { KeyPairInfo } from '@aws-sdk/client-ec2'
import type { InstanceProfile } from '@aws-sdk/client-iam'
import type { Observation } from '../../../engine/engine.ts'
import type { AwsCloud } from '../cloud.ts'
import type { DesiredInfrastructure } from '../desired-infrastructure.ts'
import type { Purpose } from '../tags.ts'
import { profileObservation } from './instance-profile.ts'
import { isKeyOfShoot, keyPairName, keyPairs } from './key-pairs.ts'
import { type KnownRole, roleObservation } from './role.ts'

/** The reads of identity and key pair. Other resources use them to prove their ownership. */
export interface IdentityReads {
  readonly profile: Observation<AwsCloud, InstanceProfile | undefined>
  readonly role: Observation<AwsCloud, KnownRole | undefined>
  readonly keyPairs: Observation<AwsCloud, readonly KeyPairInfo[]>
  /**
   * True if the cluster's name means this shoot in the account: the operator declares it, the key pair of that name is
   * the shoot's, or the description of the role says that it was created for the shoot. Always false during a deletion.
   */
  readonly nameIsOurs: Observation<AwsCloud, boolean>
}

/** Set by a deletion before its first removal: the recorded ids that AWS must confirm as gone at the end. */
export const deletionKey = 'Deleting'

/** Set by a deletion at the same time: its config, because it cannot be derived from deleted resources. */
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
      name: 'ownership of the cluster name',
      observe: async ({ state, read }) => {
        if (state[deletionKey] !== undefined) return false
        if (desired.adopt !== undefined) return true
        if ((await read(pairs)).some(pair => isKeyOfShoot(desired, pair))) return true
        // The role is created after the VPC, so an existing role proves that the VPC existed; a VPC without a mark was
        // complete. For resources in a user's VPC this proves nothing during a creation.
        const isComplete = desired.vpc.kind === 'managed' || desired.stateless
        return isComplete && (await read(role))?.marked === true
      },
    },
  }
}
