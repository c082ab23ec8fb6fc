import { expect, test } from 'vitest'
import { changedRows, compareWorlds, rowText } from './compare-worlds.ts'
import { createRowReader } from './read-row.ts'
import type { WorldRow } from './world-row.ts'

const vpc = (id: string, name = 'iris'): WorldRow => ({ place: 'ec2 vpcs', value: { id, name } })
const subnet = (id: string, vpcId: string): WorldRow => ({ place: 'ec2 subnets', value: { id, vpcId } })

const ids = (kind: string, digit: string) => `${kind}-${digit.repeat(17)}`
const [first, second, third] = [ids('vpc', '1'), ids('vpc', '2'), ids('vpc', '3')]

test('worlds that differ only in generated names are equal', () => {
  const found = [vpc(first), vpc(second, 'rose'), subnet(ids('subnet', 'a'), second)]
  const expected = [vpc(third), vpc(first, 'rose'), subnet(ids('subnet', 'b'), first)]
  expect(compareWorlds(found, expected)).toEqual([])
})

test('a reference to another resource of the same kind is a difference', () => {
  const found = [vpc(first), vpc(second, 'rose'), subnet(ids('subnet', 'a'), first)]
  const expected = [vpc(first), vpc(second, 'rose'), subnet(ids('subnet', 'a'), second)]
  expect(compareWorlds(found, expected)).not.toEqual([])
})

test('a generated name that both worlds know may not be replaced by another one', () => {
  const isKnown = (name: string) => name === first
  expect(compareWorlds([vpc(second)], [vpc(first)], { isKnown })).not.toEqual([])
  expect(compareWorlds([vpc(second)], [vpc(first)])).toEqual([])
})

test('surplus, missing and different rows are named by their places', () => {
  const found = [vpc(first, 'rose'), { place: 'record', value: 'a' }]
  const expected = [vpc(first), { place: 'zone', value: 'b' }]
  expect(compareWorlds(found, expected)).toEqual([
    expect.stringMatching(/^ec2 vpcs: found .*rose.*, expected .*iris/),
    'surplus: record "a"',
    'missing: zone "b"',
  ])
})

test('times are no differences', () => {
  const at = (text: string, ms: number) => [{ place: 'record', value: { text, ms } }]
  const [one, other] = ['2026-01-01T00:00:00Z', '2026-01-01T00:00:07.5Z']
  expect(compareWorlds(at(one, Date.parse(one)), at(other, Date.parse(other)))).toEqual([])
})

test('the order of a list is a difference only where it has a meaning', () => {
  const rows = (isUnordered: boolean, ...value: string[]) => [{ place: 'group', value, isUnordered }]
  expect(compareWorlds(rows(true, 'a', 'b'), rows(true, 'b', 'a'))).toEqual([])
  expect(compareWorlds(rows(false, 'a', 'b'), rows(false, 'b', 'a'))).not.toEqual([])
})

test('only the place of a generated name is replaced, not equal text before it', () => {
  const row: WorldRow = { place: 'Secret xdeadbeef/key-deadbeef', value: undefined }
  expect(createRowReader().show(row, () => '').text).toBe('Secret xdeadbeef/key-<id> ')
})

test('changed rows are those that were lost or got, as often as they are there', () => {
  const changes = changedRows([vpc(first), vpc(first), vpc(second)], [vpc(first), vpc(second, 'rose')])
  expect(changes.map(rowText).map(text => text.replaceAll(/[^-+a-z]+/g, ' '))).toEqual([
    expect.stringMatching(/^\+ .*rose/),
    expect.stringMatching(/^- .*iris/),
    expect.stringMatching(/^- .*iris/),
  ])
})
