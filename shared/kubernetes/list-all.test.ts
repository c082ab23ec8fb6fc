import { expect, test } from 'vitest'
import { secrets } from './core-resources.ts'
import { listAll } from './list-all.ts'
import type { Kubernetes } from './port.ts'

const secret = (name: string) => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name } })

test('a list is read to its last page', async () => {
  const pages: Readonly<Record<string, Awaited<ReturnType<Kubernetes['list']>>>> = {
    first: { items: [secret('a')], resourceVersion: '1', continue: 'second' },
    second: { items: [secret('b')], resourceVersion: '1', continue: 'third' },
    // An API server may also mark the last page explicitly.
    third: { items: [secret('c')], resourceVersion: '1', continue: '' },
  }
  const asked: unknown[] = []
  const kubernetes: Pick<Kubernetes, 'list'> = {
    list: async (_, options = {}) => {
      asked.push(options)
      return pages[options.continue ?? 'first'] ?? { items: [], resourceVersion: '1' }
    },
  }
  const found = await listAll(kubernetes, secrets, { namespace: 'here', labelSelector: 'kept=yes' })
  expect(found.map(({ metadata }) => metadata.name)).toEqual(['a', 'b', 'c'])
  const each = { namespace: 'here', limit: 500, labelSelector: 'kept=yes' }
  expect(asked).toEqual([each, { ...each, continue: 'second' }, { ...each, continue: 'third' }])
})
