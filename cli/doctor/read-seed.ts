import {
  hasStatus,
  type Kubernetes,
  type KubernetesObject,
  type ListOptions,
} from '../../shared/kubernetes/kubernetes.ts'
import { listPages } from '../../shared/kubernetes/list-all.ts'
import { messageOf } from '../../shared/text/message-of.ts'
import type { ReadOutcome } from './checked-seed.ts'
import { type ReadName, type SeedRead, seedReads } from './reads.ts'

/** Concurrent reads: as many as an API server gives one client without delaying others. */
const sideBySide = 8
const pageSize = 500
/** The most objects read from one list: a seed has a few hundred objects of a kind. */
const mostObjects = 10_000

export interface ReadSeedOptions {
  readonly kubernetes: Pick<Kubernetes, 'list'>
  readonly namespace: string
  readonly signal: AbortSignal
}

/** Reads the objects of one read again. Never throws. */
export const readAgain = (name: ReadName, options: ReadSeedOptions): Promise<ReadOutcome> =>
  readOne(seedReads[name], options)

/** Reads the data for all checks. Never throws: a failed read is a separate outcome. */
export const readSeed = async (
  options: ReadSeedOptions,
): Promise<Readonly<Record<ReadName, ReadOutcome>>> => {
  const names = Object.keys(seedReads) as ReadName[]
  const everywhere = names.filter(name => seedReads[name].scope !== 'namespaces of extensions')
  const first = await inParallel(
    everywhere,
    async name => [name, await readOne(seedReads[name], options)] as const,
  )
  const outcomes = new Map(first)
  const namespaces = outcomes.get('extensionNamespaces')
  for (const name of names.filter(one => !outcomes.has(one)))
    outcomes.set(name, await readInEach(seedReads[name], namespaces, options))
  return Object.fromEntries(outcomes) as Readonly<Record<ReadName, ReadOutcome>>
}

const readOne = (
  { resource, scope, labelSelector, fieldSelector, onlyMetadata }: SeedRead,
  { kubernetes, namespace, signal }: ReadSeedOptions,
  inside: string | undefined = scope === 'own namespace' ? namespace : undefined,
): Promise<ReadOutcome> =>
  outcomeOf(async () => {
    const objects: KubernetesObject[] = []
    const query: ListOptions = {
      limit: pageSize,
      signal,
      ...(inside !== undefined && { namespace: inside }),
      ...(labelSelector !== undefined && { labelSelector }),
      ...(fieldSelector !== undefined && { fieldSelector }),
    }
    for await (const { items, continue: more } of listPages(kubernetes, resource, query)) {
      objects.push(...(onlyMetadata ? items.map(withoutContent) : items))
      if (more && objects.length >= mostObjects) return { kind: 'objects', objects, complete: false }
    }
    return { kind: 'objects', objects, complete: true }
  })

const withoutContent = ({ apiVersion, kind, metadata }: KubernetesObject): KubernetesObject => ({
  apiVersion,
  kind,
  metadata,
})

const readInEach = async (
  read: SeedRead,
  namespaces: ReadOutcome | undefined,
  options: ReadSeedOptions,
): Promise<ReadOutcome> => {
  if (namespaces?.kind !== 'objects') return namespaces ?? { kind: 'absent' }
  const outcomes = await inParallel(namespaces.objects, ({ metadata }) =>
    readOne(read, options, metadata.name),
  )
  const failed = outcomes.find(({ kind }) => kind !== 'objects')
  if (failed !== undefined) return failed
  return {
    kind: 'objects',
    objects: outcomes.flatMap(outcome => (outcome.kind === 'objects' ? outcome.objects : [])),
    complete: outcomes.every(outcome => outcome.kind === 'objects' && outcome.complete),
  }
}

const outcomeOf = async (read: () => Promise<ReadOutcome>): Promise<ReadOutcome> => {
  try {
    return await read()
  } catch (error) {
    if (hasStatus(error, 404)) return { kind: 'absent' }
    if (hasStatus(error, 403)) return { kind: 'forbidden' }
    return { kind: 'failed', why: messageOf(error) }
  }
}

/** Runs the work with limited concurrency, and returns the results in order. */
export const inParallel = async <T, R>(
  all: readonly T[],
  work: (one: T) => Promise<R>,
): Promise<readonly R[]> => {
  const results: R[] = []
  let next = 0
  const worker = async () => {
    while (next < all.length) {
      const index = next++
      results[index] = await work(all[index] as T)
    }
  }
  await Promise.all(Array.from({ length: Math.min(sideBySide, all.length) }, worker))
  return results
}
