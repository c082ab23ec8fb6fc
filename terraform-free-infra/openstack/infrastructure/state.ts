import * as z from 'zod'
import { type CodedError, configurationProblem } from '../../../shared/contract/errors.ts'
import { recordOf } from '../../../shared/decode/record-of.ts'
import type { State, StateCodec } from '../../engine/engine.ts'
import { apiVersion } from '../account/config/config.ts'

const kind = 'InfrastructureState'

const stored = z.object({ data: z.record(z.string(), z.string().nullable()).nullish() })

/** A key of former releases of the Go extension, which removes it, too. */
const formerKey = 'RouterIP'

/**
 * `status.state` in the format of Gardener's Go extension (docs/contract/provider-openstack.md#infrastructure). Each can
 * continue with the state of the other. Unknown keys are retained.
 */
export const stateCodec: StateCodec = {
  decode: value => {
    if (value === undefined || value === null) return {}
    if (typeof value !== 'object' || !('kind' in value) || value.kind !== kind) throw refused(value)
    if (!('apiVersion' in value) || value.apiVersion !== apiVersion) throw refused(value)
    const { data, error } = stored.safeParse(value)
    if (error !== undefined) throw misread('it is damaged: its data is not a map of texts')
    return Object.fromEntries(
      Object.entries(data.data ?? {}).filter(
        (entry): entry is [string, string] => entry[1] !== null && entry[1] !== '' && entry[0] !== formerKey,
      ),
    )
  },
  encode: state => ({ apiVersion, kind, data: state }),
}

/** The key of the uid in marks and tokens. The Go extension ignores it. */
export const createdForKey = 'CreatedFor'

/** Set by the first step of a deletion. From then on, a name alone proves nothing. */
export const deletingKey = 'Deleting'

/** Returns true if no step has created anything: each writes the state before. Also true for a lost state. */
export const isNothingMade = (state: State): boolean => Object.keys(state).length === 0

/** Returns a merge patch. Removed keys must be null. */
export const statePatch = (state: State, removed: readonly string[] = []): object => ({
  apiVersion,
  kind,
  data: { ...Object.fromEntries(removed.map(key => [key, null])), ...state },
})

/** Returns the keys of a stored state that a new one does not have. */
export const removedKeys = (value: unknown, state: State): readonly string[] =>
  Object.keys(recordOf(recordOf(value).data)).filter(key => state[key] === undefined)

const refused = (value: unknown): CodedError =>
  misread(
    isTerraform(value)
      ? 'it is a Terraform state, which is not supported. Let the provider-openstack extension of Gardener reconcile the shoot once, then switch to Trellis'
      : 'it is neither empty nor an InfrastructureState of the provider openstack',
  )

const isTerraform = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  ['terraform_version', 'tfstate', 'lineage', 'encoding'].some(key => key in value)

const misread = (problem: string): CodedError => configurationProblem(`cannot read status.state: ${problem}`)
