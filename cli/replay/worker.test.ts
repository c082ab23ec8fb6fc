import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { entries, events, replay, saved } from './testing/replay-run.ts'

const file = (name: string) => join(events, `worker-${name}.json`)
const together = async (...names: readonly string[]) =>
  JSON.stringify(await Promise.all(names.map(name => saved(file(name)))))

/** Returns the printed writes, without those to the Worker itself. */
const writesIn = (text: string): readonly string[] =>
  text
    .split('\n')
    .filter(line => /^ {2}(create|patch|delete) (?!workers)/.test(line))
    .map(line => line.trim().replace('shoot--garden--pools/shoot--garden--pools-', ''))

describe('a Worker is replayed without a machine controller and without a cloud', () => {
  test('it starts from its first event, and ends when its machines run', async () => {
    const { ok, text } = await replay([file('create')], { follow: true })
    expect(ok).toBe(true)
    expect(text.match(/^outcome .*$/gm)).toEqual(['outcome     continues', 'outcome     succeeded'])
    expect(writesIn(text)).toContain('create machinedeployments system-z2')
    expect(text).toContain('aws         0 reads, 0 writes')
    expect(await replay([file('create')], { follow: true })).toEqual({ ok, text })
  })

  test.each(['unchanged', 'continue'])('it starts with the machines in its status: %s', async name => {
    const { ok, text } = await replay([file(name)])
    expect(ok).toBe(true)
    expect(text).toContain(
      'outcome     succeeded\nnote        the API server starts with running machines and',
    )
    expect(writesIn(text)).toEqual([])
  })

  test('it rolls if the event follows the event of its creation', async () => {
    const { ok, text } = await replay(['-'], { stdin: await together('create', 'rolled'), follow: true })
    expect(ok).toBe(true)
    const rolled = text.slice(text.indexOf('2026-01-01T02:00:10.250Z'))
    expect(writesIn(rolled)).toEqual([
      'create secrets batch-z1-4f94d',
      'create machineclasses batch-z1-4f94d',
      'patch machinedeployments batch-z1',
      'delete machineclasses batch-z1-2c8d1',
      'delete secrets batch-z1-2c8d1',
    ])
  })

  test('its deletion deletes all its objects', async () => {
    const { ok, text } = await replay([file('delete')], { follow: true })
    expect(ok).toBe(true)
    // The machine controller has the credentials from the start, and releases all of them between the steps.
    expect(text.match(/^outcome .*$/gm)).toEqual([
      'outcome     continues',
      'outcome     succeeded, and the object is deleted',
    ])
    const kinds = writesIn(text).map(line => line.split(' ').slice(0, 2).join(' '))
    expect([...Map.groupBy(kinds, kind => kind)].map(([kind, all]) => `${all.length} ${kind}`)).toEqual([
      '3 patch machines',
      '3 delete machinedeployments',
      '3 delete machineclasses',
      '3 delete secrets',
    ])
    expect((await entries([file('delete')], { follow: true })).at(-1)).toMatchObject({
      object: { gone: true },
    })
  })
})
