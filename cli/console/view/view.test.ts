import { describe, expect, test } from 'vitest'
import type { TreeNode } from '../../observe/observe.ts'
import { indexNodes, treesAt } from '../model/at-moment.ts'
import type { StepBar } from '../model/history.ts'
import { cloudMap } from './cloud-map.ts'
import { durationText, nextText } from './durations.ts'
import { filterShoots, shootsAt } from './filter-shoots.ts'
import { densityOf, momentAfter, momentBefore } from './happenings.ts'
import { linkText, parseLink } from './link.ts'
import { mergeHistory } from './merge-update.ts'
import { objectLines } from './object-lines.ts'
import { objectAt } from './objects-at.ts'
import { stepAt, timelineSpan, zoomed } from './timeline-span.ts'
import { visibleRows } from './visible-rows.ts'

const node = (title: string) => ({ kind: 'extension', title, state: 'ok' }) as const

describe('the tree at a moment', () => {
  const versions = [
    { n: 1, at: 10, id: 'a', order: 0, node: node('A') },
    { n: 1, at: 10, id: 'b', parent: 'a', order: 1, node: node('B') },
    { n: 1, at: 10, id: 'c', parent: 'a', order: 0, node: node('C') },
    { n: 2, at: 20, id: 'b' },
    { n: 3, at: 30, id: 'b', parent: 'gone', order: 0, node: node('B again') },
  ]
  const titles = (time: number) => treesAt(indexNodes(versions), time).map(shape)
  const shape = ({ title, children }: TreeNode): unknown => [title, ...children.map(shape)]

  test('has the versions of that time, in their order', () => {
    expect(titles(5)).toEqual([])
    expect(titles(15)).toEqual([['A', ['C'], ['B']]])
    expect(titles(25)).toEqual([['A', ['C']]])
  })

  test('shows a node whose parent does not exist as a root', () => {
    expect(titles(30)).toEqual([['A', ['C']], ['B again']])
  })
})

test('nodes are open at first, except resources in the cloud', () => {
  const resource = { id: 'r', kind: 'cloud resource', title: 'R', state: 'ok', children: [] } as const
  const tree: TreeNode = { id: 'a', ...node('A'), children: [{ ...resource, id: 'v', children: [resource] }] }
  const ids = (toggled: readonly string[]) => visibleRows([tree], new Set(toggled)).map(one => one.node.id)
  expect(ids([])).toEqual(['a', 'v'])
  expect(ids(['v'])).toEqual(['a', 'v', 'r'])
  expect(ids(['a'])).toEqual(['a'])
})

test('an object is folded from its versions', () => {
  const versions = [
    { n: 1, at: 10, id: 'a', object: { x: 1, y: { z: 1 } } },
    { n: 2, at: 20, id: 'a', patch: { x: null, y: { z: 2 } } },
    { n: 3, at: 30, id: 'a' },
  ]
  expect([5, 10, 25, 30].map(time => objectAt(versions, time))).toEqual([
    undefined,
    { x: 1, y: { z: 1 } },
    { y: { z: 2 } },
    undefined,
  ])
})

test('an object is shown as YAML with sorted fields, without those that change at every write', () => {
  const object = {
    kind: 'A',
    metadata: {
      ...{ name: 'x', resourceVersion: '7', managedFields: [{ manager: 'm' }] },
      annotations: { step: '{"phase":"waiting"}' },
    },
    list: [1, { b: 2, a: [] }, 'two\nlines', 'yes', '2026-11-21T02:48:05Z'],
    empty: {},
  }
  expect(objectLines(object).join('\n')).toBe(
    `empty: {}
kind: A
list:
  - 1
  - a: []
    b: 2
  - |-
    two
    lines
  - "yes"
  - "2026-11-21T02:48:05Z"
metadata:
  annotations:
    step: '{"phase":"waiting"}'
  name: x`,
  )
  expect(objectLines(undefined)).toEqual([])
})

describe('a link', () => {
  test('survives a round trip', () => {
    const link = {
      shoot: 'shoot--a--b',
      at: 1_795_840_113_741,
      from: 1,
      view: 'changes',
      node: 'Worker a/b',
      tab: 'events',
    } as const
    expect(parseLink(linkText(link))).toEqual({ ...link, from: 1 })
  })

  test('takes times in milliseconds and in words, and ignores what it does not know', () => {
    expect(parseLink('?at=1795840113741&view=nothing&from=yesterday')).toEqual({
      at: 1_795_840_113_741,
      view: 'tree',
    })
    expect(parseLink('?namespace=garden-dev&name=rose').shoot).toBe('garden-dev/rose')
    expect(parseLink('?shoot=garden-dev/rose')).toEqual({ shoot: 'garden-dev/rose', view: 'tree' })
  })
})

test('shoots are listed with the worst first, and filtered by state and by all words', () => {
  const shoots = shootsAt(
    [
      { id: 'b', states: [{ n: 1, at: 0, state: 'ok', failed: 0, objects: 1 }] },
      {
        id: 'a',
        garden: 'dev/rose',
        states: [{ n: 1, at: 0, state: 'failed', failed: 1, objects: 1, why: 'No VPC' }],
      },
      { id: 'c', states: [{ n: 1, at: 9, state: 'ok', failed: 0, objects: 1 }] },
      { id: 'd', states: [{ n: 1, at: 0, state: 'gone', failed: 0, objects: 0 }] },
    ],
    5,
  )
  const ids = (text: string, ...states: readonly ('ok' | 'failed')[]) =>
    filterShoots(shoots, { states: new Set(states), text }).map(({ id }) => id)
  expect(ids('')).toEqual(['a', 'b'])
  expect(ids('', 'ok')).toEqual(['b'])
  expect(ids('vpc ROSE')).toEqual(['a'])
  expect(ids('vpc lily')).toEqual([])
})

