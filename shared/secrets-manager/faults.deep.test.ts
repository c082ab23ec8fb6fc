import { describe, expect, test } from 'vitest'
import { KubernetesError } from '../kubernetes/kubernetes.ts'
import {
  ca,
  certificateIn,
  dayMs,
  namespace,
  newSeed,
  rotationAt,
  type Seed,
  server,
  webhook,
} from './testing/seed.ts'

const rotation = rotationAt('2026-03-01T10:00:00Z')
const completing = { ...rotation, ignoresOld: true }

/** A shoot during a rotation, with one reconcile a day. */
const life = [
  { rotation: undefined },
  { rotation },
  { rotation },
  { rotation: completing },
  { rotation: completing },
  { rotation: completing },
] as const

const live = async (seed: Seed, reconcile: (options: (typeof life)[number]) => Promise<unknown>) => {
  for (const options of life) {
    await reconcile(options)
    await seed.clock.advance(dayMs)
  }
}

/** The existing Secrets by kind. Their names depend on random data. */
const kindsOf = async ({ all }: Seed) =>
  (await all())
    .map(({ metadata: { labels = {}, annotations = {} }, data }) => ({
      config: labels.name,
      rotation: labels['last-rotation-initiation-time'],
      issuer: certificateIn({ data }).issuer,
      marks: Object.keys(annotations),
    }))
    .sort((one, other) => `${one.config}${one.rotation}`.localeCompare(`${other.config}${other.rotation}`))

describe('a process that crashes', () => {
  test('between any two writes leaves a state that the next process completes', async () => {
    const whole = await newSeed()
    let writes = 0
    await live(whole, async options => {
      await whole.reconcile(options)
      writes += whole.requests.filter(request => !/^(?:get|list) /.test(request)).length
    })
    const expected = await kindsOf(whole)
    expect(expected).toHaveLength(4)
    expect(writes).toBeGreaterThan(15)
    for (let write = 1; write <= writes; write++) {
      for (const done of [false, true]) {
        const seed = await newSeed()
        let died = 0
        seed.failAt({ write, done })
        await live(seed, async options => {
          try {
            await seed.reconcile(options)
          } catch (error) {
            expect(error).toEqual(new Error('the process has died'))
            died++
            await seed.reconcile(options)
          }
        })
        await seed.reconcile({ rotation: completing })
        expect(died, `write ${write}`).toBe(1)
        expect(await kindsOf(seed), `write ${write}, done ${done}`).toEqual(expected)
      }
    }
  })

  test('does not recreate a CA if its Secret exists', async () => {
    const seed = await newSeed()
    seed.failAt({ write: 1, done: true })
    await expect(seed.reconcile()).rejects.toThrow('died')
    const [made] = await seed.all()
    const { current } = await seed.reconcile()
    expect(current(ca.name).data).toEqual(made?.data)
  })
})

