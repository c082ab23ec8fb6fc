import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { followOutput } from './follow-output.ts'

const follow = () => {
  const child = { stdout: new PassThrough(), stderr: new PassThrough() }
  const lines: string[] = []
  const last = followOutput(child, (line, stream) => lines.push(`${stream} ${line}`))
  return { ...child, lines, last }
}

test('output is passed on in whole lines, also if a character is split', async () => {
  const { stdout, stderr, lines } = follow()
  const text = Buffer.from('{"msg":"ü"}\nsecond\nrest')
  stdout.write(text.subarray(0, 9))
  stdout.end(text.subarray(9))
  stderr.end('error\n')
  await expect
    .poll(() => lines.toSorted())
    .toEqual(['stderr error', 'stdout rest', 'stdout second', 'stdout {"msg":"ü"}'])
})

test('an endless line is cut', async () => {
  const { stdout, lines } = follow()
  stdout.end('x'.repeat(100_000))
  await expect.poll(() => lines.length).toBeGreaterThan(0)
  for (const line of lines) expect(line.replace('stdout ', '')).toHaveLength(16_384)
})

test('the last lines explain the end: without traces, and with the error before them', async () => {
  const { stdout, stderr, last } = follow()
  stdout.end('{"level":"info","msg":"listening"}\n{"level":"error","msg":"broken"}\n')
  stderr.write('FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory\n')
  for (let i = 0; i < 30; i++) stderr.write(` ${i}: 0x${i} node::Abort()\n`)
  for (let i = 0; i < 10; i++) stderr.write(`line ${i}\n`)
  stderr.end()
  await expect.poll(() => last().at(-1)).toBe('line 9')
  expect(last()).toHaveLength(5)
  expect(last()[0]).toMatch(/^FATAL ERROR/)
})

test('an uncaught error is retained, without the minified line and the stack', async () => {
  const { stderr, lines, last } = follow()
  stderr.write(`/app/main.cjs:314\n${'minified();'.repeat(1_000)}\n      ^\n\n`)
  stderr.write('Error: ENOENT: no such file or directory\n    at collect (/app/main.cjs:314:9127)\n')
  stderr.end("{\n  errno: -2,\n  code: 'ENOENT',\n  syscall: 'read'\n}\n\nNode.js v24.21.0\n")
  await expect.poll(() => last().at(-1)).toBe('}')
  expect(last()[0]).toBe('Error: ENOENT: no such file or directory')
  for (const line of lines) expect(line.length).toBeLessThan(1_020)
})
