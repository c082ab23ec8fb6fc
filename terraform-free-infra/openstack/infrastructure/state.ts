import { recordOf } from '../../../shared/decode/record-of.ts'
import { infrastructureStates } from '../../cloud/infrastructure-state.ts'
import type { State } from '../../engine/engine.ts'
import { apiVersion } from '../account/config/config.ts'

export { createdForKey, isNothingMade } from '../../cloud/infrastructure-state.ts'

/** A key of former releases of the Go extension, which removes it, too. */
const formerKey = 'RouterIP'

/** The format of `status.state` (docs/contract/provider-openstack.md#infrastructure). */
export const { stateCodec, statePatch } = infrastructureStates(
  'openstack',
  apiVersion,
  key => key === formerKey,
)

/** Set by the first step of a deletion. From then on, a name alone proves nothing. */
export const deletingKey = 'Deleting'

/** Returns the keys of a stored state that a new one does not have. */
export const removedKeys = (value: unknown, state: State): readonly string[] =>
  Object.keys(recordOf(recordOf(value).data)).filter(key => state[key] === undefined)
