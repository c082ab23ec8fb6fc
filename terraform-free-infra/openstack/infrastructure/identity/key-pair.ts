import * as z from 'zod'
import { CodedError } from '../../../../shared/contract/errors.ts'
import type { Found, ResourceType } from '../../../engine/engine.ts'
import type { OpenStackAccess } from '../../account/openstack.ts'
import type { DesiredInfrastructure } from '../desired.ts'
import type { InfrastructureReads, KeyPair } from '../reads.ts'

type KeyPairAttributes = { readonly publicKey: string }
export interface KeyPairOutcome {
  readonly name: string
}

export const keyPairKey = 'KeyPair'

const found = ({ name, public_key }: KeyPair): Found<KeyPairAttributes, KeyPairOutcome> => ({
  id: name,
  key: name,
  status: 'ready',
  attributes: { publicKey: public_key.trim() },
  outcome: { name },
  uses: [],
})

/**
 * The SSH key of the nodes. Nova has only a name for it, so it is ours if the state records it, or if its key is the
 * shoot's. Nova cannot change a key, so another one replaces it.
 */
export const keyPairType = (
  desired: DesiredInfrastructure,
  reads: InfrastructureReads,
): ResourceType<OpenStackAccess, KeyPairAttributes, KeyPairOutcome> => ({
  what: 'key pair',
  replaces: ['publicKey'],
  list: async ({ read, state }) => {
    const pair = await read(reads.keyPair)
    if (pair === undefined) return []
    if (state[keyPairKey] === pair.name) return [found(pair)]
    const isOurs = desired.publicKey?.trim() === pair.public_key.trim()
    // Without a state, nothing was made: the key alone does not prove who made it.
    if (desired.destroying)
      return isOurs && Object.keys(state).length > 0 ? [{ ...found(pair), ours: 'proved' }] : []
    if (isOurs) return [{ ...found(pair), ours: 'proved' }]
    throw new CodedError(
      `the project has a key pair ${pair.name} with another key than the shoot, and the state does not record it, so it belongs to someone else. Rename or delete it`,
      { codes: ['ERR_INFRA_DEPENDENCIES'] },
    )
  },
  create: async ({ cloud, signal, name, attributes: { publicKey } }) => {
    const { keypair } = await cloud.call({
      service: 'compute',
      method: 'POST',
      path: ['os-keypairs'],
      body: { keypair: { name, public_key: publicKey } },
      answer: z.object({ keypair: z.object({ name: z.string(), public_key: z.string() }) }),
      doing: `creating key pair ${name}`,
      signal,
    })
    return found(keypair)
  },
  remove: async ({ cloud, signal, found: { id } }) => {
    const path = ['os-keypairs', id]
    await cloud.call({ service: 'compute', method: 'DELETE', path, doing: `deleting key pair ${id}`, signal })
    return 'gone'
  },
})
