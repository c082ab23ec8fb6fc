import { createHash } from 'node:crypto'
import { DeleteKeyPairCommand, ImportKeyPairCommand, type KeyPairInfo } from '@aws-sdk/client-ec2'
import type { Found, GraphBuilder, Ref, ResourceType } from '../../../engine/engine.ts'
import type { AwsCloud } from '../cloud.ts'
import type { DesiredInfrastructure } from '../desired-infrastructure.ts'
import type { Purpose } from '../tags.ts'
import { isMarked, isOthers, isOwned, tagAttributes, tagSpecification, tagsOf } from '../tags.ts'
import { type IdentityReads, identityReads } from './identity-reads.ts'
import { hasKeyOfShoot, keyPairKey, keyPairName, keyPairWhat } from './key-pairs.ts'

/** `key`: hexadecimal MD5 of the Infrastructure's key. AWS does not return the key itself. */
type KeyPairAttributes = { readonly key: string }
export interface KeyPairOutcome {
  readonly name: string
  /** The fingerprint computed by AWS. */
  readonly fingerprint: string
  readonly key: string
}
const fingerprintKey = 'KeyPairFingerprint'
const specKey = 'KeyPairSpecFingerprint'

/**
 * The SSH key of the nodes. An existing key pair with the name is ours if the state records it or it has our mark. With
 * the cluster's tag it is also ours if its key is the shoot's or the cluster's name is proved ours. Otherwise AWS
 * reports that the name is taken. If our key pair has another key than the shoot, it is imported again. Its tags do not
 * change.
 */
export const addKeyPair = (
  graph: GraphBuilder<AwsCloud>,
  desired: DesiredInfrastructure,
  purpose: Purpose = {},
  reads: IdentityReads = identityReads(desired, purpose),
): Ref<KeyPairOutcome> => {
  const { sshPublicKey = '' } = desired
  return graph.add(keyPairType(desired, reads), keyPairName(desired), {
    when: sshPublicKey !== '',
    attributes: { key: md5(sshPublicKey) },
    state: {
      id: keyPairKey,
      values: { [fingerprintKey]: ({ fingerprint }) => fingerprint, [specKey]: ({ key }) => key },
    },
  })
}

const keyPairType = (
  desired: DesiredInfrastructure,
  reads: IdentityReads,
): ResourceType<AwsCloud, KeyPairAttributes, KeyPairOutcome> => {
  const keyName = keyPairName(desired)
  const ownKey = md5(desired.sshPublicKey ?? '')
  return {
    what: keyPairWhat,
    list: async ({ read, state }) => {
      const pairs = (await read(reads.keyPairs)).filter(({ KeyName }) => KeyName === keyName)
      return Promise.all(
        pairs.map(async pair => {
          const isRecordedKey = state[fingerprintKey] === pair.KeyFingerprint
          const hasOurKey = hasKeyOfShoot(desired, pair)
          const found = foundKeyPair(pair, isRecordedKey ? state[specKey] : hasOurKey ? ownKey : undefined)
          if (isMarked(desired, pair.Tags)) return { ...found, mark: pair.KeyPairId ?? '' }
          if (state[keyPairKey] === keyName) return found
          // A key pair without the cluster's tag belongs to the user.
          if (!isOwned(desired, pair.Tags)) return { ...found, foreign: true, key: '' }
          if (isOthers(desired, pair.Tags)) return found
          const ours = hasOurKey || (await read(reads.nameIsOurs))
          return { ...found, ...(ours && { ours: 'proved' as const }) }
        }),
      )
    },
    create: async ({ cloud, name, attributes: { key }, signal }) => {
      const { KeyFingerprint, KeyPairId } = await cloud.ec2.send(
        new ImportKeyPairCommand({
          KeyName: name,
          PublicKeyMaterial: Buffer.from(desired.sshPublicKey ?? ''),
          TagSpecifications: tagSpecification(
            desired,
            'key-pair',
            tagAttributes(tagsOf(desired, desired.clusterName)),
          ),
        }),
        { abortSignal: signal },
      )
      return { ...foundKeyPair({ KeyName: name, KeyFingerprint }, key), mark: KeyPairId ?? '' }
    },
    remove: async ({ cloud, found: { id }, signal }) => {
      await cloud.ec2.send(new DeleteKeyPairCommand({ KeyName: id }), { abortSignal: signal })
      return 'gone'
    },
    marks: true,
    sameId: true,
    replaces: ['key'],
  }
}

const foundKeyPair = (
  { KeyName: name = '', KeyFingerprint: fingerprint = '' }: KeyPairInfo,
  key: string | undefined,
): Found<KeyPairAttributes, KeyPairOutcome> => ({
  id: name,
  key: name,
  status: 'ready',
  attributes: { key },
  outcome: { name, fingerprint, key: key ?? '' },
})

const md5 = (text: string): string => createHash('md5').update(text).digest('hex')
