import type { SteppedRequest } from '../../../sandbox/stepped-seed/stepped-seed.ts'
import type { RecordedLife, RecordedLifeStep, RecordedLifeWrite } from '../../../test/recorded/lives.ts'
import type { LifeStep, ReplayedStep } from '../../testing/play-life.ts'

/** A step of a recording with a provider cluster. */
export interface ProviderStep extends RecordedLifeStep {
  readonly providerCluster?: { readonly writes: readonly RecordedLifeWrite[] }
}
export type ProviderLife = RecordedLife<ProviderStep>

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0

/** Removes the additions of Go's encoding to an applied object: empty fields, an empty status, a target port of 0. */
const withoutEncoding = (body: unknown): unknown => {
  const { status: _, ...fields } = Object(body)
  return tidy(fields)
}

/** `podSelector: {}` selects all pods. Any other empty field means nothing. */
const tidy = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(tidy)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).flatMap(([name, field]) => {
    if (name === 'targetPort' && field === 0) return [[name, Object(value).port] as const]
    if (name === 'uid') return [[name, '<uid>'] as const]
    return isEmpty(field) && name !== 'podSelector' ? [] : [[name, tidy(field)] as const]
  })
  return Object.fromEntries(entries)
}

const comparable = ({ verb, resource, namespace, name, body }: SteppedRequest | RecordedLifeWrite) => ({
  verb,
  resource,
  name,
  ...(namespace !== undefined && resource !== 'namespaces' && { namespace }),
  ...(body !== undefined && { body: withoutEncoding(body) }),
})

/** The expected writes to the provider cluster in each step of a recording. */
export const expectedWrites = ({ steps }: ProviderLife): readonly (readonly object[])[] => {
  const applied = new Map<string, string>()
  return steps.map(({ providerCluster }) =>
    (providerCluster?.writes ?? [])
      .filter(({ code }) => code === undefined)
      .map(comparable)
      .filter(write => {
        if (write.verb !== 'apply') return true
        const id = `${write.resource} ${write.name}`
        const body = JSON.stringify(write.body)
        const isKnown = applied.get(id) === body
        applied.set(id, body)
        return !isKnown
      }),
  )
}

export const writesOf = (writes: readonly SteppedRequest[]): readonly object[] => writes.map(comparable)

/** Removes the waits, and the arbitrary addresses of load balancers. */
export const withoutWaits = ({ action, states, result }: LifeStep | ReplayedStep): LifeStep => ({
  action,
  states: states
    .filter(state => Object(state).state !== 'Error' && [1, 100].includes(Object(state).progress))
    .filter((state, index, all) => JSON.stringify(state) !== JSON.stringify(all[index - 1])),
  result:
    result && JSON.parse(JSON.stringify(result).replaceAll(/"ip":"172\.18\.255\.\d+"/g, '"ip":"<address>"')),
})
