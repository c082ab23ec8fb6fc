import { describe, expect, test } from 'vitest'
import { renewalDueAt } from './rotation-time.ts'

const dayMs = 86_400_000
const notBefore = Date.parse('2026-01-01T00:00:00Z')

describe('a certificate is renewed', () => {
  test.each([
    ['after 80 % of ten years', 3653, undefined, 2922.4],
    ['ten days before the end of 30 days', 30, undefined, 20],
    ['after the percentage in its config', 3653, 50, 1826.5],
    ['after 80 % of ten days', 10, undefined, 8],
    ['ten days before the end of eleven days', 11, undefined, 1],
  ])('%s', (_, days, percentage, due) => {
    const facts = { notBefore, notAfter: notBefore + days * dayMs }
    expect((renewalDueAt(facts, percentage) - notBefore) / dayMs).toBeCloseTo(due, 6)
  })
})
