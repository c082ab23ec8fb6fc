import { expect, test } from 'vitest'
import { createNotBuiltList } from './not-built-list.ts'

test('each name is listed once until the list is taken', () => {
  const list = createNotBuiltList()
  for (const name of ['ec2:A', 'ec2:B', 'ec2:A']) list.add(name)
  expect(list.all()).toEqual(['ec2:A', 'ec2:B'])
  expect(list.take()).toEqual(['ec2:A', 'ec2:B'])
  expect(list.all()).toEqual([])
})

test('a client that sends invented names does not fill the memory', () => {
  const list = createNotBuiltList()
  for (let name = 0; name < 2_000; name++) list.add(String(name))
  expect(list.take()).toHaveLength(1_000)
})
