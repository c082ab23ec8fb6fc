import { expect, test } from 'vitest'
import { provider } from '../../sandbox/providers/aws/provider.ts'
import { sandboxSettings } from './start-sandbox.ts'

test('the functions of the sandbox poll more often if its AWS is faster, and never less often than for Amazon', () => {
  expect([0, 0.01, 0.25, 1, 10].map(scale => sandboxSettings([provider], scale).waitScale)).toEqual([
    0.001, 0.02, 0.5, 1, 1,
  ])
})
