import { expect, test } from 'vitest'
import { createApiServer } from '../../sandbox/kubernetes/kubernetes.ts'
import { virtualClock } from '../clock/clock.ts'
import { createKubernetes } from './client.ts'
import { secrets } from './core-resources.ts'
import { deleteObject, ensureObject, patchObject } from './ensure-object.ts'
import { type Kubernetes, KubernetesError, type KubernetesObject } from './port.ts'

const key = { name: 'kept', namespace: 'default' }

const desired = {
  resource: secrets,
  create: () => ({ apiVersion: 'v1', kind: 'Secret', metadata: key, data: { a: btoa('desired') } }),
  patch: ({ data }: KubernetesObject) =>
    Object(data).a === btoa('desired') ? undefined : { data: { a: btoa('desired') } },
}

const setUp = async () => {
  const clock = virtualClock(0)
  const kubernetes = createKubernetes({ transport: createApiServer({ clock, objects: [] }).transport, clock })
  const read = () => kubernetes.get(secrets, key)
  const make = (text: string) =>
    kubernetes.create(secrets, { apiVersion: 'v1', kind: 'Secret', metadata: key, data: { a: btoa(text) } })
  const first = (verb: 'create' | 'patch', work: () => Promise<unknown>): Kubernetes => {
    let isDone = false
    const once = async () => {
      if (isDone) return
      isDone = true
      await work()
    }
    return {
      ...kubernetes,
      create: async (...args) => {
        if (verb === 'create') await once()
        return kubernetes.create(...args)
      },
      patch: async (...args) => {
        if (verb === 'patch') await once()
        return kubernetes.patch(...args)
      },
    }
  }
  return { kubernetes, read, first, make }
}

test('a concurrently created object is compared and patched', async () => {
  const { read, first, make } = await setUp()
  expect(
    await ensureObject(
      first('create', () => make('other')),
      desired,
      undefined,
    ),
  ).toBe('changed')
  expect((await read())?.data).toEqual({ a: btoa('desired') })
})

test('a concurrently deleted object is recreated', async () => {
  const { kubernetes, read, first, make } = await setUp()
  const present = await make('other')
  const deleting = first('patch', () => kubernetes.delete(secrets, key))
  expect(await ensureObject(deleting, desired, present)).toBe('created')
  expect((await read())?.data).toEqual({ a: btoa('desired') })
})

test('a patch never changes an unread object of the same name', async () => {
  const { kubernetes, first, make } = await setUp()
  const present = await make('other')
  const seen: unknown[] = []
  const replacing = first('patch', async () => {
    await kubernetes.delete(secrets, key)
    await make('another one')
  })
  const watching = {
    ...desired,
    patch: (found: KubernetesObject) => {
      seen.push(found.data)
      return desired.patch(found)
    },
  }
  expect(await ensureObject(replacing, watching, present)).toBe('changed')
  expect(seen).toEqual([{ a: btoa('other') }, { a: btoa('another one') }])
})

test('any other error is thrown', async () => {
  const { kubernetes } = await setUp()
  const create = async () => {
    throw new KubernetesError(403, 'Forbidden', 'no')
  }
  await expect(ensureObject({ ...kubernetes, create }, desired, undefined)).rejects.toThrow('no')
})

test('a deletion deletes only the object that was read, not another one of its name', async () => {
  const { kubernetes, read, make } = await setUp()
  const present = await make('other')
  await kubernetes.delete(secrets, key)
  await make('another one')
  expect(await deleteObject(kubernetes, secrets, present)).toBe(false)
  const live = await read()
  expect(live).toBeDefined()
  expect(live && (await deleteObject(kubernetes, secrets, live))).toBe(true)
  expect(await read()).toBeUndefined()
})

test('an object in deletion is not deleted again', async () => {
  const { kubernetes, make } = await setUp()
  const present = await make('other')
  const leaving = {
    ...present,
    metadata: { ...present.metadata, deletionTimestamp: '2026-11-21T12:00:00Z' },
  }
  expect(await deleteObject(kubernetes, secrets, leaving)).toBe(false)
})

test.each([
  'the UID in the precondition (a) does not match the UID in record (b). The object might have been deleted and then recreated',
  'StorageError: invalid object, Code: 4, Key: /a, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: a, UID in object meta: b',
])('another object of the name is retained, whichever check of the API server detects it: %s', async why => {
  const { make } = await setUp()
  const refusing = {
    delete: async () => {
      throw new KubernetesError(409, 'Conflict', `Operation cannot be fulfilled on secrets "a": ${why}`)
    },
  }
  expect(await deleteObject(refusing, secrets, await make('other'))).toBe(false)
})

test('a conflict of the same object is retried', async () => {
  const { kubernetes, read, make } = await setUp()
  const present = await make('other')
  let conflicts = 2
  const contended = {
    delete: async (...args: Parameters<typeof kubernetes.delete>) => {
      if (conflicts-- > 0) throw new KubernetesError(409, 'Conflict', 'the object has been modified')
      return kubernetes.delete(...args)
    },
  }
  expect(await deleteObject(contended, secrets, present)).toBe(true)
  expect(await read()).toBeUndefined()
})

test('a lasting conflict of the same object is thrown', async () => {
  const { make } = await setUp()
  const refusing = {
    delete: async () => {
      throw new KubernetesError(409, 'Conflict', 'the webhook says so')
    },
  }
  await expect(deleteObject(refusing, secrets, await make('other'))).rejects.toThrow('the webhook says so')
})

test('a patch changes only the object that was read, not another one of its name', async () => {
  const { kubernetes, read, make } = await setUp()
  const present = await make('other')
  expect(await patchObject(kubernetes, secrets, present, { metadata: { labels: { a: 'b' } } })).toMatchObject(
    {
      metadata: { labels: { a: 'b' } },
    },
  )
  await kubernetes.delete(secrets, key)
  expect(
    await patchObject(kubernetes, secrets, present, { metadata: { labels: { a: 'b' } } }),
  ).toBeUndefined()
  await make('another one')
  expect(
    await patchObject(kubernetes, secrets, present, { metadata: { labels: { a: 'b' } } }),
  ).toBeUndefined()
  expect((await read())?.metadata.labels).toBeUndefined()
})

test('a patch that conflicts with other writes of the same object is retried, and then thrown', async () => {
  const { kubernetes, make } = await setUp()
  const present = await make('other')
  let conflicts = 2
  const contended = {
    patch: async (...args: Parameters<typeof kubernetes.patch>) => {
      if (conflicts-- > 0) throw new KubernetesError(409, 'Conflict', 'the object has been modified')
      return kubernetes.patch(...args)
    },
  }
  const patch = { metadata: { labels: { a: 'b' } } }
  expect((await patchObject(contended, secrets, present, patch))?.metadata.labels).toEqual({ a: 'b' })
  conflicts = Number.POSITIVE_INFINITY
  await expect(patchObject(contended, secrets, present, patch)).rejects.toThrow(
    'the object has been modified',
  )
})
