import { DescribeKeyPairsCommand, type KeyPairInfo } from '@aws-sdk/client-ec2'
import type { Observation } from '../../../engine/engine.ts'
import { markTag } from '../../account/tags/mark-tag.ts'
import type { AwsCloud } from '../cloud.ts'
import type { DesiredInfrastructure } from '../desired-infrastructure.ts'
import { isDoneWith, isOwned, type Purpose, readTags } from '../tags.ts'
import { isSameFingerprint, keyFingerprint } from './key-fingerprint.ts'

export const keyPairWhat = 'key pair'
export const keyPairKey = 'KeyPair'

export const keyPairName = ({ clusterName }: Pick<DesiredInfrastructure, 'clusterName'>): string =>
  `${clusterName}-ssh-publickey`

/** Reads the key pairs with a name. There is at most one. */
export const keyPairs = (name: string, purpose: Purpose): Observation<AwsCloud, readonly KeyPairInfo[]> => ({
  name: keyPairWhat,
  observe: async ({ cloud, state, signal }) => {
    if (isDoneWith(state, purpose, { what: keyPairWhat, keys: [keyPairKey] })) return []
    // A request by name would fail if the key pair does not exist.
    const command = new DescribeKeyPairsCommand({ Filters: [{ Name: 'key-name', Values: [name] }] })
    return (await cloud.ec2.send(command, { abortSignal: signal })).KeyPairs ?? []
  },
})

type DesiredKey = Pick<DesiredInfrastructure, 'clusterName' | 'sshPublicKey'>

/**
 * Returns true if a key pair was created for this shoot with a complete infrastructure: it has the cluster's tag, no
 * mark, and the key of the shoot, which is unique to the shoot.
 */
export const isKeyOfShoot = (desired: DesiredKey, pair: KeyPairInfo): boolean =>
  isOwned(desired, pair.Tags) && readTags(pair.Tags)[markTag] === undefined && hasKeyOfShoot(desired, pair)

/** Returns true if a key pair has the key of the shoot. */
export const hasKeyOfShoot = (
  { sshPublicKey = '' }: Pick<DesiredInfrastructure, 'sshPublicKey'>,
  { KeyFingerprint }: KeyPairInfo,
): boolean => isSameFingerprint(keyFingerprint(sshPublicKey), KeyFingerprint)
