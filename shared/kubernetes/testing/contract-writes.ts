import { describe, expect, test } from 'vitest'
import { deleteObject } from '../ensure-object.ts'
import type { KubernetesObject } from '../port.ts'
import type { ContractContext } from './contract-fixtures.ts'
import { gadget, gadgets, widget, widgets } from './contract-fixtures.ts'

/** Test cases for create, replace, patch and delete. */
export const writeContract = (context: ContractContext): void => {
  const kubernetes = () => context.subject().kubernetes

  const created = async (
    spec?: object,
  ): Promise<{ readonly namespace: string; readonly object: KubernetesObject }> => {
    const namespace = await context.namespace()
    return { namespace, object: await kubernetes().create(widgets, widget(namespace, 'a', spec)) }
  }

  const held = async (): Promise<{ readonly namespace: string; readonly object: KubernetesObject }> => {
    const namespace = await context.namespace()
    const object = widget(namespace, 'a')
    const metadata = { ...object.metadata, finalizers: ['example.com/hold'] }
    return { namespace, object: await kubernetes().create(widgets, { ...object, metadata }) }
  }

  describe('create', () => {
    test('a created object has a uid, version, generation and time', async () => {
      const { object } = await created()
      expect(object.metadata).toMatchObject({
        uid: expect.stringMatching(/^[0-9a-f-]{36}$/),
        resourceVersion: expect.stringMatching(/^\d+$/),
        generation: 1,
        creationTimestamp: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/),
      })
    })

    test('a name can be used once', async () => {
      const { namespace } = await created()
      await expect(kubernetes().create(widgets, widget(namespace, 'a'))).rejects.toMatchObject({
        status: 409,
        reason: 'AlreadyExists',
      })
    })

    test('the same name is free in another namespace', async () => {
      const first = await created()
      const second = await created()
      expect(second.object.metadata.name).toBe(first.object.metadata.name)
      expect(second.object.metadata.uid).not.toBe(first.object.metadata.uid)
    })

    test('the namespace must exist', async () => {
      await expect(kubernetes().create(widgets, widget('no-such-namespace', 'a'))).rejects.toMatchObject({
        status: 404,
        message: expect.stringContaining('namespaces "no-such-namespace" not found'),
      })
    })

    test('a name is generated from generateName', async () => {
      const namespace = await context.namespace()
      const object = widget(namespace, '')
      const metadata = { ...object.metadata, generateName: 'made-' }
      const made = await kubernetes().create(widgets, { ...object, metadata })
      expect(made.metadata.name).toMatch(/^made-[a-z0-9]{5}$/)
    })

    test('a status is ignored if it is a subresource, and stored otherwise', async () => {
      const namespace = await context.namespace()
      const status = { ready: true }
      const made = await kubernetes().create(widgets, { ...widget(namespace, 'a'), status })
      expect(made.status).toBeUndefined()
      const name = namespace
      expect((await kubernetes().create(gadgets, gadget(name, { status }))).status).toEqual(status)
      await kubernetes().delete(gadgets, { name })
    })
  })

  describe('the schema', () => {
    const faults: readonly (readonly [string, object, string])[] = [
      ['a missing field', {}, 'spec.size: Required value'],
      ['a wrong type', { size: 'big' }, 'spec.size: Invalid value'],
      ['a number out of range', { size: 0 }, 'spec.size in body should be greater than or equal to 1'],
      ['a value that is not listed', { size: 1, color: 'blue' }, 'spec.color: Unsupported value: "blue"'],
      ['a wrong type within a list', { size: 1, parts: ['a', 2] }, 'spec.parts[1]: Invalid value'],
    ]

    test('an error of the schema names the wrong field', async () => {
      const namespace = await context.namespace()
      for (const [what, spec, message] of faults) {
        await expect(kubernetes().create(widgets, widget(namespace, 'a', spec)), what).rejects.toMatchObject({
          status: 422,
          reason: 'Invalid',
          message: expect.stringContaining(message),
        })
      }
    })

    test('unknown fields are dropped unless the schema retains them', async () => {
      const { object } = await created({ size: 1, unknown: true, extra: { anything: [1] } })
      expect(object.spec).toEqual({ size: 1, shape: 'round', extra: { anything: [1] } })
    })

    test('a rule about the former value applies to changes', async () => {
      const { namespace } = await created({ size: 1, shape: 'square' })
      await expect(
        kubernetes().patch(widgets, { namespace, name: 'a' }, { spec: { shape: 'round' } }),
      ).rejects.toMatchObject({ status: 422, message: expect.stringContaining('Value is immutable') })
    })
  })

  describe('patch', () => {
    test('a patch merges objects, replaces lists and removes nulls', async () => {
      const { namespace } = await created({ size: 1, color: 'red', parts: ['x', 'y'], extra: { a: 1, b: 2 } })
      const patched = await kubernetes().patch(
        widgets,
        { namespace, name: 'a' },
        { spec: { color: null, parts: ['z'], extra: { a: null, c: 3 } } },
      )
      expect(patched.spec).toEqual({ size: 1, shape: 'round', parts: ['z'], extra: { b: 2, c: 3 } })
    })

    test('a patch removes one annotation and retains the others', async () => {
      const { namespace } = await created()
      const key = { namespace, name: 'a' }
      await kubernetes().patch(widgets, key, { metadata: { annotations: { 'a.io/x': '1', 'a.io/y': '2' } } })
      const patched = await kubernetes().patch(widgets, key, {
        metadata: { annotations: { 'a.io/x': null } },
      })
      expect(patched.metadata.annotations).toEqual({ 'a.io/y': '2' })
    })

    test('the patch is refused for an outdated version', async () => {
      const { namespace, object } = await created()
      const key = { namespace, name: 'a' }
      const { resourceVersion } = object.metadata
      await kubernetes().patch(widgets, key, { spec: { size: 2 } })
      const late = kubernetes().patch(widgets, key, { metadata: { resourceVersion }, spec: { size: 3 } })
      await expect(late).rejects.toMatchObject({ status: 409, reason: 'Conflict' })
      const present = await kubernetes().get(widgets, key)
      expect(present?.spec).toMatchObject({ size: 2 })
    })

    test('a patch with the current version succeeds', async () => {
      const { namespace, object } = await created()
      const { resourceVersion, uid } = object.metadata
      const patch = { metadata: { resourceVersion, uid }, spec: { size: 3 } }
      expect((await kubernetes().patch(widgets, { namespace, name: 'a' }, patch)).spec).toMatchObject({
        size: 3,
      })
    })

    test('a patch is refused for an object with another uid', async () => {
      const { namespace } = await created()
      const patch = { metadata: { uid: '00000000-0000-0000-0000-000000000000' }, spec: { size: 3 } }
      await expect(kubernetes().patch(widgets, { namespace, name: 'a' }, patch)).rejects.toMatchObject({
        status: 409,
      })
    })

    test('one of many patches of the same version wins', async () => {
      const { namespace, object } = await created()
      const { resourceVersion } = object.metadata
      const attempts = await Promise.allSettled(
        Array.from({ length: 10 }, (_, index) =>
          kubernetes().patch(
            widgets,
            { namespace, name: 'a' },
            { metadata: { resourceVersion }, spec: { size: index + 2 } },
          ),
        ),
      )
      expect(attempts.filter(attempt => attempt.status === 'fulfilled')).toHaveLength(1)
    })

    test('a patch without changes retains the version', async () => {
      const { namespace, object } = await created()
      const same = await kubernetes().patch(widgets, { namespace, name: 'a' }, { spec: { size: 1 } })
      expect(same.metadata.resourceVersion).toBe(object.metadata.resourceVersion)
    })

    test('the patch of an object that does not exist is 404', async () => {
      const namespace = await context.namespace()
      await expect(kubernetes().patch(widgets, { namespace, name: 'a' }, {})).rejects.toMatchObject({
        status: 404,
        reason: 'NotFound',
      })
    })

    test('a patch of the status changes nothing else, and vice versa', async () => {
      const { namespace } = await created()
      const key = { namespace, name: 'a' }
      const patch = { metadata: { labels: { a: 'b' } }, spec: { size: 7 }, status: { phase: 'Ready' } }
      const status = await kubernetes().patch(widgets, key, patch, { subresource: 'status' })
      expect(status).toMatchObject({ spec: { size: 1 }, status: { phase: 'Ready' } })
      expect(status.metadata.labels).toBeUndefined()
      const main = await kubernetes().patch(widgets, key, { spec: { size: 2 }, status: { phase: 'Lost' } })
      expect(main).toMatchObject({ spec: { size: 2 }, status: { phase: 'Ready' } })
    })

    test('a patch of the status with a version is an optimistic lock, too', async () => {
      const { namespace, object } = await created()
      const { resourceVersion } = object.metadata
      const key = { namespace, name: 'a' }
      await kubernetes().patch(widgets, key, { spec: { size: 2 } })
      await expect(
        kubernetes().patch(
          widgets,
          key,
          { metadata: { resourceVersion }, status: { phase: 'Ready' } },
          { subresource: 'status' },
        ),
      ).rejects.toMatchObject({ status: 409 })
    })

    test('a patch with the version of a deleted object does not change a new object of its name', async () => {
      const { namespace, object } = await created()
      const key = { namespace, name: 'a' }
      const { uid, resourceVersion } = object.metadata
      await kubernetes().delete(widgets, key)
      const fresh = await kubernetes().create(widgets, widget(namespace, 'a'))
      for (const options of [{}, { subresource: 'status' }] as const) {
        const patch = { metadata: { uid, resourceVersion }, status: { phase: 'Late' } }
        await expect(kubernetes().patch(widgets, key, patch, options)).rejects.toMatchObject({ status: 409 })
      }
      expect(await kubernetes().get(widgets, key)).toEqual(fresh)
    })

    test('a patch of the status with only another uid succeeds, because the version is the only lock there', async () => {
      const { namespace } = await created()
      const metadata = { uid: '00000000-0000-0000-0000-000000000000' }
      const patched = await kubernetes().patch(
        widgets,
        { namespace, name: 'a' },
        { metadata, status: { phase: 'Ready' } },
        { subresource: 'status' },
      )
      expect(patched.status).toEqual({ phase: 'Ready' })
    })
  })

  describe('replace', () => {
    test('a replace stores the object as sent', async () => {
      const { object } = await created({ size: 1, color: 'red' })
      const replaced = await kubernetes().replace(widgets, { ...object, spec: { size: 5 } })
      expect(replaced.spec).toEqual({ size: 5, shape: 'round' })
    })

    test('the patch is refused for an outdated version', async () => {
      const { object } = await created()
      await kubernetes().replace(widgets, { ...object, spec: { size: 5 } })
      await expect(kubernetes().replace(widgets, { ...object, spec: { size: 6 } })).rejects.toMatchObject({
        status: 409,
        reason: 'Conflict',
      })
    })

    test('a replace of the status changes nothing else', async () => {
      const { object } = await created()
      const sent = { ...object, spec: { size: 9 }, status: { phase: 'Ready' } }
      const replaced = await kubernetes().replace(widgets, sent, { subresource: 'status' })
      expect(replaced).toMatchObject({ spec: { size: 1 }, status: { phase: 'Ready' } })
    })
  })

  describe('the generation', () => {
    test('the generation counts changes of the spec, not of metadata or status', async () => {
      const { namespace } = await created()
      const key = { namespace, name: 'a' }
      const steps = [
        await kubernetes().patch(widgets, key, { spec: { size: 2 } }),
        await kubernetes().patch(widgets, key, { metadata: { labels: { a: 'b' } } }),
        await kubernetes().patch(widgets, key, { status: { a: 1 } }, { subresource: 'status' }),
        await kubernetes().patch(widgets, key, { spec: { size: 3 } }),
      ]
      expect(steps.map(step => step.metadata.generation)).toEqual([2, 2, 2, 3])
    })

    test('the generation increases once when the deletion is requested', async () => {
      const { namespace } = await held()
      const key = { namespace, name: 'a' }
      await kubernetes().delete(widgets, key)
      const marked = await kubernetes().get(widgets, key)
      expect(marked?.metadata.generation).toBe(2)
      await kubernetes().delete(widgets, key)
      expect((await kubernetes().get(widgets, key))?.metadata).toEqual(marked?.metadata)
      await kubernetes().patch(widgets, key, { metadata: { finalizers: null } })
    })
  })

  describe('delete', () => {
    test('a deletion removes the object, and succeeds if it does not exist', async () => {
      const { namespace } = await created()
      const key = { namespace, name: 'a' }
      await kubernetes().delete(widgets, key)
      expect(await kubernetes().get(widgets, key)).toBeUndefined()
      await kubernetes().delete(widgets, key)
    })

    test('a deletion waits for the finalizers', async () => {
      const { namespace } = await held()
      const key = { namespace, name: 'a' }
      await kubernetes().delete(widgets, key)
      expect((await kubernetes().get(widgets, key))?.metadata.deletionTimestamp).toBeDefined()
      await kubernetes().patch(widgets, key, { metadata: { finalizers: null } })
      expect(await kubernetes().get(widgets, key)).toBeUndefined()
    })

    test('no finalizer can be added during the deletion', async () => {
      const { namespace } = await held()
      const key = { namespace, name: 'a' }
      await kubernetes().delete(widgets, key)
      await expect(
        kubernetes().patch(widgets, key, {
          metadata: { finalizers: ['example.com/hold', 'example.com/new'] },
        }),
      ).rejects.toMatchObject({ status: 422, message: expect.stringContaining('metadata.finalizers') })
      await kubernetes().patch(widgets, key, { metadata: { finalizers: null } })
    })

    test('the deletion cannot be reverted', async () => {
      const { namespace } = await held()
      const key = { namespace, name: 'a' }
      await kubernetes().delete(widgets, key)
      const kept = await kubernetes().patch(widgets, key, { metadata: { deletionTimestamp: null } })
      expect(kept.metadata.deletionTimestamp).toBeDefined()
      await kubernetes().patch(widgets, key, { metadata: { finalizers: null } })
    })

    test('a deletion deletes only the object with the given uid and version', async () => {
      const { namespace, object } = await created()
      const key = { namespace, name: 'a' }
      const uid = '00000000-0000-0000-0000-000000000000'
      await expect(kubernetes().delete(widgets, key, { uid })).rejects.toMatchObject({ status: 409 })
      const former = { ...object, metadata: { ...object.metadata, uid } }
      expect(await deleteObject(kubernetes(), widgets, former)).toBe(false)
      await kubernetes().patch(widgets, key, { spec: { size: 2 } })
      const resourceVersion = object.metadata.resourceVersion ?? ''
      await expect(kubernetes().delete(widgets, key, { resourceVersion })).rejects.toMatchObject({
        status: 409,
      })
      await kubernetes().delete(widgets, key, { uid: object.metadata.uid ?? '' })
      expect(await kubernetes().get(widgets, key)).toBeUndefined()
    })
  })
}
