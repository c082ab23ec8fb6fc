import { afterEach, expect, test } from 'vitest'
import { wrapped } from './observe-output.ts'

const { columns } = process.stdout
afterEach(() => {
  process.stdout.columns = columns
})

test('commands to copy stay in one line and name the cluster, and other lines are wrapped', () => {
  process.stdout.columns = 40
  const long = 'trellis retry Infrastructure/shoot--garden--rose/rose'
  const text = `│   run: ${long}\n│   why: ${'word '.repeat(10).trim()}\n  run: kubectl get pods\nerror: run: trellis doctor`
  const cluster = { kubeconfig: '/tmp/my seeds/a', context: 'it’s' }
  const lines = wrapped(text, 'text', cluster).split('\n')
  expect(lines[0]).toBe(`│   run: ${long} --kubeconfig '/tmp/my seeds/a' --context 'it’s'`)
  expect(lines.slice(1, 3)).toEqual(['│   why: word word word word word', '    word word word word word'])
  expect(lines.slice(3)).toEqual(['  run: kubectl get pods', 'error: run: trellis doctor'])
})

test('a wide text has no wrapped lines', () => {
  process.stdout.columns = 40
  const line = 'word '.repeat(20)
  expect(wrapped(line, 'wide')).toBe(line)
})
