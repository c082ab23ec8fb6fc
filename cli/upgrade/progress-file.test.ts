import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openProgress } from './progress-file.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trellis-progress-'))
  file = join(folder, 'upgrade.jsonl')
})
afterEach(() => rmSync(folder, { recursive: true }))

const head = { from: '1', to: '2' }
const rose = { kind: 'Worker', namespace: 'shoot--p--rose', name: 'rose', differences: [] }

test('a comparison continues after the last finished shoot', () => {
  const first = openProgress(file, head)
  expect(first).toMatchObject({ objects: [], done: new Set() })
  first.add('shoot--p--lily', [])
  first.add('shoot--p--rose', [rose])
  expect(openProgress(file, head)).toMatchObject({
    objects: [rose],
    done: new Set(['shoot--p--lily', 'shoot--p--rose']),
  })
})

test('a shoot with an unknown object is compared again, and its last result counts', () => {
  const first = openProgress(file, head)
  first.add('shoot--p--lily', [])
  first.add('shoot--p--rose', [{ ...rose, unknown: 'throttled' }])
  const second = openProgress(file, head)
  expect(second).toMatchObject({ objects: [], done: new Set(['shoot--p--lily']) })
  second.add('shoot--p--rose', [rose])
  expect(openProgress(file, head)).toMatchObject({
    ...{ objects: [rose], done: new Set(['shoot--p--lily', 'shoot--p--rose']) },
  })
})

test('a part of a line from an interrupted run is removed', () => {
  openProgress(file, head).add('shoot--p--lily', [])
  appendFileSync(file, '{"place":"shoot--p--ro')
  const next = openProgress(file, head)
  expect([...next.done]).toEqual(['shoot--p--lily'])
  next.add('shoot--p--rose', [rose])
  expect(openProgress(file, head).objects).toEqual([rose])
})

test.each([
  ['another comparison', '{"from":"1","to":"3"}\n', /the result of another comparison/],
  ['another file', 'apiVersion: v1\n', /no comparison of two versions/],
  ['a file without line breaks', 'x', /no comparison of two versions/],
])('%s is refused and unchanged', (_, content, why) => {
  writeFileSync(file, content)
  expect(() => openProgress(file, head)).toThrow(why)
  expect(readFileSync(file, 'utf8')).toBe(content)
})
