/** Judges a world by its content: what a run changed, compared with what the same run changes without faults. */

import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { readManifests } from '../../../shared/resources/resources.ts'
import type { EtcdBackup } from '../../kubernetes/kubernetes.ts'
import type { WorldBackup } from '../simulate.ts'
import { comparableLines } from './comparable-lines.ts'

/** Everything in a world that a user could lose: a line for each object and each row of the cloud. */
export interface WorldContent {
  readonly objects: ReadonlyMap<string, string>
  readonly cloud: readonly string[]
}

/** The differences between two contents, one line each: `+`, `-` and what was added or removed. */
export type WorldChanges = readonly string[]

/** Resources whose objects are written by the simulation itself, or are only reports. */
const ignored = new Set([
  'customresourcedefinitions.apiextensions.k8s.io',
  'leases.coordination.k8s.io',
  'events',
  'events.events.k8s.io',
])

/**
 * Returns the content of a world. Unchanged revisions of a former content are not read again.
 *
 * @param cloud the rows of its cloud: `CloudSide.contents`
 */
export const contentOf = async (
  { first, shoots }: Pick<WorldBackup, 'first' | 'shoots'>,
  cloud: readonly string[],
  texts: ObjectTexts = createObjectTexts(),
): Promise<WorldContent> => {
  const objects = new Map<string, string>()
  const add = async (cluster: string, backup: EtcdBackup): Promise<void> => {
    const inUse = referencedSecrets(backup)
    for (const [resource, entries] of backup.objects) {
      if (ignored.has(resource)) continue
      for (const [key, revision] of entries)
        if (!isCollectable(revision.object) || inUse.has(key))
          objects.set(`${cluster} ${resource} ${key}`, await texts(revision))
    }
  }
  await add('seed', first)
  for (const [namespace, backup] of shoots) await add(`shoot ${namespace}`, backup)
  return { objects, cloud: cloud.map(withoutTimes) }
}

const collectable = 'resources.gardener.cloud/garbage-collectable-reference'
const reference = 'reference.resources.gardener.cloud/secret-'

/** The resource manager deletes these Secrets some time after their last reference. */
const isCollectable = ({ kind, metadata }: KubernetesObject): boolean =>
  kind === 'Secret' && metadata.labels?.[collectable] === 'true'

const referencedSecrets = ({ objects }: EtcdBackup): ReadonlySet<string> =>
  new Set(
    ['managedresources.resources.gardener.cloud', 'deployments.apps'].flatMap(resource =>
      [...(objects.get(resource)?.values() ?? [])].flatMap(({ object: { metadata } }) =>
        Object.entries(metadata.annotations ?? {}).flatMap(([name, secret]) =>
          name.startsWith(reference) ? [`${metadata.namespace}/${secret}`] : [],
        ),
      ),
    ),
  )

/** Returns the text of an object without the fields that differ between equal objects. */
export type ObjectTexts = (revision: object & { readonly object: object }) => Promise<string>

/** Each revision is read once. Contents of one base share it. */
export const createObjectTexts = (): ObjectTexts => {
  const known = new WeakMap<object, string>()
  return async revision => {
    const text = known.get(revision) ?? (await objectText(revision.object))
    known.set(revision, text)
    return text
  }
}

/** Annotations whose values are times or the state of a step. */
const volatile = new Set(['trellis.gardener.cloud/step', 'gardener.cloud/timestamp'])

const objectText = async (object: object): Promise<string> => {
  const { metadata, data, status, ...fields } = object as Readonly<Record<string, unknown>>
  const { resourceVersion: _, generation: __, managedFields: ___, annotations, ...rest } = Object(metadata)
  const shown = Object.entries(Object(annotations)).filter(([name]) => !volatile.has(name))
  const { observedGeneration: ____, lastOperation, ...others } = Object(status)
  // A success whose answer is lost is repeated as `Reconcile`.
  const reported = { ...others, ...(lastOperation && { lastOperation: lastOperation.state }) }
  const content = fields.kind === 'Secret' ? await secretContent(data, Object(rest).labels) : data
  return withoutTimes(
    ordered({
      ...fields,
      metadata: { ...rest, ...(shown.length > 0 && { annotations: Object.fromEntries(shown) }) },
      ...(content !== undefined && { data: content }),
      ...(status !== undefined && { status: reported }),
    }),
  )
}

/** Manifests are read. The content of a generated Secret is random, and a changed one has another name. */
const secretContent = async (data: unknown, labels: unknown): Promise<unknown> => {
  if (Object(labels)['managed-by'] === 'secrets-manager') return Object.keys(Object(data))
  return Object(labels)[collectable] === 'true' ? readManifests(data) : data
}

const ordered = (value: unknown): string =>
  JSON.stringify(value, (_, inner) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )

const withoutTimes = (text: string): string =>
  text
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replaceAll(/\b1[678]\d{11}(?:\.\d+)?\b/g, '<time>')
    // Labels of the secrets manager, in seconds.
    .replaceAll(/(?<="(?:issued-at|valid-until)-time":")\d+(?=")/g, '<time>')

export const changesBetween = (before: WorldContent, after: WorldContent): WorldChanges => {
  const changes: string[] = []
  for (const [key, text] of after.objects)
    if (before.objects.get(key) !== text) changes.push(`+ ${key} ${text}`)
  for (const [key, text] of before.objects)
    if (after.objects.get(key) !== text) changes.push(`- ${key} ${text}`)
  const left = countsOf(before.cloud)
  for (const row of after.cloud) {
    const count = left.get(row) ?? 0
    if (count === 0) changes.push(`+ ${row}`)
    else left.set(row, count - 1)
  }
  for (const [row, count] of left) for (let index = 0; index < count; index++) changes.push(`- ${row}`)
  return changes
}

const countsOf = (lines: readonly string[]): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1)
  return counts
}

/**
 * Compares the changes of a run with those of a run without faults, and returns a sentence for each difference. Generated
 * names may differ, in the changes but not in what both runs retain.
 */
export const compareChanges = (
  before: WorldContent,
  expected: WorldChanges,
  actual: WorldChanges,
): readonly string[] => {
  const same = new Set(expected)
  if (expected.length === actual.length && actual.every(line => same.has(line))) return []
  const known = `${[...before.objects].join('\n')}\n${before.cloud.join('\n')}`
  const missing = countsOf(comparableLines(expected, known))
  const surplus: string[] = []
  for (const line of comparableLines(actual, known)) {
    const count = missing.get(line) ?? 0
    if (count === 0) surplus.push(line)
    else missing.set(line, count - 1)
  }
  const absent = [...missing].flatMap(([line, count]) => Array.from({ length: count }, () => line))
  return [
    ...surplus.map(line => {
      const index = absent.findIndex(other => nameOf(other) === nameOf(line))
      const [other] = index === -1 ? [] : absent.splice(index, 1)
      return other === undefined ? `surplus: ${line}` : differenceText(other, line)
    }),
    ...absent.map(line => `missing: ${line}`),
  ]
}

/** Returns the sign, the place and the name of a line. */
const nameOf = (line: string): string => line.slice(0, line.indexOf(' {'))

/** Characters around a difference that are shown. */
const around = 60

const differenceText = (expected: string, actual: string): string => {
  let start = 0
  while (start < expected.length && expected[start] === actual[start]) start++
  let end = 0
  while (end < expected.length - start && expected.at(-1 - end) === actual.at(-1 - end)) end++
  const part = (text: string) => text.slice(Math.max(start - around, 0), text.length - end + around)
  return `${nameOf(actual)}: expected …${part(expected)}…, found …${part(actual)}…`
}
