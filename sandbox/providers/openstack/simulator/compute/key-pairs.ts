import { createHash, generateKeyPairSync } from 'node:crypto'
import { isRecord } from '../../../../../shared/decode/record-of.ts'
import { dialects } from '../core/dialects.ts'
import type { ResourceKind } from '../core/kind.ts'
import { novaRefusal } from '../core/refusal.ts'

/** Key pairs belong to a user, not to a project, and have only a name (`nova/api/openstack/compute/keypairs.py`). */
export const keyPairs: ResourceKind<'keypair'> = {
  kind: 'keypair',
  service: 'compute',
  collection: 'os-keypairs',
  member: 'keypair',
  list: 'keypairs',
  quota: 'key_pairs',
  statuses: { created: 200, deleted: 202 },
  updateMethods: [],
  fields: {},
  missing: (name, { userId }) => novaRefusal(404, `Keypair ${name} not found for user ${userId}`),
  idAt: (name, { userId }) => `${userId}/${name}`,
  isVisible: (pair, { userId }) => pair.user_id === userId,
  read: ({ keypair }, { holder, store }) => {
    if (!isRecord(keypair)) throw dialects.compute.withoutMember('keypair')
    const { name, public_key: key, type, ...others } = keypair
    if (typeof name !== 'string' || name === '') throw dialects.compute.required('name')
    if (Object.keys(others).length > 0) throw dialects.compute.unknownFields(Object.keys(others))
    if (name.length > 255)
      throw novaRefusal(400, `Invalid input for field/attribute name. Value: ${name}. '${name}' is too long`)
    const made = typeof key === 'string' ? undefined : newKey()
    const publicKey = typeof key === 'string' ? key : (made?.publicKey ?? '')
    const fingerprint = fingerprintOf(publicKey)
    if (fingerprint === undefined)
      throw novaRefusal(400, 'Keypair data is invalid: failed to generate fingerprint')
    if (store.get('keypair', `${holder.userId}/${name}`) !== undefined)
      throw novaRefusal(409, `Key pair '${name}' already exists.`)
    return {
      id: `${holder.userId}/${name}`,
      name,
      type: typeof type === 'string' ? type : 'ssh',
      public_key: publicKey,
      fingerprint,
      user_id: holder.userId,
      ...(made && { private_key: made.privateKey }),
    }
  },
  created: (pair, { store, now }) =>
    store.put('keypair', { ...pair, private_key: undefined, created_at: new Date(now).toISOString() }),
  view: ({ name, public_key, fingerprint, user_id, created_at, private_key }, _, form) => {
    const short = { name, public_key, fingerprint }
    if (form === 'listed') return { keypair: short }
    if (form === 'created') return { ...short, user_id, private_key }
    return { ...short, user_id, id: 1, created_at, updated_at: null, deleted: false, deleted_at: null }
  },
}

/** MD5, as Nova writes it. Undefined: it is no public key. */
const fingerprintOf = (key: string): string | undefined => {
  const [, type = '', data = ''] =
    /^(ssh-(?:rsa|ed25519|dss)|ecdsa-sha2-nistp\d{3})\s([A-Za-z0-9+/]+=*)(?:\s|$)/.exec(key) ?? []
  const bytes = Buffer.from(data, 'base64')
  if (type === '' || bytes.subarray(4, 4 + type.length).toString('latin1') !== type) return undefined
  return createHash('md5')
    .update(bytes)
    .digest('hex')
    .replace(/..(?=.)/g, '$&:')
}

const newKey = (): { readonly publicKey: string; readonly privateKey: string } => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const point = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
  const part = (bytes: Buffer) => Buffer.concat([Buffer.from([0, 0, 0, bytes.length]), bytes])
  const blob = Buffer.concat([part(Buffer.from('ssh-ed25519')), part(point)])
  return {
    publicKey: `ssh-ed25519 ${blob.toString('base64')}`,
    privateKey: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  }
}
