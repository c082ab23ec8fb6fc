import { expect, test } from 'vitest'
import type { Ec2Resource } from '../../rows/resource.ts'
import { createTable } from './table.ts'

interface Row extends Ec2Resource {
  readonly vpcId: string
}

const row = (id: string, sequence: number, more: Partial<Row> = {}): Row => ({
  id,
  sequence,
  createdAt: 0,
  tags: [],
  vpcId: 'vpc-1',
  ...more,
})

const tableOf = (...rows: readonly Row[]) => {
  const data: Record<string, Row> = {}
  const table = createTable(data, { 'vpc-id': ({ vpcId }) => [vpcId] })
  for (const entry of rows) table.put(entry)
  return { data, table }
}

const idsOf = (rows: readonly Row[]): string[] => rows.map(({ id }) => id)

test('rows are found by an indexed value and by tag, in order of creation', () => {
  const { table } = tableOf(
    row('a', 1, { tags: [{ Key: 'Name', Value: 'x' }] }),
    row('b', 2, { vpcId: 'vpc-2' }),
    row('c', 3, { tags: [{ Key: 'Name', Value: 'x' }] }),
  )
  expect(idsOf(table.by('vpc-id', 'vpc-1'))).toEqual(['a', 'c'])
  expect(idsOf(table.by('tag:Name', 'x'))).toEqual(['a', 'c'])
  expect(idsOf(table.by('tag-key', 'Name'))).toEqual(['a', 'c'])
  expect(table.by('vpc-id', 'vpc-9')).toEqual([])
})

test('a changed row loses its old values in the index and retains its position', () => {
  const { table } = tableOf(row('a', 1), row('b', 2))
  table.put(row('a', 1, { vpcId: 'vpc-2', tags: [{ Key: 'k', Value: 'v' }] }))
  expect(idsOf(table.by('vpc-id', 'vpc-1'))).toEqual(['b'])
  expect(idsOf(table.by('vpc-id', 'vpc-2'))).toEqual(['a'])
  expect(idsOf(table.all())).toEqual(['a', 'b'])
  expect(table.size).toBe(2)
})

test('rows are removed when their end time is reached, not before', () => {
  const { table, data } = tableOf(row('a', 1, { goneAt: 10 }), row('b', 2, { goneAt: 20 }), row('c', 3))
  table.sweep(9)
  expect(table.size).toBe(3)
  table.sweep(10)
  expect(idsOf(table.all())).toEqual(['b', 'c'])
  table.sweep(25)
  expect(Object.keys(data)).toEqual(['c'])
  expect(idsOf(table.by('vpc-id', 'vpc-1'))).toEqual(['c'])
})

test('a row is retained if its end time is removed', () => {
  const { table } = tableOf(row('a', 1, { goneAt: 10 }))
  table.put(row('a', 1))
  table.sweep(100)
  expect(table.size).toBe(1)
})

test('the table contains the rows that its data already has', () => {
  const table = createTable({ a: row('a', 1) }, { 'vpc-id': ({ vpcId }: Row) => [vpcId] })
  expect(idsOf(table.by('vpc-id', 'vpc-1'))).toEqual(['a'])
})

test.each(['constructor', '__proto__', 'toString'])('the table has no row named %s', name => {
  expect(tableOf(row('a', 1)).table.get(name)).toBeUndefined()
})

test('a rollback undoes all changes', () => {
  const { table } = tableOf(row('a', 1), row('b', 2), row('c', 3, { goneAt: 50 }))
  table.commit()
  table.put(row('a', 1, { vpcId: 'vpc-2' }))
  table.put(row('a', 1, { vpcId: 'vpc-3' }))
  table.remove('b')
  table.put(row('c', 3, { goneAt: 10 }))
  table.put(row('d', 4))
  table.rollback()
  expect(idsOf(table.all())).toEqual(['a', 'b', 'c'])
  expect(idsOf(table.by('vpc-id', 'vpc-1'))).toEqual(['a', 'b', 'c'])
  table.sweep(49)
  expect(table.size).toBe(3)
})

test('a rollback does not undo committed changes', () => {
  const { table } = tableOf(row('a', 1))
  table.commit()
  table.rollback()
  expect(table.size).toBe(1)
})

test('a value shared by many rows finds each of them until the last one is removed', () => {
  const many = Array.from({ length: 100 }, (_, index) =>
    row(`r${index}`, index, { tags: [{ Key: 'k', Value: index % 2 ? 'odd' : 'even' }] }),
  )
  const { table } = tableOf(...many)
  expect(idsOf(table.by('vpc-id', 'vpc-1'))).toEqual(idsOf(many))
  expect(table.by('tag:k', 'odd')).toHaveLength(50)
  expect(idsOf(table.by('tag-key', 'k'))).toEqual(idsOf(many))
  for (const { id } of many.slice(1)) table.remove(id)
  expect(idsOf(table.by('vpc-id', 'vpc-1'))).toEqual(['r0'])
  expect(idsOf(table.by('tag-key', 'k'))).toEqual(['r0'])
  table.remove('r0')
  expect(table.by('vpc-id', 'vpc-1')).toEqual([])
  expect(table.by('tag-key', 'k')).toEqual([])
})
