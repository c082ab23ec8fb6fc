import { expect, test } from 'vitest'
import { adviceOnEnd, adviceOnStart, isSnapshotProblem } from './start-advice.ts'

test.each([
  ['EAGAIN', /pid limit/],
  ['ENOMEM', /memory limit of the pod/],
  ['EACCES', /must allow/],
])('a start that fails with %s has advice', (code, advice) => {
  expect(adviceOnStart(Object.assign(new Error('spawn'), { code }))).toMatch(advice)
})

test('a start that fails for an unknown reason has none', () => {
  expect(adviceOnStart(new Error('spawn'))).toBe('')
})

test('an end names the limit to increase', () => {
  expect(adviceOnEnd('signal SIGABRT', ['FATAL ERROR: JavaScript heap out of memory'])).toMatch(
    /--max-old-space-size/,
  )
  expect(adviceOnEnd('signal SIGKILL', [])).toMatch(/memory limit of the pod/)
  expect(adviceOnEnd('exit code 1', [])).toBe('')
})

test('a snapshot of another version or with missing bytes is recognized', () => {
  expect(isSnapshotProblem('… The snapshot was built with v22.1.0')).toBe(true)
  expect(isSnapshotProblem('the process ended: signal SIGTRAP')).toBe(true)
  expect(isSnapshotProblem('the process ended: exit code 2. Its output: unknown setting')).toBe(false)
})
