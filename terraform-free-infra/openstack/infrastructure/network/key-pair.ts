import { CodedError } from '../../../../shared/contract/errors.ts'
import type { Found, ResourceType } from '../../../engine/engine.ts'
import type { OpenStackAccess } from '../../account/openstack.ts'
import { create, type Item, kinds, removing } from '../calls.ts'
import type { DesiredInfrastructure } from '../desired.ts'
import type { InfrastructureReads } from '../reads.ts'
import { isNothingMade } from '../state.ts'

type KeyPairAttributes = { readonly publicKey: string }

const found = ({ name, public_key }: Item<'keyPair'>): Found<KeyPairAttributes, string> => ({
  id: name,
  key: name,
  status: 'ready',
  attributes: { publicKey: public_key.trim() },
  outcome: name,
  uses: [],
})

/**
 * The SSH key of the nodes. Nova has only a name for it, so it is ours if the state records it, or if its key is the
 * shoot's. Nova cannot change a key, so another one replaces it.
 */
export const keyPairType = (
  { publicKey, destroying }: DesiredInfrastructure,
  reads: InfrastructureReads,
): ResourceType<OpenStackAccess, KeyPairAttributes, string> => ({
  what: kinds.keyPair.noun,
  replaces: ['publicKey'],
  list: async ({ read, state }) => {
    const pair = await read(reads.keyPair)
    if (pair === undefined) return []
    if (state.KeyPair === pair.name) return [found(pair)]
    const isOurs = publicKey === pair.public_key.trim()
    // A deletion without a state has made nothing, so the user may have given this key to Nova.
    if (isOurs && !(destroying && isNothingMade(state))) return [{ ...found(pair), ours: 'proved' }]
    if (destroying) return []
    throw new CodedError(
      `the project has a key pair ${pair.name} with another key than the shoot, and the state does not record it, so it belongs to someone else. Rename or delete it`,
      { codes: ['ERR_INFRA_DEPENDENCIES'] },
    )
  },
  create: async ({ cloud, signal, name, attributes }) =>
    found(await create(cloud, kinds.keyPair, { name, public_key: attributes.publicKey }, signal)),
  remove: removing(kinds.keyPair),
})