describe('two processes at once', () => {
  test.each([
    ['for the first time', undefined],
    ['when a rotation begins', rotation],
    ['when it completes', completing],
  ])('both get the same single set of Secrets: %s', async (_, rotation) => {
    const seed = await newSeed()
    if (rotation !== undefined) await seed.reconcile()
    if (rotation?.ignoresOld) await seed.reconcile({ rotation: { ...rotation, ignoresOld: false } })
    await seed.clock.advance(dayMs)
    const [one, other] = await Promise.all([
      seed.managerOf({ rotation }).generate(),
      seed.managerOf({ rotation }).generate(),
    ])
    for (const { name } of [ca, server, webhook]) expect(one.current(name)).toEqual(other.current(name))
    expect(one.bundle(ca.name)).toEqual(other.bundle(ca.name))
    const created = [...one.created, ...other.created]
    expect(new Set(created).size).toBe(created.length)
    await Promise.all([one.cleanUp(), other.cleanUp()])
    await seed.clock.advance(dayMs)
    const last = await seed.reconcile({ rotation })
    expect(last.created).toEqual([])
    expect(await seed.names()).toHaveLength(rotation?.ignoresOld === false ? 5 : 4)
  })

  test('that both repair the labels of a Secret do not undo each other', async () => {
    const { reconcile, patch, managerOf, secret } = await newSeed()
    const { name } = (await reconcile()).current(server.name)
    const before = (await secret(name))?.metadata.labels
    await patch(name, { metadata: { labels: { own: 'label' } } })
    await Promise.all([managerOf().generate(), managerOf().generate()])
    expect((await secret(name))?.metadata.labels).toEqual(before)
  })

  test('do not copy the labels of a replaced Secret to its successor', async () => {
    const { reconcile, patch, managerOf, watched, secret, remove, put } = await newSeed()
    const { name } = (await reconcile()).current(server.name)
    await patch(name, { metadata: { labels: { own: 'label' } } })
    let replaced = false
    const kubernetes: typeof watched = {
      ...watched,
      patch: async (...args) => {
        if (!replaced) {
          replaced = true
          await remove(name)
          await put({ metadata: { name, labels: { of: 'somebody' } } })
        }
        return watched.patch(...args)
      },
    }
    await expect(managerOf({ kubernetes }).generate()).rejects.toMatchObject({ status: 409 })
    expect((await secret(name))?.metadata.labels).toEqual({ of: 'somebody' })
  })

  test('fail if the Secret created by one is gone before the other reads it', async () => {
    const { managerOf, watched, remove } = await newSeed()
    const kubernetes: typeof watched = {
      ...watched,
      create: async (resource, object) => {
        await watched.create(resource, object)
        await remove(object.metadata.name)
        throw new KubernetesError(409, 'AlreadyExists', 'it is there')
      },
    }
    await expect(managerOf({ kubernetes }).generate()).rejects.toThrow('it is there')
    expect((await managerOf().generate()).created).toHaveLength(4)
  })
})

describe('an API server that refuses requests', () => {
  test('stops the generation', async () => {
    const { managerOf, watched, names } = await newSeed()
    let created = 0
    const kubernetes: typeof watched = {
      ...watched,
      create: (...args) => {
        if (++created === 2) throw new KubernetesError(403, 'Forbidden', 'no')
        return watched.create(...args)
      },
    }
    await expect(managerOf({ kubernetes }).generate()).rejects.toMatchObject({ status: 403 })
    expect(await names()).toHaveLength(1)
  })

  test('receives the signal of the step with each request', async () => {
    const { managerOf, watched } = await newSeed()
    const { signal } = new AbortController()
    const signals = new Set<unknown>()
    const kubernetes: typeof watched = {
      get: (resource, key, options) => {
        signals.add(options?.signal)
        return watched.get(resource, key, options)
      },
      list: (resource, options) => {
        signals.add(options?.signal)
        return watched.list(resource, options)
      },
      create: (resource, object, options) => {
        signals.add(options?.signal)
        return watched.create(resource, object, options)
      },
      patch: (resource, key, patch, options) => {
        signals.add(options?.signal)
        return watched.patch(resource, key, patch, options)
      },
      delete: (resource, key, options) => {
        signals.add(options?.signal)
        return watched.delete(resource, key, options)
      },
    }
    const manager = managerOf({ kubernetes, signal })
    await (await manager.generate()).cleanUp()
    await manager.removeAll()
    expect([...signals]).toEqual([signal])
  })

  test('leaves nothing behind if no keys can be created, and no unhandled rejection', async () => {
    const { managerOf, names } = await newSeed()
    const createKeyPair = () => Promise.reject(new Error('no chance'))
    await expect(managerOf({ createKeyPair }).generate()).rejects.toThrow('no chance')
    expect(await names()).toEqual([])
  })
})

test('no error contains the data of a Secret', async () => {
  const hidden = Buffer.from('hidden-value').toString('base64')
  const planted = [{ 'ca.crt': hidden, 'ca.key': hidden }, { 'ca.crt': hidden }, { 'ca.key': hidden }]
  for (const data of planted) {
    for (const name of ['ca-provider-aws-controlplane-bdef740c', 'provided']) {
      const { managerOf, put } = await newSeed()
      const labels = { 'secrets-manager-use-data-for-name': name === 'provided' ? ca.name : 'none' }
      await put({ metadata: { name, labels }, data })
      const error = await managerOf()
        .generate()
        .then(
          () => undefined,
          thrown => thrown as Error,
        )
      const text = `${error?.stack} ${JSON.stringify(error)} ${String(error?.cause)}`
      expect(error?.message).toContain(`${namespace}/${name}`)
      expect(text).not.toContain('hidden-value')
      expect(text).not.toContain(hidden)
    }
  }
})
