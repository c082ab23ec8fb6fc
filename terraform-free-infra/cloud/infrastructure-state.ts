import * as z from 'zod'
import { type CodedError, configurationProblem } from '../../shared/contract/errors.ts'
import type { State, StateCodec } from '../engine/engine.ts'

const kind = 'InfrastructureState'

const stored = z.object({ data: z.record(z.string(), z.string().nullable()).nullish() })

/** `status.state` in the format of Gardener's Go extensions. */
export interface InfrastructureStates {
  readonly stateCodec: StateCodec
  /** Returns a merge patch. Removed keys must be null. */
  readonly statePatch: (state: State, removed?: readonly string[]) => object
}

/**
 * Returns the states of a provider. Each of its Go extension and Trellis can continue with the state of the other. Keys
 * that are unknown are retained.
 *
 * @param isDropped true for an entry of a former release of the Go extension that means nothing
 */
export const infrastructureStates = (
  provider: string,
  apiVersion: string,
  isDropped: (key: string, value: string) => boolean,
): InfrastructureStates => {
  const refused = (value: unknown): CodedError =>
    misread(
      isTerraform(value)
        ? `it is a Terraform state, which is not supported. Let the provider-${provider} extension of Gardener reconcile the shoot once, then switch to Trellis`
        : `it is neither empty nor an InfrastructureState of the provider ${provider}`,
    )
  return {
    stateCodec: {
      decode: value => {
        if (value === undefined || value === null) return {}
        if (typeof value !== 'object' || !('kind' in value) || value.kind !== kind) throw refused(value)
        if (!('apiVersion' in value) || value.apiVersion !== apiVersion) throw refused(value)
        const { data, error } = stored.safeParse(value)
        if (error !== undefined) throw misread('it is damaged: its data is not a map of texts')
        return Object.fromEntries(
          Object.entries(data.data ?? {}).filter(
            (entry): entry is [string, string] =>
              entry[1] !== null && entry[1] !== '' && !isDropped(entry[0], entry[1]),
          ),
        )
      },
      encode: state => ({ apiVersion, kind, data: state }),
    },
    statePatch: (state, removed = []) => ({
      apiVersion,
      kind,
      data: { ...Object.fromEntries(removed.map(key => [key, null])), ...state },
    }),
  }
}

/** The key of the uid in marks and tokens. The Go extensions ignore it. */
export const createdForKey = 'CreatedFor'

/** Returns true if no step has created anything: each writes the state before. Also true for a lost state. */
export const isNothingMade = (state: State): boolean => Object.keys(state).length === 0

const isTerraform = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  ['terraform_version', 'tfstate', 'lineage', 'encoding'].some(key => key in value)

const misread = (problem: string): CodedError => configurationProblem(`cannot read status.state: ${problem}`)
