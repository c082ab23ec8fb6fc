/** Swift: containers and objects of one account. */

import { createHash } from 'node:crypto'
import { isAdmin, isWriter, type KindContext } from '../core/context.ts'
import type { ContainerItem, ObjectItem } from '../core/items.ts'
import type { ServiceAnswer, ServiceRequest } from '../core/message.ts'
import { htmlRefusal, type ServiceRefusal } from '../core/refusal.ts'

/** The most entries of one list, and of one bulk deletion (Swift's defaults). */
const mostListed = 10_000
const mostDeleted = 10_000

const refusals: Readonly<Record<number, string>> = {
  401: 'This server could not verify that you are authorized to access the document you requested.',
  403: 'Access was denied to this resource.',
  404: 'The resource could not be found.',
  405: 'The method is not allowed for this resource.',
  409: 'There was a conflict when trying to complete your request.',
  413: 'The body of your request was too large for this server.',
}
const refused = (status: number): ServiceRefusal => htmlRefusal(status, refusals[status] ?? '')

const answer = (
  status: number,
  body = '',
  headers: Readonly<Record<string, string>> = {},
): ServiceAnswer => ({
  status,
  body,
  headers: { 'content-type': 'text/html; charset=UTF-8', ...headers },
})

export const containerId = (project: string, name: string): string => `${project}/${name}`
export const objectId = (project: string, container: string, name: string): string =>
  `${project}/${container}/${name}`

/** Answers a request below `/v1/AUTH_<project>`. Throws a `ServiceRefusal`. */
export const answerObjectStore = (request: ServiceRequest, context: KindContext): ServiceAnswer => {
  const { method, path, query, body } = request
  const [version, account = '', container, ...rest] = path
  if (version !== 'v1' || !account.startsWith('AUTH_')) throw refused(404)
  const project = account.slice('AUTH_'.length)
  const { holder } = context
  if (!isAdmin(holder) && holder.projectId !== project) throw refused(403)
  if (method !== 'GET' && method !== 'HEAD' && !isWriter(holder)) throw refused(403)
  if (container === undefined || container === '')
    return query.has('bulk-delete') && (method === 'POST' || method === 'DELETE')
      ? bulkDelete(body, project, request, context)
      : answerAccount(project, request, context)
  const name = rest.join('/')
  return name === ''
    ? answerContainer(project, container, request, context)
    : answerObject({ project, container, name }, request, context)
}

const answerAccount = (project: string, request: ServiceRequest, { store }: KindContext): ServiceAnswer => {
  if (request.method !== 'GET' && request.method !== 'HEAD') throw refused(405)
  const names = store
    .all('container')
    .filter(one => one.project_id === project)
    .map(({ name }) => ({ name, item: { name, count: 0, bytes: 0 } }))
  return listAnswer(names, request)
}

const objectsIn = (project: string, container: string, { store }: KindContext): readonly ObjectItem[] =>
  store.all('object').filter(one => one.project_id === project && one.container === container)

const answerContainer = (
  project: string,
  name: string,
  request: ServiceRequest,
  context: KindContext,
): ServiceAnswer => {
  const { store } = context
  const id = containerId(project, name)
  const present: ContainerItem | undefined = store.get('container', id)
  if (request.method === 'PUT') {
    store.put('container', { id, project_id: project, name })
    return answer(present === undefined ? 201 : 202)
  }
  if (present === undefined) throw refused(404)
  const objects = objectsIn(project, name, context)
  switch (request.method) {
    case 'HEAD':
      return answer(204, '', { 'x-container-object-count': String(objects.length) })
    case 'POST':
      return answer(204)
    case 'DELETE':
      if (objects.length > 0) throw refused(409)
      store.remove('container', id)
      return answer(204)
    case 'GET':
      return listAnswer(
        objects.map(one => ({
          name: one.name,
          item: {
            name: one.name,
            hash: hashOf(one.body),
            bytes: Buffer.byteLength(one.body),
            content_type: 'application/octet-stream',
            last_modified: String(one.modified),
          },
        })),
        request,
      )
    default:
      throw refused(405)
  }
}

const hashOf = (body: string): string => createHash('md5').update(body).digest('hex')

interface ObjectPlace {
  readonly project: string
  readonly container: string
  readonly name: string
}

