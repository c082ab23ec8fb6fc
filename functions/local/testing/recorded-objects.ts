import type { RecordedLife, RecordedLifeStep, RecordedLifeWrite } from '../../../test/recorded/lives.ts'
import type { NotedWrite } from '../../testing/function-seed.ts'
import type { LifeStep, ReplayedStep } from '../../testing/play-life.ts'

/** A step of a recording with a provider cluster. */
export interface ProviderStep extends RecordedLifeStep {
  readonly providerCluster?: { readonly writes: readonly RecordedLifeWrite[] }
}
export type ProviderLife = RecordedLife<ProviderStep>

/** Where the Go extension wrote more than has to come, or otherwise: each with its defect. */
export const differences: Readonly<Record<string, string>> = {
  // Every apply is sent in every reconcile, the unchanged ones too: those of a step that are the ones before are left out.
  L1: 'idle writes nothing',
  // The actuator runs twice after a restore.
  L2: 'a restore runs once',
  // A second delete after a fixed pause, which is answered with 404.
  L3: 'deletes are sent once',
  // A wait is told as an Error.
  L10: 'a wait is Processing',
} as const

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0

/** What Go's encoding adds to an object that is applied: empty parts, an empty status, a target port of 0. */
const withoutEncoding = (body: unknown): unknown => {
  const { status: _, ...fields } = Object(body)
  return tidy(fields)
}

/** `podSelector: {}` says that all are meant; everything else that is empty says nothing. */
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

const comparable = ({ verb, resource, namespace, name, body }: NotedWrite | RecordedLifeWrite) => ({
  verb,
  resource,
  name,
  ...(namespace !== undefined && resource !== 'namespaces' && { namespace }),
  ...(body !== undefined && { body: withoutEncoding(body) }),
})

/** What has to come to the provider cluster in each step of a recording. */
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

export const writesOf = (writes: readonly NotedWrite[]): readonly object[] => writes.map(comparable)

/** Without the waits, and without addresses, which a load balancer gives as it likes. */
export const withoutWaits = ({ action, states, result }: LifeStep | ReplayedStep): LifeStep => ({
  action,
  states: states
    .filter(state => Object(state).state !== 'Error' && [1, 100].includes(Object(state).progress))
    .filter((state, index, all) => JSON.stringify(state) !== JSON.stringify(all[index - 1])),
  result:
    result && JSON.parse(JSON.stringify(result).replaceAll(/"ip":"172\.18\.255\.\d+"/g, '"ip":"<address>"')),
})
