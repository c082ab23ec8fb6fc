import { describe, expect, test } from 'vitest'
import type { JournalEntry } from '../../../shared/journal/journal.ts'
import type { TreeNode } from '../../observe/observe.ts'
import { exportPage } from '../export-page.ts'
import { indexNodes, treesAt } from '../model/at-moment.ts'
import { madeUpJournal } from '../testing/made-up-journal.ts'
import { header, recordEntry } from '../testing/served-console.ts'
import { createStore } from './create-store.ts'
import { observedTree } from './observed-tree.ts'
import { shootOf } from './shoot-of.ts'
import type { TreeAt } from './shoot-store.ts'

/** The title says when it was computed in seconds, if a minute has passed without a change. */
const treeAt: TreeAt = ({ shoot, objects, at, steps }) => {
  const child = (id: string): TreeNode => ({ id, kind: 'extension', title: id, state: 'ok', children: [] })
  return {
    id: shoot,
    kind: 'shoot',
    title: `${steps.length} steps, ${at % 100_000 >= 60_000 ? 'late' : 'early'}`,
    state: 'ok',
    children: [...objects.keys()].map(child),
  }
}

test.each([
  ['DNSRecord shoot--a--b/api', 'shoot--a--b'],
  ['Cluster shoot--a--b', 'shoot--a--b'],
  ['BackupEntry shoot--a--b--0c1f3a52-6a3f-4a0b-9d55-2f1f4f3f6d11', 'shoot--a--b'],
  ['BackupBucket backups', ''],
])('%s belongs to the shoot %s', (id, shoot) => {
  expect(shootOf(id)).toBe(shoot)
})

