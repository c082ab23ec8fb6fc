import * as z from 'zod'
import type { Problem } from '../../../../shared/decode/problems.ts'
import {
  isNotFound,
  type OpenStackAccess,
  OpenStackError,
} from '../../../../terraform-free-infra/openstack/account/openstack.ts'

/** An object in a container, or with `version_id` one version of it. `slo_etag`: its data are in other objects. */
const entrySchema = z.object({
  name: z.string(),
  version_id: z.string().optional(),
  slo_etag: z.string().optional(),
})
export type ContainerEntry = z.infer<typeof entrySchema>

export interface ContainerPage {
  readonly entries: readonly ContainerEntry[]
  /** Another container, to which Swift moves what is deleted here. */
  readonly history: string | undefined
}

/** A container of Swift (Object Storage API v1). Every call but `exists`, `create` and `remove` throws if it is missing. */
export interface SwiftContainer {
  readonly name: string
  /** Returns the id of the project in which the container is. */
  projectId(): Promise<string>
  exists(): Promise<boolean>
  /** A container that exists stays as it is. */
  create(): Promise<void>
  /** Returns false if objects are left. A missing container counts as removed. */
  remove(): Promise<boolean>
  /** Returns at most `pageSize` objects with the prefix, after the one of this name. */
  list(prefix: string, after: string | undefined): Promise<ContainerPage>
  /** Deletes at most `pageSize` objects. Returns how many there were. Throws the first refusal after all were asked. */
  deleteObjects(entries: readonly ContainerEntry[]): Promise<number>
}

/** Objects on a page. Every cloud allows this many. */
export const pageSize = 1_000

/** Objects of one bulk request. Swift deletes two at a time, and answers before its own and our time limits. */
const bulkSize = 250

/** Concurrent requests for single objects. */
const parallel = 8

const bulkAnswer = z.object({
  'Number Deleted': z.number(),
  'Response Status': z.string(),
  Errors: z.array(z.tuple([z.string(), z.string()])),
})

/** Returns the reasons why no container can have this name. It becomes part of a URL. */
export const containerNameProblems = (path: string, name: string): readonly Problem[] =>
  /^[^/]+$/.test(name) && name !== '.' && name !== '..' && Buffer.byteLength(name) <= 256
    ? []
    : [{ path, message: `expected the name of a Swift container, found ${JSON.stringify(name)}` }]

export const containerOver = (access: OpenStackAccess, name: string): SwiftContainer => {
  const service = 'object-store'
  const path = [name]
  let inBulk = true
  let versions = false

  const deleteOne = async ({ name: object, version_id }: ContainerEntry): Promise<number> => {
    const doing = `deleting object ${object} of container ${name}`
    // As a part of a URL, such a name would mean the container or the account.
    if (object === '.' || object === '..') throw new Error(`${doing}: it can only be deleted in bulk`)
    const query = { 'version-id': version_id }
    return access
      .call({ service, method: 'DELETE', path: [name, object], query, doing })
      .then(() => 1, missingAs(0))
  }

  /** Returns undefined if the proxy servers have no bulk middleware: then the request means something else. */
  const bulkDelete = async (entries: readonly ContainerEntry[]): Promise<number | undefined> => {
    const doing = `deleting ${entries.length} objects of container ${name}`
    const body = entries
      .map(entry => `${encodeURIComponent(name)}/${encodeURIComponent(entry.name)}\n`)
      .join('')
    const headers = { 'content-type': 'text/plain' }
    const said: unknown = await access
      .call({ service, method: 'POST', path: [], query: { 'bulk-delete': true }, body, headers, doing })
      .catch((error: unknown) => {
        if (error instanceof OpenStackError && [404, 405, 412].includes(error.status ?? 0)) return undefined
        throw error
      })
    const { data } = bulkAnswer.safeParse(said)
    if (data === undefined) return undefined
    // The status of the answer is 200 whatever happened; each object has its own.
    const [failed] = data.Errors
    if (failed !== undefined)
      throw swiftError(
        `deleting object ${failed[0]}, one of ${data.Errors.length} that Swift refused to delete`,
        failed[1],
      )
    const status = data['Response Status']
    if (/^5/.test(status)) throw swiftError(doing, status)
    // For example 413: the cloud allows fewer objects in one request.
    return /^2/.test(status) ? data['Number Deleted'] : undefined
  }

  const deletePiece = async (entries: readonly ContainerEntry[]): Promise<number> => {
    const deleted = inBulk && !versions ? await bulkDelete(entries) : undefined
    if (deleted !== undefined) return deleted
    inBulk = false
    let count = 0
    for (let from = 0; from < entries.length; from += parallel)
      count += sumOf(await Promise.allSettled(entries.slice(from, from + parallel).map(deleteOne)))
    return count
  }

  const list: SwiftContainer['list'] = async (prefix, after) => {
    const { value, headers } = await access.exchange({
      service,
      method: 'GET',
      path,
      query: {
        format: 'json',
        limit: pageSize,
        prefix: prefix || undefined,
        marker: after,
        versions: versions || undefined,
      },
      answer: z.array(entrySchema).optional(),
      doing: `listing container ${name}`,
    })
    if (headers['x-versions-enabled']?.toLowerCase() !== 'true' || versions)
      return { entries: value ?? [], history: headers['x-history-location'] }
    // A deletion without a version would only hide the object.
    versions = true
    return list(prefix, after)
  }

  return {
    name,
    projectId: () => access.projectId(),
    exists: () =>
      access
        .call({ service, method: 'HEAD', path, doing: `reading container ${name}` })
        .then(() => true, missingAs(false)),
    create: async () => {
      await access.call({ service, method: 'PUT', path, doing: `creating container ${name}` })
    },
    remove: () =>
      access
        .call({ service, method: 'DELETE', path, doing: `deleting container ${name}` })
        .then(() => true, missingAs(true))
        .catch((error: unknown) => {
          if (error instanceof OpenStackError && error.status === 409) return false
          throw error
        }),
    list,
    deleteObjects: async entries => {
      const pieces: (readonly ContainerEntry[])[] = []
      for (let from = 0; from < entries.length; from += bulkSize)
        pieces.push(entries.slice(from, from + bulkSize))
      return sumOf(await Promise.allSettled(pieces.map(deletePiece)))
    },
  }
}

const missingAs =
  <T>(value: T) =>
  (error: unknown): T => {
    if (isNotFound(error)) return value
    throw error
  }

const sumOf = (outcomes: readonly PromiseSettledResult<number>[]): number =>
  outcomes.reduce((sum, outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason
    return sum + outcome.value
  }, 0)

/** The error of a status such as `409 Conflict` inside an answer. */
const swiftError = (doing: string, status: string): OpenStackError =>
  new OpenStackError(doing, {
    service: 'object-store',
    status: Number.parseInt(status, 10),
    code: '',
    said: `Swift answered with ${status}`,
    origin: 'openstack',
    repeated: false,
  })
