import { createHash } from 'node:crypto'
import {
  DeleteKeyPairCommand,
  DescribeKeyPairsCommand,
  ImportKeyPairCommand,
  type KeyPairInfo,
} from '@aws-sdk/client-ec2'
import type { Found, GraphBuilder, Observation, Ref, ResourceType } from '../../../engine/engine.ts'
import type { AwsCloud } from '../cloud.ts'
import type { DesiredInfrastructure } from '../desired-infrastructure.ts'
import { isDoneWith, type Purpose } from '../purpose.ts'
import { isMarked, isOwned, tagAttributes, tagSpecification, tagsOf } from '../tags.ts'

/** `key`: hexadecimal MD5 of the key as the Infrastructure has it; AWS does not give the key itself back. */
type KeyPairAttributes = { readonly key: string }
export interface KeyPairOutcome {
  readonly name: string
  /** As AWS computes it. */
  readonly fingerprint: string
  readonly key: string
}
const what = 'key pair'
const nameKey = 'KeyPair'
const fingerprintKey = 'KeyPairFingerprint'
const specKey = 'KeyPairSpecFingerprint'

/**
 * The SSH key of the nodes. One of the same name that neither carries our mark nor stands in the state is another's: AWS
 * says then that the name is taken. One whose fingerprint is not the one that AWS gave at its import is not the key that was
 * imported, and is imported anew, as is another key in the Infrastructure. Its tags stay as they are.
 */
export const addKeyPair = (
  graph: GraphBuilder<AwsCloud>,
  desired: DesiredInfrastructure,
  purpose: Purpose = {},
): Ref<KeyPairOutcome> => {
  const { sshPublicKey = '' } = desired
  return graph.add(keyPairType(desired, purpose), `${desired.clusterName}-ssh-publickey`, {
    when: sshPublicKey !== '',
    attributes: { key: md5(sshPublicKey) },
    state: {
      id: nameKey,
      values: { [fingerprintKey]: ({ fingerprint }) => fingerprint, [specKey]: ({ key }) => key },
    },
  })
}

const keyPairs = (name: string, purpose: Purpose): Observation<AwsCloud, readonly KeyPairInfo[]> => ({
  name: what,
  observe: async ({ cloud, state, signal }) => {
    if (isDoneWith(state, purpose, { what, keys: [nameKey] })) return []
    // Asked for by its name, one that does not exist would be an error.
    const command = new DescribeKeyPairsCommand({ Filters: [{ Name: 'key-name', Values: [name] }] })
    return (await cloud.ec2.send(command, { abortSignal: signal })).KeyPairs ?? []
  },
})

const keyPairType = (
  desired: DesiredInfrastructure,
  purpose: Purpose,
): ResourceType<AwsCloud, KeyPairAttributes, KeyPairOutcome> => {
  const keyName = `${desired.clusterName}-ssh-publickey`
  const observation = keyPairs(keyName, purpose)
  return {
    what,
    list: async ({ read, state }) =>
      (await read(observation))
        .filter(({ KeyName }) => KeyName === keyName)
        .map(pair => ({
          ...foundKeyPair(pair, state[fingerprintKey] === pair.KeyFingerprint ? state[specKey] : undefined),
          ...(isMarked(desired, pair.Tags) && { mark: pair.KeyPairId ?? '' }),
          // One without the cluster's tag is the user's.
          ...(!isOwned(desired, pair.Tags) &&
            !isMarked(desired, pair.Tags) &&
            state[nameKey] !== keyName && { foreign: true, key: '' }),
        })),
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
