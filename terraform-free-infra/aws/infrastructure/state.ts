import * as z from 'zod'
import { CodedError } from '../../../shared/contract/errors.ts'
import type { State, StateCodec } from '../../engine/engine.ts'
import { apiVersion } from './config/config.ts'

const kind = 'InfrastructureState'

const stored = z.object({ data: z.record(z.string(), z.string().nullable()).nullish() })

/** What earlier releases of the Go extension wrote for a key that was removed. */
const deleted = '<deleted>'

/**
 * `status.state` in the form of Gardener's Go extension (docs/contract/provider-aws.md#state): what either wrote the
 * other can go on with. Keys that are unknown here stay.
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
        (entry): entry is [string, string] => entry[1] !== null && entry[1] !== '' && entry[1] !== deleted,
      ),
    )
  },
  encode: state => ({ apiVersion, kind, data: state }),
}

/** No step has ever come so far as to make something: each writes into the state before. */
export const isNothingMade = (state: State): boolean => Object.keys(state).length === 0

/** As a merge patch: keys that are gone have to be null. */
export const statePatch = (state: State, removed: readonly string[] = []): object => ({
  apiVersion,
  kind,
  data: { ...Object.fromEntries(removed.map(key => [key, null])), ...state },
})

const refused = (value: unknown): CodedError =>
  misread(
    isTerraform(value)
      ? 'it is the state of Terraform, which is not converted here: let the provider-aws extension of Gardener reconcile the shoot once, then hand it over'
      : 'it is neither empty nor an InfrastructureState of the provider aws',
  )

const isTerraform = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  ['terraform_version', 'tfstate', 'lineage', 'encoding'].some(key => key in value)

const misread = (what: string): CodedError =>
  new CodedError(`reading status.state: ${what}`, { codes: ['ERR_CONFIGURATION_PROBLEM'] })
