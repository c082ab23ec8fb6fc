import type { ScriptedAnswer } from '../../../../../terraform-free-infra/openstack/account/testing/scripted-cloud.ts'
import { type ServedRequest, servedCloud } from '../../testing/served-cloud.ts'

interface ServedContainer {
  readonly objects: Set<string>
  readonly headers: Record<string, string>
}

/** Swift has errors in HTML, and an id in every answer. */
const answer = (status: number, body: unknown = '', headers: Readonly<Record<string, string>> = {}) => ({
  status,
  body: status >= 400 && body === '' ? `<html><h1>${status}</h1></html>` : body,
  headers: { 'x-trans-id': 'tx1', ...headers },
})

/** Containers as Swift serves them. A version of an object is an object named `<name>?<version>`. */
export const swiftCloud = () => {
  const containers = new Map<string, ServedContainer>()
  const options = {
    /** False: proxy servers without the middleware take a bulk request for a change of the account. */
    bulk: true,
    /** The most objects of a bulk request. */
    mostDeletes: 10_000,
    /** The status of the deletion of each object whose name contains the key. */
    refused: {} as Readonly<Record<string, string>>,
    /** Names that are listed although they are deleted. */
    ghosts: [] as string[],
  }

  const deleteObject = (container: ServedContainer | undefined, name: string): string => {
    const [, refusal] = Object.entries(options.refused).find(([text]) => name.includes(text)) ?? []
    if (refusal !== undefined) return refusal
    return container?.objects.delete(name) ? '204 No Content' : '404 Not Found'
  }

  const bulk = (body: string): object => {
    const paths = body.split('\n').filter(line => line !== '')
    const none = { 'Number Deleted': 0, 'Number Not Found': 0, 'Response Body': '', Errors: [] }
    if (paths.length > options.mostDeletes)
      return { ...none, 'Response Status': '413 Request Entity Too Large' }
    const outcomes = paths.map(path => {
      const [container = '', ...name] = decodeURIComponent(path).split('/')
      return [encodeURI(path), deleteObject(containers.get(container), name.join('/'))] as const
    })
    const count = (status: string) => outcomes.filter(([, one]) => one.startsWith(status)).length
    const Errors = outcomes.filter(([, status]) => !/^(?:204|404)/.test(status))
    return {
      ...none,
      'Number Deleted': count('204'),
      'Number Not Found': count('404'),
      'Response Status': Errors.length === 0 ? '200 OK' : '400 Bad Request',
      Errors,
    }
  }

  const serve = ({ method, path, query, body }: ServedRequest): ScriptedAnswer => {
    const [name = '', ...object] = path
    if (name === '' && method === 'POST')
      return options.bulk && query.has('bulk-delete') ? answer(200, bulk(body)) : answer(204)
    const container = containers.get(name)
    if (method === 'PUT') {
      if (container === undefined) containers.set(name, { objects: new Set(), headers: {} })
      return answer(container === undefined ? 201 : 202)
    }
    if (container === undefined) return answer(404, method === 'HEAD' ? '' : undefined)
    if (object.length > 0) {
      const version = query.get('version-id')
      const key = `${object.join('/')}${version === null ? '' : `?${version}`}`
      return answer(Number.parseInt(deleteObject(container, key), 10))
    }
    if (method === 'HEAD') return answer(204, '', container.headers)
    if (method === 'DELETE') {
      if (container.objects.size > 0 || options.ghosts.length > 0) return answer(409)
      containers.delete(name)
      return answer(204)
    }
    const prefix = query.get('prefix') ?? ''
    const marker = query.get('marker') ?? ''
    const listed = [...container.objects, ...options.ghosts]
      .sort()
      .filter(one => one.startsWith(prefix) && one > marker)
      .slice(0, Number(query.get('limit')))
      .map(one => {
        const [text, version] = query.get('versions') === 'true' ? one.split('?') : [one]
        return { name: text, bytes: 1, ...(version !== undefined && { version_id: version }) }
      })
    return answer(200, listed, container.headers)
  }

  const served = servedCloud(serve, () =>
    [...containers].flatMap(([name, { objects }]) =>
      [name, ...[...objects].map(object => `${name}/${object}`)].map(thing => ({ name: thing, content: {} })),
    ),
  )
  return {
    ...served,
    containers,
    options,
    /** Creates a container with these objects. */
    fill: (
      name: string,
      objects: readonly string[],
      headers: Record<string, string> = {},
    ): ServedContainer => {
      const container = { objects: new Set(objects), headers }
      containers.set(name, container)
      return container
    },
  }
}