describe('the store', () => {
  test('has the states of each shoot, and only their changes', () => {
    const store = createStore(header, { treeAt })
    store.add(recordEntry('a', 'Processing', 1))
    store.add(recordEntry('a', 'Processing', 2))
    store.add(recordEntry('a', 'Error', 3))
    store.add({ type: 'object', at: '2026-11-21T00:00:04.000Z', id: 'DNSRecord a/api', gone: true })
    expect(store.overview().shoots[0]?.states.map(({ n, state, failed }) => [n, state, failed])).toEqual([
      [1, 'working', 0],
      [3, 'failed', 1],
      [4, 'gone', 0],
    ])
    expect(store.overview(3).shoots[0]?.states).toHaveLength(1)
    expect(store.overview(4).shoots).toEqual([])
  })

  test('has the cause and the codes of each failing object, and the number of overdue ones', () => {
    const store = createStore(header, { treeAt })
    const failed = recordEntry('a', 'Error', 1) as { readonly object: Record<string, object> }
    const lastError = { description: 'api in a has no zone Z since 00:00:01Z', codes: ['ERR_A'] }
    const object = { ...failed.object, status: { ...failed.object.status, lastError } }
    store.add({ ...recordEntry('a', 'Error', 1), object } as JournalEntry)
    const asked = { annotations: { 'gardener.cloud/operation': 'reconcile' }, ...failed.object.metadata }
    const late = { ...failed.object, metadata: { ...asked, name: 'late', creationTimestamp: header.at } }
    store.add({ ...recordEntry('a', 'Error', 1), id: 'DNSRecord a/late', object: late } as JournalEntry)
    store.tick(Date.parse('2026-11-21T00:02:00.000Z'))
    expect(store.overview().shoots[0]?.states.at(-1)).toMatchObject({
      problems: [
        { cause: '‹name› in ‹shoot› has no zone Z since ‹time›', codes: ['ERR_A'] },
        { cause: 'the object does not say why', codes: [] },
      ],
      overdue: 2,
    })
  })

  test('has the past of a shoot from steps alone, until objects are known', () => {
    const past = observedTree(() => [])
    const store = createStore(header, { treeAt: past })
    const step = (shoot: string, second: number, outcome: string, reason?: string): JournalEntry => ({
      ...{ type: 'step', at: `2026-11-21T00:00:0${second}.000Z`, began: header.at, event: `e${second}` },
      ...{ object: `DNSRecord ${shoot}/api`, function: 'f', operation: 'reconcile', ms: 1, calls: [] },
      ...{ outcome, ...(reason !== undefined && { reason }) },
    })
    store.add(step('shoot--p--a', 1, 'failed', 'no zone in shoot--p--a'))
    store.add(step('shoot--p--gone', 1, 'failed'))
    store.add(step('shoot--p--a', 2, 'succeeded'))
    store.history('shoot--p--a')
    store.add(recordEntry('shoot--p--a', 'Succeeded', 3))
    store.add(step('shoot--p--gone', 4, 'failed'))
    const [a, gone] = store.overview().shoots
    expect(a?.states.map(({ state, problems }) => [state, problems?.[0]?.cause])).toEqual([
      ['failed', 'no zone in ‹shoot›'],
      ['ok', undefined],
      // The state of the object.
      ['ok', undefined],
    ])
    expect(gone?.states.map(({ at, state }) => [at - Date.parse(header.at), state])).toEqual([
      [1000, 'failed'],
      [3000, 'gone'],
    ])
    const { nodes = [] } = store.history('shoot--p--a') ?? {}
    const titles = (second: number) =>
      treesAt(indexNodes(nodes), Date.parse(header.at) + second * 1000).map(({ state, why, children }) => [
        state,
        why?.slice(0, 10),
        children.map(({ title, detail, children }) => [title, detail, children.length]),
      ])
    expect(titles(1)).toEqual([['failed', 'from steps', [['DNSRecord api', 'reconcile failed', 1]]]])
    expect(titles(2)).toEqual([['ok', 'from steps', [['DNSRecord api', 'reconcile succeeded', 2]]]])
    expect(titles(3)).toEqual([['ok', undefined, [['DNSRecord api', 'Reconcile Succeeded', 2]]]])
    const late = store.history('shoot--p--gone')?.nodes ?? []
    expect(treesAt(indexNodes(late), Date.parse(header.at) + 2000)).toHaveLength(1)
    expect(treesAt(indexNodes(late), Date.parse(header.at) + 3500)).toEqual([])
  })

  test('lists a request that no function claims as late, and then as failed, although nothing is written', () => {
    const store = createStore(header, { treeAt })
    const asked = recordEntry('a', 'Succeeded', 1) as { readonly object: Record<string, object> }
    const metadata = {
      ...asked.object.metadata,
      annotations: { 'gardener.cloud/operation': 'reconcile', 'gardener.cloud/timestamp': header.at },
    }
    store.add({ ...recordEntry('a', 'Succeeded', 1), object: { ...asked.object, metadata } } as JournalEntry)
    store.add(recordEntry('b', 'Succeeded', 2))
    store.tick(Date.parse('2026-11-21T01:00:00.000Z'))
    const states = store.overview().shoots[0]?.states ?? []
    expect([...new Set(states.map(({ state }) => state))]).toEqual(['working', 'waiting', 'failed'])
    expect(states.find(({ state }) => state === 'failed')?.at).toBeLessThan(
      Date.parse('2026-11-21T00:06:30Z'),
    )
    expect(states.at(-1)?.why).toMatch(/It is stuck: run trellis doctor/)
  })

  test('lists a shoot by its extension objects, and neither by its machines nor by broken objects', () => {
    const store = createStore(header, { treeAt })
    store.add(recordEntry('a', 'Succeeded', 1))
    const at = '2026-11-21T00:00:02.000Z'
    const machine = { kind: 'Machine', metadata: { namespace: 'a', name: 'm' } }
    const lastOperation = { type: 'Create', state: 'Successful' }
    store.add({ type: 'object', at, id: 'Machine a/m', object: { ...machine, status: { lastOperation } } })
    store.add({ type: 'object', at, id: 'Worker a/broken', object: { kind: 'Worker', status: 7 } })
    expect(store.overview().shoots[0]?.states.map(({ state, objects }) => [state, objects])).toEqual([
      ['ok', 1],
    ])
  })

  test('has each node once for each of its versions, also after time has passed', () => {
    const store = createStore(header, { treeAt })
    store.add(recordEntry('a', 'Processing', 1))
    const first = store.history('a')
    expect(first?.nodes.map(({ id, node }) => [id, node?.title])).toEqual([
      ['a', '0 steps, early'],
      ['DNSRecord a/api', 'DNSRecord a/api'],
    ])
    store.tick(Date.parse('2026-11-21T00:01:01.000Z'))
    expect(store.history('a', first?.n)?.nodes.map(({ n, node }) => [n, node?.title])).toEqual([
      [2, '0 steps, late'],
    ])
    store.add({ type: 'object', at: '2026-11-21T00:01:05.000Z', id: 'DNSRecord a/api', gone: true })
    expect(store.history('a', 2)?.nodes).toEqual([
      { n: 3, at: Date.parse('2026-11-21T00:01:05.000Z'), id: 'DNSRecord a/api' },
    ])
  })

  test('builds trees for some of the changes of a shoot with very many objects, and always for the last one', () => {
    let trees = 0
    const counted: TreeAt = moment => {
      trees++
      return treeAt(moment)
    }
    const store = createStore(header, { treeAt: counted })
    const start = Date.parse(header.at)
    const objects = 1_500
    for (let index = 0; index < objects; index++)
      store.add({
        type: 'object',
        at: new Date(start + index * 10).toISOString(),
        id: `DNSRecord a/${index}`,
        object: { kind: 'DNSRecord', metadata: { namespace: 'a', name: `${index}` } },
      })
    const shown = new Set(store.history('a')?.nodes.map(({ id }) => id))
    expect(shown.size).toBe(objects + 1)
    expect(trees).toBeLessThan(objects / 3)
  })

  test('shows a gap, and finds calls by request id and error', () => {
    const { header: made, entries } = madeUpJournal({ shoots: 2, hours: 6, failing: 2 })
    const store = createStore(made, { treeAt })
    for (const entry of entries) store.add(entry)
    store.add({ type: 'gap', at: '2026-11-21T06:00:00.000Z', why: 'steps: 403' })
    expect(store.overview().gaps[0]?.why).toBe('steps: 403')
    const found = store.search('8f1e2d3c limitexceeded', 3)
    expect(found).toHaveLength(3)
    expect(found[0]).toMatchObject({
      shoot: 'shoot--dev--rose-002',
      id: 'Infrastructure shoot--dev--rose-002/rose-002',
      about: 'ec2 CreateNatGateway NatGatewayLimitExceeded',
    })
    expect(store.search('8f1e2d3c nothing', 3)).toEqual([])
  })
})

