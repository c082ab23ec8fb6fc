import { parseEntryName } from '../../../shared/backup-entry/backup-entry.ts'
import type { Clock, Timestamp } from '../../../shared/clock/clock.ts'
import { isRecord, stringOf } from '../../../shared/decode/record-of.ts'
import { partsOfObjectId } from '../../../shared/journal/journal.ts'
import { hasStatus, type Kubernetes } from '../../../shared/kubernetes/kubernetes.ts'
import { listAll } from '../../../shared/kubernetes/list-all.ts'
import { secrets } from '../../../shared/lifecycle/lifecycle.ts'
import type { ValueSearch } from './value-search.ts'

/** Secrets whose values an object may contain: all of a namespace, or one. */
export interface SecretPlace {
  readonly namespace: string
  /** Default: all Secrets of the namespace. */
  readonly name?: string
}

export interface SecretReader {
  /**
   * Reads the Secrets of these places that were not read recently. Retries until they are read or refused. Rejects if
   * the signal aborts before the first time.
   */
  read(places: readonly SecretPlace[], signal: AbortSignal): Promise<void>
}

/** Values change seldom, and functions redact their own errors. Milliseconds. */
const freshMs = 60_000
const retryMs = 1_000

/**
 * Reads Secrets only for their values, which are searched for in everything that is recorded. Calls `refused` once with
 * the first reason why it cannot read them.
 */
export const createSecretReader = ({
  kubernetes,
  clock,
  search,
  refused,
}: {
  readonly kubernetes: Pick<Kubernetes, 'list'>
  readonly clock: Clock
  readonly search: Pick<ValueSearch, 'add'>
  readonly refused: (why: string) => void
}): SecretReader => {
  const readAt = new Map<string, Timestamp>()
  /** The version of each Secret that is in the search. */
  const versions = new Map<string, string | undefined>()
  let isRefused = false

  const readPlace = async ({ namespace, name }: SecretPlace, signal: AbortSignal): Promise<void> => {
    const found = await listAll(kubernetes, secrets, {
      namespace,
      signal,
      ...(name !== undefined && { fieldSelector: `metadata.name=${name}` }),
    })
    for (const { metadata, data } of found) {
      const { resourceVersion } = metadata
      const id = `${namespace}/${metadata.name}`
      if (resourceVersion !== undefined && versions.get(id) === resourceVersion) continue
      versions.set(id, resourceVersion)
      // Its manifests are not secret, and objects refer to it by name only.
      if (isRecord(data) && !metadata.name.startsWith('managedresource-')) search.add(data)
    }
  }

  return {
    read: async (places, signal) => {
      for (const place of places) {
        const id = `${place.namespace}/${place.name ?? ''}`
        const last = readAt.get(id)
        if (last !== undefined && (clock.now() - last < freshMs || signal.aborted)) continue
        for (;;) {
          try {
            await readPlace(place, signal)
            break
          } catch (error) {
            if (signal.aborted) throw error
            if (hasStatus(error, 401, 403)) {
              if (!isRefused) refused(String(error.status))
              isRefused = true
              break
            }
            await clock.sleep(retryMs, signal)
          }
        }
        readAt.set(id, clock.now())
      }
    },
  }
}

/** Returns the Secrets whose values an object may contain. */
export const secretPlacesOf = (object: {
  readonly kind: string
  readonly metadata: { readonly name: string; readonly namespace?: string }
  readonly [field: string]: unknown
}): readonly SecretPlace[] => {
  const { kind, metadata } = object
  const ofShoot =
    kind === 'Cluster'
      ? metadata.name
      : kind === 'BackupEntry'
        ? parseEntryName(metadata.name).technicalId
        : undefined
  const namespace = metadata.namespace ?? ofShoot
  const refs = [object.spec, object.status].flatMap(part =>
    isRecord(part) ? [part.secretRef, part.generatedSecretRef] : [],
  )
  return [
    ...(namespace === undefined ? [] : [{ namespace }]),
    ...refs.filter(isRecord).flatMap(ref => {
      const place = { namespace: stringOf(ref.namespace), name: stringOf(ref.name) }
      return place.namespace === '' || place.name === '' || place.namespace === namespace ? [] : [place]
    }),
  ]
}

/** Returns the same for the id of an object that may not be known. */
export const secretPlacesOfId = (id: string): readonly SecretPlace[] => {
  const { kind = '', namespace, name = '' } = partsOfObjectId(id) ?? {}
  if (kind === 'BackupEntry') return [{ namespace: parseEntryName(name).technicalId }]
  return namespace === undefined ? [] : [{ namespace }]
}
