import { describe, expect, test } from 'vitest'
import { begins, expectSameAfterDeath } from '../testing/crash.ts'
import { newSeed } from './testing/seed.ts'

describe.each(['create', 'delete'] as const)('a process that dies in a %s', operation => {
  test.each([
    ['seed', 'before'],
    ['seed', 'after'],
    ['provider cluster', 'before'],
    ['provider cluster', 'after'],
  ] as const)('at any write to the %s, %s it, is followed by one that completes it', async (where, when) => {
    const tries = await expectSameAfterDeath(() => newSeed(), begins[operation], where, when)
    expect(tries).toBeGreaterThan(1)
  })
})
