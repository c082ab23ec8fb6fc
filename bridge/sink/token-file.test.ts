import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { virtualClock } from '../../shared/clock/clock.ts'
import { tokenFile } from './token-file.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-token-'))
})
afterAll(() => rm(folder, { recursive: true }))

describe('the token of the sink', () => {
  test('it is read again after a minute, as the kubelet renews it', async () => {
    const clock = virtualClock(0)
    const path = join(folder, 'renewed')
    await writeFile(path, 'one\n')
    const source = tokenFile(path, clock)
    expect(await source.token()).toBe('one')
    await writeFile(path, 'two\n')
    await clock.advance(59_000)
    expect(await source.token()).toBe('one')
    await clock.advance(2_000)
    expect(await source.token()).toBe('two')
  })

  test('it is read again at once if the sink has refused it, and only then', async () => {
    const clock = virtualClock(0)
    const path = join(folder, 'refused')
    await writeFile(path, 'one')
    const source = tokenFile(path, clock)
    await source.token()
    await writeFile(path, 'two')
    expect(await source.token({ refused: 'another' })).toBe('one')
    expect(await source.token({ refused: 'one' })).toBe('two')
  })

  test('it is absent as long as the file does not exist', async () => {
    const clock = virtualClock(0)
    const path = join(folder, 'later')
    const source = tokenFile(path, clock)
    expect(await source.token()).toBeUndefined()
    await writeFile(path, 'here')
    await clock.advance(60_000)
    expect(await source.token()).toBe('here')
  })

  test('the error names the setting if the file cannot be read', async () => {
    await expect(tokenFile(folder, virtualClock(0)).token()).rejects.toThrow(/--sink-token-file/)
  })
})
