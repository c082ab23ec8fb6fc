import { describe, expect, test } from 'vitest'
import { type Actuator, done } from '../../shared/lifecycle/lifecycle.ts'
import { defineFunction } from '../../shared/runtime/define-function.ts'
import type { SecondaryActuator, SecondaryContext } from '../../shared/secondary/secondary.ts'
import { httpCloud } from './cloud/http-cloud.ts'
import { objectCloud } from './cloud/object-cloud.ts'
import { functionPromises, type PromisingFunction } from './function-promises.ts'
import { readExample } from './read-example.ts'

const example = await readExample(new URL('../../cli/templates/network/example.yaml', import.meta.url))
const resource = { group: '', version: 'v1', plural: 'configmaps', namespaced: true } as const
const { namespace = '' } = example.object.metadata
const configMap = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace } })
const key = { name: 'made', namespace }

type Step = Parameters<Actuator['reconcile']>[0]
const networkOf = (actuator: Actuator) =>
  defineFunction({
    name: 'acme-network',
    kind: 'Network',
    type: 'acme',
    permissions: [{ resource, verbs: ['get', 'create', 'patch', 'delete'], why: 'They are the network.' }],
    create: () => actuator,
  })

/** Returns the promises that a function breaks. */
const brokenBy = async (fn: Omit<PromisingFunction, 'example'>) => {
  const broken: string[] = []
  for (const { promise, hold } of functionPromises({ example, ...fn }))
    await hold().catch(() => {
      broken.push(promise)
    })
  return broken
}

const onlyDifferences = expect.stringContaining('costs a claim and a status')
const recovery = expect.stringContaining('if a step dies at any write')
const deletion = expect.stringContaining('the deletion removes the created things')
const owners = expect.stringContaining('with another owner is unchanged')

describe('the promises of a secondary function', () => {
  const observe = async ({ kubernetes, owner }: SecondaryContext) => {
    if ((await kubernetes.get(resource, key)) === undefined)
      await kubernetes.create(resource, {
        ...configMap('made'),
        metadata: { ...key, ownerReferences: [owner] },
      })
    return { conditions: { Made: { status: 'True' } } } as const
  }
  const remove = async ({ kubernetes }: SecondaryContext) => {
    await kubernetes.delete(resource, key)
    return {}
  }
  const broken = (actuator: Partial<SecondaryActuator>) =>
    brokenBy({
      definition: defineFunction({
        ...{ role: 'secondary', name: 'acme-network', kind: 'Network', type: 'acme', conditions: ['Made'] },
        permissions: [{ resource, verbs: ['get', 'create', 'patch', 'delete'], why: 'They are its own.' }],
        create: () => ({ observe, ...actuator }),
      }),
      cloud: () => objectCloud({ resources: [resource], others: [configMap('other')] }),
      made: ['configmaps/made'],
      marksOwner: false,
    })
  const unowned = async ({ kubernetes }: SecondaryContext) => {
    if ((await kubernetes.get(resource, key)) === undefined)
      await kubernetes.create(resource, configMap('made'))
    return {}
  }
  const onlyRecord = expect.stringContaining('costs a claim and a record')

  test('one whose objects have an owner passes, and one with a clean-up', async () => {
    expect(await broken({})).toEqual([])
    expect(await broken({ observe: unowned, remove })).toEqual([])
  })

  test('one that leaves its objects, writes at every step or cannot continue fails', async () => {
    expect(await broken({ observe: unowned })).toEqual([recovery, deletion])
    const busy = async (step: SecondaryContext) => {
      await observe(step)
      await step.kubernetes.patch(resource, key, { data: { at: 'now' } })
      return {}
    }
    expect(await broken({ observe: busy })).toEqual([onlyRecord])
    const once = async (step: SecondaryContext) => {
      await step.kubernetes.create(resource, {
        ...configMap('made'),
        metadata: { ...key, ownerReferences: [step.owner] },
      })
      return {}
    }
    expect(await broken({ observe: once })).toContainEqual(recovery)
  })
})

