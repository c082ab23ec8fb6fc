import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readMessage } from '../../sandbox/knative/knative.ts'
import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import { eventMessage, parseEventJson } from '../../shared/events/events.ts'
import { create, replay, saved, temporaryFiles } from '../replay/testing/replay-run.ts'
import { recordEvents } from './record-events.ts'

let files: Awaited<ReturnType<typeof temporaryFiles>>
beforeAll(async () => {
  files = await temporaryFiles()
})
afterAll(() => files.remove())

const received = async (fields: object = {}) => {
  const event = readMessage(eventMessage(parseEventJson({ ...(await saved(create)), ...fields })))
  const attributes = { ...event.attributes, knativearrivaltime: '2026-11-22T12:00:00Z' }
  return {
    part: 'broker',
    event: { kind: 'received', broker: 'b', event: { ...event, attributes } },
  } as const
}

describe('--record', () => {
  test('each event is added once, in the format that replay reads', async () => {
    const path = await files.write('events.jsonl', '')
    for (const id of ['one', 'two']) {
      const record = await recordEvents(path)
      record.observe(await received({ id }))
      record.observe(await received({ id }))
      record.observe({
        part: 'broker',
        event: { kind: 'unmatched', broker: 'b', event: { attributes: {}, body: undefined } } as never,
      })
      record.observe({
        part: 'broker',
        event: { kind: 'received', broker: 'b', event: { attributes: { id: 'x' } } } as never,
      })
      await record.close()
    }
    const lines = (await readFile(path, 'utf8')).trimEnd().split('\n')
    expect(lines.map(line => JSON.parse(line).id)).toEqual(['one', 'two'])
    const { text } = await replay([path])
    expect(text.match(/^outcome .*$/gm)).toEqual(['outcome     succeeded', 'outcome     succeeded'])
  })

  test('health checks are left out, because their events have no object', async () => {
    const path = await files.write('checks.jsonl', '')
    const record = await recordEvents(path)
    record.observe(await received({ type: 'cloud.gardener.extensions.dnsrecord.healthcheck' }))
    await record.close()
    expect(await readFile(path, 'utf8')).toBe('')
  })

  test.each([
    ['holds something else', 'apiVersion: v1\n'],
    ['holds one event in many lines', '{\n "specversion": "1.0"\n}\n'],
    ['ends within a line', '{"specversion":"1.0"}'],
  ])('a file that %s is refused and not changed', async (_, text) => {
    const path = await files.write('other', text)
    await expect(recordEvents(path)).rejects.toThrow(UsageError)
    expect(await readFile(path, 'utf8')).toBe(text)
  })

  test('a file that cannot be written is refused', async () => {
    const path = await files.write('plain', '')
    await expect(recordEvents(join(path, 'below'))).rejects.toThrow('cannot write the file (ENOTDIR)')
  })
})
