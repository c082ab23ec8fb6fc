import { describe, expect, test } from 'vitest'
import type { KubernetesObject, WatchEvent, WatchOptions } from '../port.ts'
import type { ContractContext } from './contract-fixtures.ts'
import { widget, widgets } from './contract-fixtures.ts'

/** Describes an event in a few words: `added a`, `bookmark`. */
const inWords = (event: WatchEvent): string =>
  event.type === 'bookmark' ? 'bookmark' : `${event.type} ${event.object.metadata.name}`

/** Test cases for watch. */
export const watchContract = (context: ContractContext): void => {
  const kubernetes = () => context.subject().kubernetes

  /** Returns the next `count` events of a watch, and then leaves it. */
  const take = async (count: number, options: WatchOptions): Promise<readonly WatchEvent[]> => {
    const events: WatchEvent[] = []
    for await (const event of kubernetes().watch(widgets, options)) {
      events.push(event)
      if (events.length === count) break
    }
    return events
  }

  const versionNow = async (namespace: string): Promise<string> =>
    (await kubernetes().list(widgets, { namespace })).resourceVersion

  const create = (namespace: string, name: string, spec?: object): Promise<KubernetesObject> =>
    kubernetes().create(widgets, widget(namespace, name, spec))

  describe('watch', () => {
    test('a watch shows every change after the version in order and once', async () => {
      const namespace = await context.namespace()
      await create(namespace, 'before')
      const resourceVersion = await versionNow(namespace)
      await create(namespace, 'a')
      const watched = take(4, { namespace, resourceVersion })
      await kubernetes().patch(widgets, { namespace, name: 'a' }, { spec: { size: 2 } })
      await kubernetes().delete(widgets, { namespace, name: 'a' })
      await create(namespace, 'b')
      const events = await watched
      expect(events.map(inWords)).toEqual(['added a', 'modified a', 'deleted a', 'added b'])
    })

    test('a watch misses and repeats nothing under many writers', async () => {
      const namespace = await context.namespace()
      const resourceVersion = await versionNow(namespace)
      const names = Array.from({ length: 20 }, (_, index) => `w${index}`)
      const watched = take(60, { namespace, resourceVersion })
      await Promise.all(
        names.map(async name => {
          await create(namespace, name)
          await kubernetes().patch(widgets, { namespace, name }, { spec: { size: 2 } })
          await kubernetes().delete(widgets, { namespace, name })
        }),
      )
      const words = (await watched).map(inWords)
      for (const name of names) {
        const own = words.filter(word => word.endsWith(` ${name}`))
        expect(own).toEqual([`added ${name}`, `modified ${name}`, `deleted ${name}`])
      }
    })

    test('versions grow with each event, and a deletion has a version too', async () => {
      const namespace = await context.namespace()
      const resourceVersion = await versionNow(namespace)
      const made = await create(namespace, 'a')
      await kubernetes().delete(widgets, { namespace, name: 'a' })
      const events = await take(2, { namespace, resourceVersion })
      const versions = events.map(event =>
        event.type === 'bookmark' ? 0 : Number(event.object.metadata.resourceVersion),
      )
      expect(versions[0]).toBe(Number(made.metadata.resourceVersion))
      expect(versions[1]).toBeGreaterThan(versions[0] ?? 0)
    })

    test('a watch from a version that does not exist yet is silent until it is reached', async () => {
      const namespace = await context.namespace()
      const version = Number(await versionNow(namespace)) + 3
      const versions: number[] = []
      const watching = (async () => {
        for await (const event of kubernetes().watch(widgets, { namespace, resourceVersion: `${version}` })) {
          if (event.type === 'bookmark') continue
          versions.push(Number(event.object.metadata.resourceVersion))
          if (event.object.metadata.name === 'f') return
        }
      })()
      for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) await create(namespace, name)
      await watching
      expect(versions.filter(one => one <= version)).toEqual([])
    })

    test('a watch without a version starts with the existing objects', async () => {
      const namespace = await context.namespace()
      await create(namespace, 'a')
      const watched = take(2, { namespace })
      await create(namespace, 'b')
      expect((await watched).map(inWords)).toEqual(['added a', 'added b'])
    })

    test('a watch of a namespace shows no other objects', async () => {
      const [one, other] = [await context.namespace(), await context.namespace()]
      const resourceVersion = await versionNow(one)
      await create(other, 'foreign')
      await create(one, 'own')
      expect((await take(1, { namespace: one, resourceVersion })).map(inWords)).toEqual(['added own'])
    })

    test('an object that enters the selection is added, one that leaves it is deleted', async () => {
      const namespace = await context.namespace()
      const resourceVersion = await versionNow(namespace)
      const key = { namespace, name: 'a' }
      await create(namespace, 'a')
      for (const tier of ['front', 'front', null]) {
        const labels = { tier, seen: String(tier) }
        await kubernetes().patch(widgets, key, { metadata: { labels } })
        await kubernetes().patch(widgets, key, { metadata: { annotations: { 'a.io/turn': 'x' } } })
      }
      const events = await take(3, { namespace, resourceVersion, labelSelector: 'tier=front' })
      expect(events.map(inWords)).toEqual(['added a', 'modified a', 'deleted a'])
    })

    test('a watch selects by name', async () => {
      const namespace = await context.namespace()
      const resourceVersion = await versionNow(namespace)
      await create(namespace, 'other')
      await create(namespace, 'mine')
      const events = await take(1, { namespace, resourceVersion, fieldSelector: 'metadata.name=mine' })
      expect(events.map(inWords)).toEqual(['added mine'])
    })

    test('a watch with initial events marks their end', async () => {
      const namespace = await context.namespace()
      await create(namespace, 'a')
      await create(namespace, 'b')
      const events = await take(3, { namespace, sendInitialEvents: true, allowWatchBookmarks: true })
      expect(events.slice(0, 2).map(inWords).toSorted()).toEqual(['added a', 'added b'])
      expect(events[2]).toMatchObject({ type: 'bookmark', initialEventsEnd: true })
    })

    test('a watch ends after its time with a bookmark to resume from', async () => {
      const namespace = await context.namespace()
      const other = await context.namespace()
      const resourceVersion = await versionNow(namespace)
      let elsewhere = 0
      const watchToItsEnd = async (): Promise<readonly WatchEvent[]> => {
        const watched = take(Number.POSITIVE_INFINITY, {
          namespace,
          resourceVersion,
          allowWatchBookmarks: true,
          timeoutSeconds: 5,
        })
        await create(other, `elsewhere-${elsewhere++}`)
        await context.subject().passTime(6_000)
        return watched
      }

      let events = await watchToItsEnd()
      // kube-apiserver guarantees no bookmark: sometimes a watch ends without one.
      for (let more = 2; more > 0 && events.length === 0; more--) events = await watchToItsEnd()
      expect(events.map(event => event.type)).toContain('bookmark')
      const last = events.at(-1)
      const from = last?.type === 'bookmark' ? last.resourceVersion : ''
      await create(namespace, 'later')
      expect((await take(1, { namespace, resourceVersion: from })).map(inWords)).toEqual(['added later'])
    })

    test('a watch from a forgotten version is expired', async ({ skip }) => {
      const { forgetHistory } = context.subject()
      if (!forgetHistory) return skip('this server cannot be made to forget')
      const namespace = await context.namespace()
      const resourceVersion = await versionNow(namespace)
      await create(namespace, 'a')
      await forgetHistory()
      await expect(take(1, { namespace, resourceVersion })).rejects.toMatchObject({
        status: 410,
        reason: 'Expired',
      })
    })

    test('a watch throws the reason of the signal that ends it', async () => {
      const namespace = await context.namespace()
      const controller = new AbortController()
      const watched = take(2, { namespace, signal: controller.signal })
      await create(namespace, 'a')
      const reason = new Error('enough')
      controller.abort(reason)
      await expect(watched).rejects.toBe(reason)
    })
  })
}
