import { describe, expect, test } from 'vitest'
import { type Permission, verbs } from './permission.ts'
import { NotPermittedError, permittedKubernetes } from './permitted.ts'
import { type GroupVersionResource, type Kubernetes, subresources } from './port.ts'

const machines: GroupVersionResource = { group: 'acme', version: 'v1', plural: 'machines', namespaced: true }
const others: GroupVersionResource = { ...machines, plural: 'others' }
const key = { name: 'one', namespace: 'n' }
const object = { apiVersion: 'acme/v1', kind: 'Machine', metadata: key }

/** Every call of the port with its RBAC name. */
const calls: readonly (readonly [
  name: string,
  Permission,
  (kubernetes: Kubernetes, resource: GroupVersionResource) => Promise<unknown>,
])[] = [
  ['get', { resource: machines, verbs: ['get'] }, (port, resource) => port.get(resource, key)],
  ['list', { resource: machines, verbs: ['list'] }, (port, resource) => port.list(resource)],
  [
    'watch',
    { resource: machines, verbs: ['watch'] },
    async (port, resource) => {
      for await (const _ of port.watch(resource)) break
    },
  ],
  ['create', { resource: machines, verbs: ['create'] }, (port, resource) => port.create(resource, object)],
  ['update', { resource: machines, verbs: ['update'] }, (port, resource) => port.replace(resource, object)],
  ['patch', { resource: machines, verbs: ['patch'] }, (port, resource) => port.patch(resource, key, {})],
  [
    'apply, which may have to make it',
    { resource: machines, verbs: ['patch', 'create'] },
    (port, resource) => port.apply(resource, object, { fieldManager: 'x' }),
  ],
  ['delete', { resource: machines, verbs: ['delete'] }, (port, resource) => port.delete(resource, key)],
  [
    'update of the status',
    { resource: machines, subresource: 'status', verbs: ['update'] },
    (port, resource) => port.replace(resource, object, { subresource: 'status' }),
  ],
  [
    'patch of the status',
    { resource: machines, subresource: 'status', verbs: ['patch'] },
    (port, resource) => port.patch(resource, key, {}, { subresource: 'status' }),
  ],
  [
    'patch of the scale',
    { resource: machines, subresource: 'scale', verbs: ['patch'] },
    (port, resource) => port.patch(resource, key, {}, { subresource: 'scale' }),
  ],
]

const recording = () => {
  const asked: string[] = []
  const note =
    <T>(name: string, answer: T) =>
    (resource: GroupVersionResource) => {
      asked.push(`${name} ${resource.plural}`)
      return answer
    }
  const port: Kubernetes = {
    get: note('get', Promise.resolve(object)),
    list: note('list', Promise.resolve({ items: [], resourceVersion: '1' })),
    watch: note('watch', (async function* () {})()),
    create: note('create', Promise.resolve(object)),
    replace: note('replace', Promise.resolve(object)),
    patch: note('patch', Promise.resolve(object)),
    apply: note('apply', Promise.resolve(object)),
    delete: note('delete', Promise.resolve()),
  }
  return { asked, port }
}

const withEveryOther = ({ resource, subresource, verbs: own }: Permission): readonly Permission[] => [
  { resource: others, verbs },
  { resource, ...(subresource && { subresource }), verbs: verbs.filter(verb => !own.includes(verb)) },
  ...[undefined, ...subresources]
    .filter(part => part !== subresource)
    .map(part => ({ resource, ...(part && { subresource: part }), verbs })),
]

describe('a port with permissions', () => {
  test.each(calls)('a permitted call is sent to the API server: %s', async (_, permission, call) => {
    const { port, asked } = recording()
    await call(permittedKubernetes(port, [permission]), machines)
    expect(asked).toHaveLength(1)
  })

  test.each(calls)(
    'a call that is not permitted is refused before the request: %s',
    async (_, permission, call) => {
      const { port, asked } = recording()
      const refused = call(permittedKubernetes(port, withEveryOther(permission)), machines)
      await expect(refused).rejects.toThrow(NotPermittedError)
      await expect(refused).rejects.toThrow(/^no permission to \w+ machines\.acme/)
      expect(asked).toEqual([])
    },
  )
})
