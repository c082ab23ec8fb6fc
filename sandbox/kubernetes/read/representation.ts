import type { ApiContext } from '../requests/api-context.ts'
import { notAcceptable } from '../requests/api-error.ts'
import type { ServedResource } from '../resources/registry.ts'
import type { StoredRevision } from '../store/store.ts'
import { protobufType } from '../wire/decode-protobuf.ts'
import { jsonAs, objectAs } from './present.ts'
import { type IncludeObject, partialMetadata, tableOf } from './table.ts'

export interface ListMeta {
  readonly resourceVersion: string
  readonly continue?: string
  readonly remainingItemCount?: number
}

/** The format in which a client accepts objects. */
export interface Representation {
  readonly one: (entry: StoredRevision) => string
  readonly list: (entries: readonly StoredRevision[], metadata: ListMeta) => string
  /** Returns the object of a watch line. `first`: true for the first line of the watch. */
  readonly watched: (entry: StoredRevision, first: boolean) => string
}

/** Chooses the format by the Accept header: `Table` for kubectl get, `PartialObjectMetadata` for metadata clients. */
export const representationFor = (
  context: ApiContext,
  served: ServedResource,
  accept: string | undefined,
  includeObject: string | null,
): Representation => {
  for (const part of (accept || '*/*').split(',')) {
    const [media = '', ...parameters] = part.split(';').map(text => text.trim())
    if (!produced.has(media)) continue
    const as = parameters.find(text => text.startsWith('as='))?.slice(3)
    if (as === undefined) return asJson(served)
    if (as === 'Table') return asTable(context, served, includeObject)
    if (as === 'PartialObjectMetadata' || as === 'PartialObjectMetadataList') return asMetadata(served)
  }
  throw notAcceptable(['application/json', 'application/yaml', protobufType])
}

/** The media types of a response. YAML is converted from JSON at the end. */
const produced = new Set(['application/json', 'application/yaml', 'application/*', '*/*'])

const asJson = (served: ServedResource): Representation => {
  const { type, version } = served
  const apiVersion = type.group === '' ? version.name : `${type.group}/${version.name}`
  // Items of typed lists have no apiVersion and kind, as Go clients receive them.
  const item = (entry: StoredRevision): string =>
    type.custom
      ? jsonAs(served, entry)
      : JSON.stringify({ ...entry.object, apiVersion: undefined, kind: undefined })
  return {
    one: entry => jsonAs(served, entry),
    watched: entry => jsonAs(served, entry),
    // Lists of custom resources are untyped in Go: an empty continue token is not omitted.
    list: (entries, metadata) =>
      `{"apiVersion":"${apiVersion}","kind":"${type.listKind}","metadata":${JSON.stringify(type.custom ? { continue: '', ...metadata } : metadata)},"items":[${entries.map(item).join(',')}]}`,
  }
}

const asTable = (context: ApiContext, served: ServedResource, include: string | null): Representation => {
  const includeObject: IncludeObject = include === 'None' || include === 'Object' ? include : 'Metadata'
  const table = (entries: readonly StoredRevision[], metadata: object, withColumns: boolean): string =>
    JSON.stringify(
      tableOf(
        served.version,
        entries.map(entry => objectAs(served, entry)),
        metadata,
        { includeObject, now: context.clock.now(), withColumns },
      ),
    )
  const versionOf = (entry: StoredRevision) => ({ resourceVersion: entry.object.metadata.resourceVersion })
  return {
    one: entry => table([entry], versionOf(entry), true),
    watched: (entry, first) => table([entry], versionOf(entry), first),
    list: (entries, metadata) => table(entries, metadata, true),
  }
}

const asMetadata = (served: ServedResource): Representation => {
  const one = (entry: StoredRevision): string => JSON.stringify(partialMetadata(objectAs(served, entry)))
  return {
    one,
    watched: one,
    list: (entries, metadata) =>
      `{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1","metadata":${JSON.stringify(metadata)},"items":[${entries.map(one).join(',')}]}`,
  }
}
