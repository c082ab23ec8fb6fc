import { describe, expect, test } from 'vitest'
import { applyObject } from '../apply-object.ts'
import type { GroupVersionResource, KubernetesObject } from '../port.ts'
import type { ContractContext } from './contract-fixtures.ts'
import { namespaces, secrets, widget, widgets } from './contract-fixtures.ts'

const core = (plural: string): GroupVersionResource => ({
  group: '',
  version: 'v1',
  plural,
  namespaced: true,
})

/** Test cases for server-side apply. */
export const applyContract = (context: ContractContext): void => {
  const kubernetes = () => context.subject().kubernetes
  const one = { fieldManager: 'one' }
  const two = { fieldManager: 'two' }
  const elsewhere = '00000000-0000-0000-0000-000000000000'

  describe('apply', () => {
    test('an apply creates the object or merges into it', async () => {
      const namespace = await context.namespace()
      const made = await kubernetes().apply(widgets, widget(namespace, 'a', { size: 1, color: 'red' }), one)
      expect(made).toMatchObject({ spec: { size: 1, color: 'red', shape: 'round' } })
      const applied = await kubernetes().apply(
        widgets,
        widget(namespace, 'a', { size: 2, color: 'red' }),
        one,
      )
      expect(applied.spec).toEqual({ size: 2, color: 'red', shape: 'round' })
      expect(applied.metadata.uid).toBe(made.metadata.uid)
    })

    test('an apply without a difference changes nothing', async () => {
      const namespace = await context.namespace()
      const made = await kubernetes().apply(widgets, widget(namespace, 'a'), one)
      expect(await kubernetes().apply(widgets, widget(namespace, 'a'), one)).toEqual(made)
    })

    test('an apply removes fields that are no longer applied, and retains those of others', async () => {
      const namespace = await context.namespace()
      const key = { namespace, name: 'a' }
      await kubernetes().apply(
        widgets,
        widget(namespace, 'a', { size: 1, color: 'red', extra: { mine: 1 } }),
        one,
      )
      await kubernetes().patch(widgets, key, { spec: { extra: { theirs: 2 } } })
      const applied = await kubernetes().apply(widgets, widget(namespace, 'a'), one)
      expect(applied.spec).toEqual({ size: 1, shape: 'round', extra: { theirs: 2 } })
    })

    test('an apply of a foreign field with another value is refused unless it is forced', async () => {
      const namespace = await context.namespace()
      await kubernetes().apply(widgets, widget(namespace, 'a', { size: 1 }), one)
      await expect(
        kubernetes().apply(widgets, widget(namespace, 'a', { size: 2 }), two),
      ).rejects.toMatchObject({ status: 409, reason: 'Conflict' })
      const forced = await kubernetes().apply(widgets, widget(namespace, 'a', { size: 2 }), {
        ...two,
        force: true,
      })
      expect(forced.spec).toMatchObject({ size: 2 })
    })

    test('an apply with a uid changes only that object and creates none', async () => {
      const namespace = await context.namespace()
      const other = { ...widget(namespace, 'a'), metadata: { name: 'a', namespace, uid: elsewhere } }
      await expect(kubernetes().apply(widgets, other, { ...one, force: true })).rejects.toMatchObject({
        status: 409,
      })
      expect(await kubernetes().get(widgets, { namespace, name: 'a' })).toBeUndefined()
      const made = await kubernetes().apply(widgets, widget(namespace, 'a'), one)
      await expect(kubernetes().apply(widgets, other, { ...one, force: true })).rejects.toMatchObject({
        status: 409,
      })
      const { uid = '' } = made.metadata
      const bound = { ...widget(namespace, 'a', { size: 3 }), metadata: { name: 'a', namespace, uid } }
      expect((await kubernetes().apply(widgets, bound, one)).spec).toMatchObject({ size: 3 })
    })
  })

  describe('apply only for differences', () => {
    const apply = (resource: GroupVersionResource, desired: KubernetesObject) =>
      applyObject(kubernetes(), resource, desired, one)
    const outcome = async (resource: GroupVersionResource, desired: KubernetesObject) =>
      (await apply(resource, desired)).outcome

    test.each<readonly [string, GroupVersionResource, (namespace: string) => KubernetesObject]>([
      [
        'a Namespace with a label',
        namespaces,
        namespace => ({
          apiVersion: 'v1',
          kind: 'Namespace',
          metadata: { name: `${namespace}-x`, labels: { a: 'b' } },
        }),
      ],
      [
        'a Secret with an owner',
        secrets,
        namespace => ({
          apiVersion: 'v1',
          kind: 'Secret',
          metadata: {
            name: 'a',
            namespace,
            labels: { a: 'b' },
            ownerReferences: [{ apiVersion: 'v1', kind: 'Namespace', name: namespace, uid: elsewhere }],
          },
          data: { a: btoa('x') },
        }),
      ],
      [
        'a Service with ports',
        core('services'),
        namespace => ({
          apiVersion: 'v1',
          kind: 'Service',
          metadata: { name: 'a', namespace },
          spec: {
            type: 'ClusterIP',
            selector: { app: 'a' },
            ports: [
              { name: 'a', protocol: 'TCP', port: 53, targetPort: 53 },
              { name: 'b', protocol: 'UDP', port: 53, targetPort: 'dns' },
            ],
          },
        }),
      ],
      [
        'a custom resource with lists and maps',
        widgets,
        namespace =>
          widget(namespace, 'a', { size: 1, parts: ['x', 'y'], extra: { a: { b: [1, { c: 2 }] } } }),
      ],
    ])('%s is written once', async (_, resource, desiredIn) => {
      const namespace = await context.namespace()
      const desired = desiredIn(namespace)
      expect(await outcome(resource, desired)).toBe('applied')
      const again = await apply(resource, desired)
      expect(again.outcome).toBe('same')
      expect(again.object).toEqual(await kubernetes().get(resource, desired.metadata))
      if (resource === namespaces) await kubernetes().delete(namespaces, { name: desired.metadata.name })
    })

    test('foreign changes are reverted, and foreign additions are retained', async () => {
      const namespace = await context.namespace()
      const key = { namespace, name: 'a' }
      await apply(widgets, widget(namespace, 'a', { size: 1, extra: { a: 1 } }))
      await kubernetes().patch(widgets, key, { spec: { extra: { b: 2 } } })
      expect(await outcome(widgets, widget(namespace, 'a', { size: 1, extra: { a: 1 } }))).toBe('same')
      await kubernetes().patch(widgets, key, { spec: { size: 7, extra: { a: null } } })
      const { outcome: taken, object } = await apply(
        widgets,
        widget(namespace, 'a', { size: 1, extra: { a: 1 } }),
      )
      expect(taken).toBe('applied')
      expect(object.spec).toMatchObject({ size: 1, extra: { a: 1, b: 2 } })
    })

    test('fields, list items and labels that are no longer desired are released', async () => {
      const namespace = await context.namespace()
      const labelled = (labels: object, spec: object) => {
        const object = widget(namespace, 'a', spec)
        return { ...object, metadata: { ...object.metadata, labels: { ...labels } } }
      }
      await apply(widgets, labelled({ a: 'b', c: 'd' }, { size: 1, color: 'red', parts: ['x', 'y'] }))
      const steps = [
        labelled({ a: 'b' }, { size: 1, color: 'red', parts: ['x', 'y'] }),
        labelled({ a: 'b' }, { size: 1, color: 'red', parts: ['x'] }),
        labelled({ a: 'b' }, { size: 1, parts: ['x'] }),
      ]
      for (const desired of steps) {
        expect(await outcome(widgets, desired)).toBe('applied')
        expect(await outcome(widgets, desired)).toBe('same')
      }
      expect(await kubernetes().get(widgets, { namespace, name: 'a' })).toMatchObject({
        metadata: { labels: { a: 'b' } },
        spec: { size: 1, parts: ['x'], shape: 'round' },
      })
    })

    test('fields that already have the desired value become owned', async () => {
      const namespace = await context.namespace()
      await kubernetes().create(widgets, widget(namespace, 'a'))
      expect(await outcome(widgets, widget(namespace, 'a'))).toBe('applied')
      expect(await outcome(widgets, widget(namespace, 'a'))).toBe('same')
    })

    test('an object in deletion is not changed', async () => {
      const namespace = await context.namespace()
      const key = { namespace, name: 'a' }
      const object = widget(namespace, 'a')
      const metadata = { ...object.metadata, finalizers: ['example.com/hold'] }
      await kubernetes().create(widgets, { ...object, metadata })
      await kubernetes().delete(widgets, key)
      const leaving = await kubernetes().get(widgets, key)
      expect(await apply(widgets, widget(namespace, 'a', { size: 5 }))).toEqual({
        outcome: 'deleting',
        object: leaving,
      })
      await kubernetes().patch(widgets, key, { metadata: { finalizers: null } })
    })

    test('another object of the same name is compared again before a change', async () => {
      const namespace = await context.namespace()
      await kubernetes().create(widgets, widget(namespace, 'a'))
      const seen: unknown[] = []
      let isReplaced = false
      const replacing = {
        get: async (...[resource, key]: Parameters<ReturnType<typeof kubernetes>['get']>) => {
          const found = await kubernetes().get(resource, key)
          seen.push(found?.spec)
          if (!isReplaced) {
            isReplaced = true
            await kubernetes().delete(widgets, key)
            await kubernetes().create(widgets, widget(namespace, 'a', { size: 9 }))
          }
          return found
        },
        apply: kubernetes().apply,
      }
      const desired = widget(namespace, 'a', { size: 2 })
      expect((await applyObject(replacing, widgets, desired, one)).outcome).toBe('applied')
      expect(seen).toMatchObject([{ size: 1 }, { size: 9 }])
    })
  })
}
