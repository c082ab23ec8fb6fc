import { Readable } from 'node:stream'
import { recordOf } from '../../decode/record-of.ts'
import { mergePatch, type Transport } from '../../kubernetes/kubernetes.ts'

/** An API server with these objects by path. It accepts every change. */
export const sampleTransport =
  (byPath: Map<string, object>): Transport =>
  async ({ method, path, body }) => {
    const answer = answerOf(byPath, method, path, body === undefined ? undefined : String(body))
    return {
      status: answer === undefined ? 404 : method === 'POST' ? 201 : 200,
      headers: { 'content-type': 'application/json' },
      body: Readable.from([Buffer.from(JSON.stringify(answer ?? notFound))]),
    }
  }

const notFound = { apiVersion: 'v1', kind: 'Status', status: 'Failure', reason: 'NotFound', code: 404 }

const answerOf = (
  byPath: Map<string, object>,
  method: string,
  path: string,
  body: string | undefined,
): object | undefined => {
  const [place = '', query] = path.split('?')
  const key = place.replace(/\/status$/, '')
  const present = byPath.get(key)
  switch (method) {
    case 'GET':
      return present ?? (query === undefined ? undefined : listAt(byPath, key))
    case 'POST': {
      const given = JSON.parse(body ?? '{}') as object
      const metadata = recordOf(Reflect.get(given, 'metadata'))
      const made = { ...given, metadata: { uid: '0', resourceVersion: '1', ...metadata } }
      byPath.set(`${key}/${metadata.name}`, made)
      return made
    }
    case 'DELETE':
      byPath.delete(key)
      return present
    default: {
      if (present === undefined) return undefined
      const changed = mergePatch(present, JSON.parse(body ?? '{}')) as object
      byPath.set(key, changed)
      return changed
    }
  }
}

/** Lists the objects below a path. Only list requests have a query, the limit. */
const listAt = (byPath: ReadonlyMap<string, object>, key: string): object => ({
  apiVersion: 'v1',
  kind: 'List',
  metadata: { resourceVersion: '1' },
  items: [...byPath].flatMap(([path, object]) => (path.startsWith(`${key}/`) ? [object] : [])),
})
