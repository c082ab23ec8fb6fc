import { expect, test } from 'vitest'
import { virtualClock } from '../../../../../shared/clock/clock.ts'
import { createLateStore } from './late-store.ts'
import { createCloudStore } from './store.ts'

const object = (name: string) => ({ id: 'a', project_id: 'p', name })

test('a late read shows the past of a resource, then each change once, and never an older one again', async () => {
  const clock = virtualClock(0)
  const { store, late } = createLateStore(createCloudStore(), { seed: 1, most: 10_000 }, clock.now)
  const shown: unknown[] = []
  const watch = async (): Promise<void> => {
    for (let second = 0; second <= 11; second++) {
      const [one] = late.all('container')
      expect(late.get('container', 'a')).toEqual(one)
      if (shown.at(-1) !== one?.name) shown.push(one?.name)
      await clock.advance(1_000)
    }
  }
  await watch()
  store.put('container', object('created'))
  expect(late.get('container', 'a')).toBeUndefined()
  store.patch('container', 'a', { name: 'changed' })
  await watch()
  store.remove('container', 'a')
  expect(store.all('container')).toEqual([])
  expect(late.all('container')).toEqual([object('changed')])
  await watch()
  expect(shown.filter(name => name !== 'created')).toEqual(['changed', undefined])
})
