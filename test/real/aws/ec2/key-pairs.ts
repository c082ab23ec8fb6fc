import { type AwsEndpoint, type Behaviour, codeOf } from '../behaviour.ts'

const key =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKJjFZ3N0XnZbVQ5b8X7bEDkqVgkBi2Nq2bqSMHLvIlO trellis@example.com'

const importing = ({ ec2 }: AwsEndpoint, KeyName: string, text = key) =>
  ec2.importKeyPair({ KeyName, PublicKeyMaterial: Buffer.from(text) })

export const keyPairBehaviours: readonly Behaviour[] = [
  {
    title: 'an imported key is described with its type and a SHA-256 fingerprint',
    see: async endpoint => {
      await importing(endpoint, 'described')
      const { KeyPairs } = await endpoint.ec2.describeKeyPairs({ KeyNames: ['described'] })
      return KeyPairs?.map(({ KeyName, KeyType, KeyFingerprint }) => [
        KeyName,
        KeyType,
        /^[A-Za-z0-9+/]{43}=?$/.test(KeyFingerprint ?? ''),
      ])
    },
    aws: [['described', 'ed25519', true]],
    moto: [['described', 'ed25519', false]],
  },
  {
    title: 'a name of a key is given once',
    see: async endpoint => [
      await codeOf(importing(endpoint, 'twice')),
      await codeOf(importing(endpoint, 'twice')),
    ],
    aws: ['done', 'InvalidKeyPair.Duplicate 400'],
  },
  {
    title: 'what is no key is refused',
    see: endpoint => codeOf(importing(endpoint, 'broken', 'nonsense')),
    aws: 'InvalidKey.Format 400',
    moto: 'InvalidKeyPair.Format 400',
  },
  {
    title: 'an unknown key is not found',
    see: ({ ec2 }) => codeOf(ec2.describeKeyPairs({ KeyNames: ['none'] })),
    aws: 'InvalidKeyPair.NotFound 400',
  },
  {
    title: 'a key is deleted, whether it exists or not',
    see: async endpoint => {
      await importing(endpoint, 'deleted')
      const remove = () => codeOf(endpoint.ec2.deleteKeyPair({ KeyName: 'deleted' }), ({ Return }) => Return)
      return [await remove(), await remove()]
    },
    aws: [true, true],
  },
  {
    title: 'a made key pair hands out its private key, once',
    see: async ({ ec2 }) => {
      const made = await ec2.createKeyPair({ KeyName: 'made' })
      return [made.KeyMaterial?.split('\n')[0], await codeOf(ec2.createKeyPair({ KeyName: 'made' }))]
    },
    aws: ['-----BEGIN RSA PRIVATE KEY-----', 'InvalidKeyPair.Duplicate 400'],
  },
]