describe('the promises of a function that creates objects', () => {
  const make = async ({ kubernetes }: Step) => {
    if ((await kubernetes.get(resource, key)) === undefined)
      await kubernetes.create(resource, configMap('made'))
    return done()
  }
  const remove = async ({ kubernetes }: Step) => {
    await kubernetes.delete(resource, key)
    return done()
  }
  const broken = (actuator: Partial<Actuator>, marksOwner = false) =>
    brokenBy({
      definition: networkOf({ reconcile: make, remove, ...actuator }),
      cloud: () =>
        objectCloud({
          resources: [resource],
          others: [configMap('other')],
          ...(marksOwner && { ownerAnnotation: 'owner' }),
        }),
      made: ['configmaps/made'],
      marksOwner,
    })

  test('a function that creates missing objects and deletes its own passes', async () => {
    expect(await broken({})).toEqual([])
  })

  test('a function that writes on every step fails', async () => {
    const reconcile = async (step: Step) => {
      await make(step)
      await step.kubernetes.patch(resource, key, { data: { at: 'now' } })
      return done()
    }
    expect(await broken({ reconcile })).toEqual([onlyDifferences])
  })

  test('a function that cannot continue after a crash fails', async () => {
    // A function that knows its resources from the status alone, and writes the status last.
    const reconcile = async ({ kubernetes, object }: Step) => {
      const isThere = (await kubernetes.get(resource, key)) !== undefined
      if (Object(object.status).providerStatus === undefined)
        await kubernetes.create(resource, configMap(isThere ? 'made-2' : 'made'))
      return done({ providerStatus: { apiVersion: 'acme/v1', kind: 'NetworkStatus' } })
    }
    expect(await broken({ reconcile })).toContainEqual(recovery)
  })

  test('a function that deletes foreign objects or leaves its own fails', async () => {
    const deletesAll = async (step: Step) => {
      await step.kubernetes.delete(resource, { name: 'other', namespace })
      return remove(step)
    }
    expect(await broken({ remove: deletesAll })).toContainEqual(deletion)
    expect(await broken({ remove: async () => done() })).toContainEqual(deletion)
  })

  test('a function that names no owner fails', async () => {
    expect(await broken({}, true)).toEqual([owners])
  })
})

describe('the promises of a function that calls a cloud over HTTP', () => {
  interface Stored {
    readonly owner: string
    readonly size: string
  }
  const httpCalls = () => {
    const stored = new Map<string, Stored>([['/other', { owner: 'b', size: '2' }]])
    return httpCloud({
      handle: async request => {
        const { pathname } = new URL(request.url)
        if (request.method === 'PUT') stored.set(pathname, (await request.json()) as Stored)
        if (request.method === 'DELETE') stored.delete(pathname)
        return Response.json(stored.get(pathname) ?? null)
      },
      things: () => [...stored].map(([name, { owner, size }]) => ({ name, owner, content: size })),
      add: ({ name, owner = '', content }) => void stored.set(name, { owner, size: String(content) }),
    })
  }
  /** `way`: whether requests use the socket. */
  const broken = (way: 'url' | 'fetch', change: (calls: Calls) => Partial<Actuator> = () => ({})) =>
    brokenBy({
      definition: defineFunction({
        name: 'acme-network',
        kind: 'Network',
        type: 'acme',
        create: (_, { connection }) => {
          const { url, fetch: inMemory } = connection as Awaited<ReturnType<typeof httpCalls>>
          const send = async (method: string, path = '/made', body?: Stored): Promise<Stored | null> => {
            const init = { method, ...(body && { body: JSON.stringify(body) }) }
            const response = await (way === 'url' ? fetch : inMemory)(`${url}${path}`, init)
            return (await response.json()) as Stored | null
          }
          const calls = { send }
          return { ...polite(calls), ...change(calls) }
        },
      }),
      cloud: httpCalls,
      made: ['/made'],
    })
  interface Calls {
    readonly send: (method: string, path?: string, body?: Stored) => Promise<Stored | null>
  }
  const mine = { owner: 'a', size: '1' }
  const polite = ({ send }: Calls): Actuator => ({
    reconcile: async () => {
      const found = await send('GET')
      if (found !== null && found.owner !== 'a') throw new Error('/made belongs to another owner')
      if (found?.size !== '1') await send('PUT', '/made', mine)
      return done()
    },
    remove: async () => {
      if ((await send('GET'))?.owner === 'a') await send('DELETE')
      return done()
    },
  })

  test.each(['url', 'fetch'] as const)(
    'a function that writes only differences passes, over its %s',
    async way => {
      expect(await broken(way)).toEqual([])
    },
  )

  test('a function that writes on every step fails', async () => {
    const change = ({ send }: Calls) => ({
      reconcile: () => send('PUT', '/made', mine).then(() => done()),
    })
    expect(await broken('fetch', change)).toEqual([onlyDifferences, owners])
  })

  test('a function that creates another thing after a crash fails', async () => {
    const change = ({ send }: Calls) => ({
      reconcile: async ({ object }: Step) => {
        if (Object(object.status).providerStatus !== undefined) return done()
        const path = (await send('GET')) === null ? '/made' : '/made-again'
        await send('PUT', path, mine)
        return done({ providerStatus: { apiVersion: 'acme/v1', kind: 'NetworkStatus' } })
      },
    })
    expect(await broken('fetch', change)).toContainEqual(recovery)
  })

  test('a function that leaves its thing, or deletes those of others, fails', async () => {
    expect(await broken('fetch', () => ({ remove: async () => done() }))).toEqual([recovery, deletion])
    const all = ({ send }: Calls) => ({
      remove: async () => {
        for (const path of ['/made', '/other']) await send('DELETE', path)
        return done()
      },
    })
    expect(await broken('fetch', all)).toEqual([recovery, deletion, owners])
  })
})