test('a resource without a container is in the zone of the network that has this zone', () => {
  const resource = (id: string, more: object): TreeNode => ({
    id,
    kind: 'cloud resource',
    title: id,
    state: 'ok',
    children: [],
    ...{ resource: { type: id.slice(0, 3), id, ...more } },
  })
  const boxes = cloudMap([
    {
      id: 's',
      ...node('S'),
      children: [
        resource('vpc-1', {}),
        resource('sub-1', { within: 'vpc-1', zone: 'a' }),
        resource('nat-1', { within: 'sub-1', zone: 'a' }),
        resource('mac-1', { zone: 'a' }),
        resource('key-1', {}),
        resource('x', { within: 'y' }),
        resource('y', { within: 'x' }),
      ],
    },
  ])
  const shape = ({ name, inside }: (typeof boxes)[number]): unknown => [name, ...inside.map(shape)]
  expect(boxes.map(shape)).toEqual([
    ['vpc-1', ['a', ['mac-1'], ['sub-1', ['nat-1']]]],
    ['key-1'],
    ['x'],
    ['y'],
  ])
})

describe('the timeline', () => {
  const step = (at: number): StepBar => ({
    n: at,
    at,
    ms: 100,
    object: 'a',
    function: 'f',
    operation: 'reconcile',
    event: 'e',
    outcome: 'succeeded',
    calls: [],
  })
  const minute = 60_000

  test('begins with the steps before the moment that belong together', () => {
    const steps = [step(0), step(60 * minute), step(62 * minute), step(63 * minute)]
    const [from, to] = timelineSpan({ steps, objects: [] }, { now: 100 * minute, moment: 64 * minute })
    expect(from).toBeLessThan(60 * minute)
    expect(from).toBeGreaterThan(59 * minute)
    expect(to).toBeGreaterThan(64 * minute)
  })

  test('is zoomed around the pointer', () => {
    expect(zoomed([0, 100], 0.5, 50)).toEqual([25, 75])
    expect(zoomed([0, 100], 0.001, 0)).toEqual([0, 20])
  })

  test('finds the nearest step within the tolerance', () => {
    const steps = [step(0), step(1000)]
    expect(stepAt(steps, 950, 60)?.at).toBe(1000)
    expect(stepAt(steps, 50, 0)?.at).toBe(0)
    expect(stepAt(steps, 500, 60)).toBeUndefined()
  })

  test('goes from one happening to the next', () => {
    expect([momentBefore([1, 5, 9], 5), momentAfter([1, 5, 9], 5), momentAfter([1], 5)]).toEqual([
      1,
      9,
      undefined,
    ])
  })

  test('counts steps and failures in columns', () => {
    const steps = [
      { at: 0, outcome: 'failed' },
      { at: 99, outcome: 'succeeded' },
    ]
    expect(densityOf(steps, { from: 0, to: 100 }, 2)).toEqual({ all: [1, 1], failed: [1, 0] })
  })
})

test('later entries are added once', () => {
  const history = {
    shoot: 'a',
    n: 2,
    nodes: [],
    steps: [],
    events: [{ n: 2, at: 2, id: 'x', object: 'o', operation: 'r' }],
    objects: [],
  }
  const more = {
    ...history,
    n: 3,
    events: [...history.events, { n: 3, at: 3, id: 'y', object: 'o', operation: 'r' }],
  }
  expect(mergeHistory(history, more).events.map(({ id }) => id)).toEqual(['x', 'y'])
})

test('durations are written for people', () => {
  expect([0, 950, 1500, 59_000, 60_000, 125_000, 7_260_000, 90_000_000].map(durationText)).toEqual([
    '0 ms',
    '950 ms',
    '1.5 s',
    '59 s',
    '1 min',
    '2 min 5 s',
    '2 h 1 min',
    '1 d 1 h',
  ])
  const what = 'reconcile'
  expect([nextText({ what, at: 5000 }, 0), nextText({ what, at: 0 }, 5000), nextText({ what }, 0)]).toEqual([
    'reconcile in 5 s',
    'reconcile now',
    'reconcile',
  ])
})

test('no shoot is shown as well while kinds have not been read', () => {
  const state = (name: 'ok' | 'failed') => [{ n: 1, at: 0, state: name, failed: 0, objects: 1 }]
  const shoots = [
    { id: 'a', states: state('ok') },
    { id: 'b', states: state('failed') },
  ]
  const shown = (unlisted: readonly string[]) =>
    shootsAt(shoots, 1, unlisted).map(({ id, now }) => [id, now.state])
  expect(shown([])).toEqual([
    ['b', 'failed'],
    ['a', 'ok'],
  ])
  expect(shown(['Worker'])).toEqual([
    ['b', 'failed'],
    ['a', 'unknown'],
  ])
  expect(shootsAt(shoots, 1, ['Worker'])[1]?.now.why).toBe('not read yet: Worker')
})
