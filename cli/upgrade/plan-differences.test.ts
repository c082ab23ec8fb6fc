import { describe, expect, test } from 'vitest'
import type { VersionOutcome } from './both-versions.ts'
import { planDifferences } from './plan-differences.ts'

const object = {
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
  kind: 'Worker',
  metadata: { namespace: 'shoot--p--rose', name: 'rose' },
}
const planned = (json: object): VersionOutcome => ({ kind: 'planned', json })
const actions = (...all: readonly object[]) => planned({ actions: all })
const refused = (error: string, isUnknown = false, isDenied = false): VersionOutcome => ({
  ...{ kind: 'refused', error, isUnknown, isDenied },
})
const update = { kind: 'update', sentence: 'update VPC vpc-1', after: [], changes: [] }
const tagged = (before: string, after: string) => ({
  ...update,
  changes: [{ attribute: 'tag a', before, after }],
})

describe('the difference of two plans', () => {
  test('is empty for equal plans, in any order', () => {
    const other = { ...update, sentence: 'update VPC vpc-2' }
    expect(planDifferences(object, [actions(update, other), actions(other, update)])).toEqual([])
  })

  test('does not contain the dependencies and the waits of actions', () => {
    const wait = { kind: 'wait', sentence: 'wait until it is healthy' }
    expect(planDifferences(object, [actions(update), actions({ ...update, after: ['x'] }, wait)])).toEqual([])
  })

  test('has only the changed values of an action that both versions do', () => {
    expect(planDifferences(object, [actions(tagged('x', 'y')), actions(tagged('x', 'z'))])).toEqual([
      {
        effect: 'write',
        sentence: 'update VPC vpc-1',
        lines: ['tag a: x → z', 'no longer: tag a: x → y'],
      },
    ])
  })

  test('has the actions that only the former version does', () => {
    expect(planDifferences(object, [actions(update), actions()])).toMatchObject([
      { effect: 'stop', sentence: 'update VPC vpc-1' },
    ])
  })

  test.each([
    [{ ...update, kind: 'delete' }, 'delete'],
    [{ ...update, kind: 'replace' }, 'replace'],
    [{ ...update, kind: 'create' }, 'write'],
    [{ ...update, sentence: 'update Worker shoot--p--rose/rose' }, 'status'],
  ])('has an effect for each kind of action', (action, effect) => {
    expect(planDifferences(object, [actions(), actions(action)])).toMatchObject([{ effect }])
  })

  test('names the hashed values that roll a pool', () => {
    const roll = {
      ...{ kind: 'update', sentence: 'roll pool a: replace 3 machines', pool: 'a', after: [] },
      why: { isProved: false, causes: [] },
      deployments: [
        { name: 'a-z1', machines: 1 },
        { name: 'a-z2', machines: 2 },
      ],
      changes: [{ attribute: 'name of the Secret', after: 'x' }],
    }
    const from = planned({ actions: [], hashed: { a: { size: '50Gi', zone: 'z1' } } })
    const to = planned({ actions: [roll], hashed: { a: { size: '60Gi', zone: 'z1', image: 'x' } } })
    expect(planDifferences(object, [from, to])).toEqual([
      {
        effect: 'roll',
        sentence: roll.sentence,
        pool: 'a',
        machines: 3,
        lines: ['because of size: 50Gi → 60Gi', 'because of image: none → x'],
      },
    ])
  })

  test('names pools with a problem in only one of the versions', () => {
    const problems = (...all: readonly object[]) => planned({ actions: [], problems: all })
    const [a, b] = [
      { pool: 'a', message: 'too small' },
      { pool: 'b', message: 'too large' },
    ]
    expect(planDifferences(object, [problems(a), problems(b)])).toMatchObject([
      { effect: 'refuse', sentence: 'pool b: too large' },
      { effect: 'accept', sentence: 'pool a: too small' },
    ])
  })
})

describe('an object that a version refuses', () => {
  test('is refused by the new version', () => {
    expect(planDifferences(object, [actions(), refused('bad zone')])).toEqual([
      { effect: 'refuse', sentence: 'bad zone', lines: [] },
    ])
  })

  test('is no difference if both versions refuse it for the same reason', () => {
    expect(planDifferences(object, [refused('bad zone'), refused('bad zone')])).toEqual([])
  })

  test('is unknown if the cloud denies both versions, and refused if it denies the new one alone', () => {
    const denied = refused('no login', false, true)
    expect(() => planDifferences(object, [denied, denied])).toThrow('no login')
    expect(planDifferences(object, [actions(), denied])).toMatchObject([{ effect: 'refuse' }])
  })

  test('is accepted by the new version, which then acts', () => {
    expect(planDifferences(object, [refused('bad zone'), actions(update)])).toMatchObject([
      { effect: 'accept', sentence: 'bad zone' },
      { effect: 'write' },
    ])
  })

  test('is unknown if its cloud could not be read', () => {
    expect(() => planDifferences(object, [actions(), refused('throttled', true)])).toThrow('throttled')
    expect(() => planDifferences(object, [refused('throttled', true), actions()])).toThrow('throttled')
  })

  test('has a kind that only one version plans', () => {
    expect(planDifferences(object, [{ kind: 'unsupported' }, actions(update)])).toMatchObject([
      { effect: 'write' },
    ])
    expect(planDifferences(object, [actions(), { kind: 'unsupported' }])).toMatchObject([
      { effect: 'refuse' },
    ])
  })
})
