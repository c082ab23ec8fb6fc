import { describe, expect, test } from 'vitest'
import type { KubernetesObject, ListOptions } from '../port.ts'
import type { ContractContext } from './contract-fixtures.ts'
import { secrets, widget, widgets } from './contract-fixtures.ts'

const namesOf = (items: readonly { readonly metadata: { readonly name: string } }[]): readonly string[] =>
  items.map(item => item.metadata.name)

/** Test cases for get and list. */
export const readContract = (context: ContractContext): void => {
  const kubernetes = () => context.subject().kubernetes

  const withWidgets = async (names: readonly string[]): Promise<string> => {
    const namespace = await context.namespace()
    for (const name of names) await kubernetes().create(widgets, widget(namespace, name))
    return namespace
  }

  describe('get', () => {
    test('an object that does not exist is undefined', async () => {
      const namespace = await context.namespace()
      expect(await kubernetes().get(widgets, { namespace, name: 'none' })).toBeUndefined()
    })

    test('an object in a namespace that does not exist is undefined', async () => {
      expect(await kubernetes().get(widgets, { namespace: 'no-such-namespace', name: 'a' })).toBeUndefined()
    })

    test('a resource that is not served is an error, not an absent object', async () => {
      const namespace = await context.namespace()
      const unknown = { ...widgets, plural: 'thingies' }
      await expect(kubernetes().get(unknown, { namespace, name: 'a' })).rejects.toMatchObject({ status: 404 })
      await expect(kubernetes().list(unknown)).rejects.toMatchObject({ status: 404 })
    })

    test('a read returns the created object', async () => {
      const namespace = await context.namespace()
      const created = await kubernetes().create(widgets, widget(namespace, 'a'))
      expect(await kubernetes().get(widgets, { namespace, name: 'a' })).toEqual(created)
    })
  })

  describe('list', () => {
    test('a list shows one namespace or all', async () => {
      const one = await withWidgets(['a'])
      const other = await withWidgets(['b'])
      expect(namesOf((await kubernetes().list(widgets, { namespace: one })).items)).toEqual(['a'])
      const all = (await kubernetes().list(widgets)).items.map(item => item.metadata.namespace)
      expect(all).toEqual(expect.arrayContaining([one, other]))
    })

    test('a list is sorted by name, and empty without objects', async () => {
      const namespace = await withWidgets(['b', 'c', 'a'])
      expect(namesOf((await kubernetes().list(widgets, { namespace })).items)).toEqual(['a', 'b', 'c'])
      const empty = await kubernetes().list(widgets, { namespace: await context.namespace() })
      expect(empty.items).toEqual([])
      expect(empty.continue).toBeUndefined()
    })

    test('items have apiVersion and kind, including items of built-in resources', async () => {
      const namespace = await context.namespace()
      const metadata = { name: 'credentials', namespace }
      await kubernetes().create(secrets, { apiVersion: 'v1', kind: 'Secret', metadata })
      const { items } = await kubernetes().list(secrets, {
        namespace,
        fieldSelector: 'metadata.name=credentials',
      })
      expect(items).toMatchObject([{ apiVersion: 'v1', kind: 'Secret', metadata }])
    })

    test('a list arrives in pages that together show the state of the first one', async () => {
      const namespace = await withWidgets(['a', 'b', 'c', 'd', 'e'])
      const first = await kubernetes().list(widgets, { namespace, limit: 2 })
      expect(namesOf(first.items)).toEqual(['a', 'b'])
      expect(first.remainingItemCount).toBe(3)

      await kubernetes().create(widgets, widget(namespace, 'bb'))
      await kubernetes().delete(widgets, { namespace, name: 'd' })
      await kubernetes().patch(widgets, { namespace, name: 'e' }, { spec: { size: 9 } })

      const second = await kubernetes().list(widgets, { namespace, limit: 2, continue: first.continue ?? '' })
      expect(namesOf(second.items)).toEqual(['c', 'd'])
      const third = await kubernetes().list(widgets, { namespace, limit: 2, continue: second.continue ?? '' })
      expect(third.items).toMatchObject([{ metadata: { name: 'e' }, spec: { size: 1 } }])
      expect(third.continue).toBeUndefined()
      expect([second.resourceVersion, third.resourceVersion]).toEqual([
        first.resourceVersion,
        first.resourceVersion,
      ])
    })

    test('a page has the same objects whether it is read one by one or whole', async () => {
      const namespace = await withWidgets(['a', 'b', 'c'])
      const metadata = { name: 'credentials', namespace }
      await kubernetes().create(secrets, { apiVersion: 'v1', kind: 'Secret', metadata })
      for (const resource of [widgets, secrets]) {
        const whole = await kubernetes().list(resource, { namespace, limit: 2 })
        const given: KubernetesObject[] = []
        const page = await kubernetes().list(resource, {
          namespace,
          limit: 2,
          each: object => given.push(object),
        })
        expect([...given, ...page.items]).toEqual(whole.items)
        expect(page).toMatchObject({ resourceVersion: whole.resourceVersion })
        expect(page.remainingItemCount).toBe(whole.remainingItemCount)
        expect(page.continue === undefined).toBe(whole.continue === undefined)
      }
    })

    test('a continue token from a forgotten version is expired', async ({ skip }) => {
      const { forgetHistory } = context.subject()
      if (!forgetHistory) return skip('this server cannot be made to forget')
      const namespace = await withWidgets(['a', 'b'])
      const first = await kubernetes().list(widgets, { namespace, limit: 1 })
      await kubernetes().delete(widgets, { namespace, name: 'a' })
      await forgetHistory()
      await expect(
        kubernetes().list(widgets, { namespace, limit: 1, continue: first.continue ?? '' }),
      ).rejects.toMatchObject({ status: 410, reason: 'Expired' })
    })

    const selections: readonly (readonly [string, ListOptions, readonly string[]])[] = [
      ['label equal', { labelSelector: 'tier=front' }, ['a']],
      ['label not equal, also where there is none', { labelSelector: 'tier!=front' }, ['b', 'c']],
      ['label in a set', { labelSelector: 'tier in (front, back)' }, ['a', 'b']],
      ['label not in a set', { labelSelector: 'tier notin (front)' }, ['b', 'c']],
      ['label there', { labelSelector: 'tier' }, ['a', 'b']],
      ['label not there', { labelSelector: '!tier' }, ['c']],
      ['two labels', { labelSelector: 'tier=front,zone=z1' }, ['a']],
      ['name', { fieldSelector: 'metadata.name=b' }, ['b']],
      ['not this name', { fieldSelector: 'metadata.name!=b' }, ['a', 'c']],
      ['a selectable field of the definition', { fieldSelector: 'spec.color=red' }, ['c']],
    ]

    test('a list selects by labels and fields', async () => {
      const namespace = await context.namespace()
      const labelled = (name: string, labels: Readonly<Record<string, string>>, spec?: object) => {
        const object = widget(namespace, name, spec)
        return kubernetes().create(widgets, { ...object, metadata: { ...object.metadata, labels } })
      }
      await labelled('a', { tier: 'front', zone: 'z1' })
      await labelled('b', { tier: 'back' })
      await labelled('c', {}, { size: 1, color: 'red' })
      for (const [what, options, names] of selections) {
        const page = await kubernetes().list(widgets, { namespace, ...options })
        expect(namesOf(page.items), what).toEqual(names)
      }
    })

    test('a selector for an unsupported field is a bad request', async () => {
      await expect(kubernetes().list(widgets, { fieldSelector: 'spec.size=1' })).rejects.toMatchObject({
        status: 400,
      })
    })
  })
}
