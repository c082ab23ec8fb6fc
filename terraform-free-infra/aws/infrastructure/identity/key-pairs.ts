import { DescribeKeyPairsCommand, type KeyPairInfo } from '@aws-sdk/client-ec2'
import type { Observation } from '../../../engine/engine.ts'
import { markTag } from '../../tags/mark-tag.ts'
import type { AwsCloud } from '../cloud.ts'
import type { DesiredInfrastructure } from '../desired-infrastructure.ts'
import { isDoneWith, type Purpose } from '../purpose.ts'
import { isOwned, readTags } from '../tags.ts'
import { isSameFingerprint, keyFingerprint } from './key-fingerprint.ts'

export const keyPairWhat = 'key pair'
export const keyPairKey = 'KeyPair'

export const keyPairName = ({ clusterName }: Pick<DesiredInfrastructure, 'clusterName'>): string =>
  `${clusterName}-ssh-publickey`

/** The key pairs of a name: one at most. */
export const keyPairs = (name: string, purpose: Purpose): Observation<AwsCloud, readonly KeyPairInfo[]> => ({
  name: keyPairWhat,
  observe: async ({ cloud, state, signal }) => {
    if (isDoneWith(state, purpose, { what: keyPairWhat, keys: [keyPairKey] })) return []
    // Asked for by its name, one that does not exist would be an error.
    const command = new DescribeKeyPairsCommand({ Filters: [{ Name: 'key-name', Values: [name] }] })
    return (await cloud.ec2.send(command, { abortSignal: signal })).KeyPairs ?? []
  },
})

type DesiredKey = Pick<DesiredInfrastructure, 'clusterName' | 'sshPublicKey'>

/**
 * Whether a key pair was made for this shoot, and all that was made with it is complete: it has the tag of the cluster and
 * no mark, and its key is the shoot's, which no other shoot has.
 */
export const isKeyOfShoot = (desired: DesiredKey, pair: KeyPairInfo): boolean =>
  isOwned(desired, pair.Tags) && readTags(pair.Tags)[markTag] === undefined && hasKeyOfShoot(desired, pair)

/** Whether a key pair has the key of the shoot. */
export const hasKeyOfShoot = (
  { sshPublicKey = '' }: Pick<DesiredInfrastructure, 'sshPublicKey'>,
  { KeyFingerprint }: KeyPairInfo,
): boolean => isSameFingerprint(keyFingerprint(sshPublicKey), KeyFingerprint)