describe('an export', () => {
  const page = { script: '', style: '' }

  test('that is too large is refused with a way out', async () => {
    const { header: made, entries } = madeUpJournal({ shoots: 3, hours: 1 })
    const store = createStore(made, { treeAt })
    for (const entry of entries) store.add(entry)
    await expect(exportPage(store, page, { most: 2000 })).rejects.toThrow(
      /of 3 shoots. Choose one with --shoot/,
    )
    await expect(exportPage(store, page, { shoot: 'other' })).rejects.toThrow(
      'the journal has no shoot other',
    )
  })
})

test('a request is not called failed if it is not known whether Trellis serves its type', () => {
  const store = createStore(header, { treeAt: () => undefined, isServed: () => 'unknown' })
  store.add({
    type: 'object',
    at: '2026-11-21T00:00:00.000Z',
    id: 'Infrastructure shoot--garden--rose/rose',
    object: {
      kind: 'Infrastructure',
      metadata: {
        name: 'rose',
        namespace: 'shoot--garden--rose',
        creationTimestamp: '2026-11-21T00:00:00Z',
        annotations: { 'gardener.cloud/operation': 'reconcile' },
      },
      spec: { type: 'azure' },
    },
  })
  store.tick(Date.parse('2026-11-21T01:00:00.000Z'))
  expect(
    store
      .overview()
      .shoots[0]?.states.map(({ state }) => state)
      .at(-1),
  ).toBe('unknown')
})
