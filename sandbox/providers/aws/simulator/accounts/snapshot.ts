import type { Service } from '../service.ts'
import type { AccountSnapshot } from './account.ts'

/** An invalid snapshot of an account. The message names the problem. */
export class SnapshotError extends Error {
  override readonly name = 'SnapshotError'
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const kindOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value

/**
 * Returns the value with missing parts from an empty state. A snapshot that is older than a feature of the service is
 * still valid.
 *
 * @throws SnapshotError if the value has another type than the empty state
 */
const completed = (empty: unknown, value: unknown, path: string): unknown => {
  if (value === undefined) return empty
  if (kindOf(value) !== kindOf(empty))
    throw new SnapshotError(`${path}: expected ${kindOf(empty)}, found ${kindOf(value)}`)
  if (!isObject(empty) || !isObject(value)) return value
  const parts = Object.entries(empty).map(([name, part]) => [
    name,
    completed(part, value[name], `${path}.${name}`),
  ])
  return { ...value, ...Object.fromEntries(parts) }
}

const ownerOf = (services: readonly Service<object>[], key: string): Service<object> => {
  const [name, region] = key.split('/')
  const found = services.find(({ model }) => model.name === name)
  if (found && (found.scope === 'regional') === (region !== undefined)) return found
  const names = services.map(({ model, scope }) =>
    scope === 'regional' ? `${model.name}/<region>` : model.name,
  )
  throw new SnapshotError(`services.${key}: there is no such service; there are ${names.join(', ')}`)
}

/**
 * Reads a snapshot from given JSON.
 *
 * @throws SnapshotError
 */
export const readSnapshot = (services: readonly Service<object>[], value: unknown): AccountSnapshot => {
  if (!isObject(value)) throw new SnapshotError(`expected an account, found ${kindOf(value)}`)
  const { id, services: states } = value
  if (typeof id !== 'string' || !/^\d{12}$/.test(id)) throw new SnapshotError('id: expected 12 digits')
  if (!isObject(states)) throw new SnapshotError(`services: expected object, found ${kindOf(states)}`)
  const read = Object.entries(states).map(([key, state]) => {
    const empty = ownerOf(services, key).createState()
    return [key, completed(empty, state, `services.${key}`)] as const
  })
  return { id, services: Object.fromEntries(read) as Record<string, object> }
}
