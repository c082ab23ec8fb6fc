import { expect, test } from 'vitest'
import { allPages } from './all-pages.ts'

interface Item {
  readonly id?: string
  readonly state: string
}

const read = (pages: readonly (readonly Item[])[]) =>
  allPages<Item>(
    ({ id }) => id,
    async token => {
      const at = Number(token ?? 0)
      return { items: pages[at], next: at + 1 < pages.length ? String(at + 1) : '' }
    },
  )

test('an item that several pages contain is returned once, in its last form', async () => {
  const pages = [
    [{ id: 'a', state: 'pending' }],
    [],
    [
      { id: 'b', state: 'new' },
      { id: 'a', state: 'ready' },
    ],
  ]
  expect(await read(pages)).toEqual([
    { id: 'a', state: 'ready' },
    { id: 'b', state: 'new' },
  ])
})

test('items without an id are all returned', async () => {
  expect(await read([[{ state: 'x' }], [{ state: 'x' }]])).toHaveLength(2)
})