const answerObject = (
  { project, container, name }: ObjectPlace,
  { method, body }: ServiceRequest,
  { store, now }: KindContext,
): ServiceAnswer => {
  if (store.get('container', containerId(project, container)) === undefined) throw refused(404)
  const id = objectId(project, container, name)
  const present = store.get('object', id)
  if (method === 'PUT') {
    const modified = `${new Date(now).toISOString().slice(0, -1)}000`
    const kept = present?._refusal ?? null
    store.put('object', { id, project_id: project, container, name, body, modified, _refusal: kept })
    return answer(201, '', { etag: hashOf(body) })
  }
  if (present === undefined) throw refused(404)
  switch (method) {
    case 'GET':
      return answer(200, present.body, {
        etag: hashOf(present.body),
        'content-type': 'application/octet-stream',
      })
    case 'HEAD':
      return answer(200, '', { etag: hashOf(present.body) })
    case 'DELETE':
      if (present._refusal !== null) throw refused(Number.parseInt(present._refusal, 10))
      store.remove('object', id)
      return answer(204)
    default:
      throw refused(405)
  }
}

interface ListedName {
  readonly name: string
  readonly item: object
}

const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

/** A list in the order of bytes: JSON if the request accepts it, one name in a line otherwise. */
const listAnswer = (names: readonly ListedName[], { query, headers }: ServiceRequest): ServiceAnswer => {
  const prefix = query.get('prefix') ?? ''
  const delimiter = query.get('delimiter') ?? ''
  const marker = query.get('marker') ?? ''
  const end = query.get('end_marker') ?? ''
  const limit = Math.min(Number(query.get('limit') ?? mostListed) || mostListed, mostListed)
  const shown = new Map<string, object>()
  for (const { name, item } of names) {
    if (!name.startsWith(prefix)) continue
    const cut = delimiter === '' ? -1 : name.indexOf(delimiter, prefix.length)
    const subdir = name.slice(0, cut + delimiter.length)
    if (cut === -1) shown.set(name, item)
    else shown.set(subdir, { subdir })
  }
  const page = [...shown]
    .filter(
      ([name]) => (marker === '' || byBytes(name, marker) > 0) && (end === '' || byBytes(name, end) < 0),
    )
    .sort(([a], [b]) => byBytes(a, b))
    .slice(0, limit)
  const isJson = query.get('format') === 'json' || (headers.accept ?? '').includes('application/json')
  if (isJson)
    return answer(200, JSON.stringify(page.map(([, item]) => item)), {
      'content-type': 'application/json; charset=utf-8',
    })
  return answer(page.length === 0 ? 204 : 200, page.map(([name]) => `${name}\n`).join(''), {
    'content-type': 'text/plain; charset=utf-8',
  })
}

/** `swift/common/middleware/bulk.py`: status 200, and a status for each object that was not deleted. */
const bulkDelete = (
  body: string,
  project: string,
  { headers }: ServiceRequest,
  context: KindContext,
): ServiceAnswer => {
  const { store } = context
  const lines = body.split('\n').filter(line => line.trim() !== '')
  const errors: [string, string][] = []
  let deleted = 0
  let missing = 0
  let status = lines.length > mostDeleted ? '413 Request Entity Too Large' : '200 OK'
  for (const line of lines.length > mostDeleted ? [] : lines) {
    const [container = '', ...rest] = decodeURIComponent(line.trim()).replace(/^\//, '').split('/')
    const name = rest.join('/')
    const object = store.get('object', objectId(project, container, name))
    if (name === '') {
      const id = containerId(project, container)
      if (store.get('container', id) === undefined) missing++
      else if (objectsIn(project, container, context).length > 0) errors.push([line, '409 Conflict'])
      else {
        store.remove('container', id)
        deleted++
      }
    } else if (object === undefined) missing++
    else if (object._refusal !== null) errors.push([line, object._refusal])
    else {
      store.remove('object', object.id)
      deleted++
    }
  }
  if (errors.length > 0) status = '400 Bad Request'
  if (lines.length === 0) status = '400 Bad Request'
  const content = {
    'Number Deleted': deleted,
    'Number Not Found': missing,
    'Response Status': status,
    'Response Body':
      lines.length === 0
        ? 'Invalid bulk delete.'
        : lines.length > mostDeleted
          ? `Maximum Bulk Deletes: ${mostDeleted} per request`
          : '',
    Errors: errors,
  }
  if ((headers.accept ?? '').includes('application/json'))
    return answer(200, JSON.stringify(content), { 'content-type': 'application/json' })
  const text = Object.entries(content)
    .map(([name, value]) =>
      Array.isArray(value)
        ? `${name}:\n${value.map(pair => pair.join(', ')).join('\n')}`
        : `${name}: ${value}`,
    )
    .join('\n')
  return answer(200, text, { 'content-type': 'text/plain' })
}
